/**
 * Seeded workloads on real shards. Each creates its schema with the same names on every shard, with primary keys that
 * no two shards share, so that the union of the shards is what a replica of the output must hold.
 */
package io.tributary.testkit.workload;
