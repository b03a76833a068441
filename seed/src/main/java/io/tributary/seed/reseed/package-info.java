/**
 * Makes the rows of a shard whose changes were lost right in the stream: {@link io.tributary.seed.reseed.Reseed} compares a snapshot of the shard
 * with a replica of the stream, and writes the differences as corrections into the shard's binlog (docs/internals/reseed.md).
 */
package io.tributary.seed.reseed;
