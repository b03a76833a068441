/** How far the stream has read each shard, and waiting until it has read a given set of transactions. */
package io.tributary.seed.checkpoint;
