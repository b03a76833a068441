/** Heartbeat rounds: the sessions that write them to every shard, and shards that join. */
package io.tributary.extractor.rounds;
