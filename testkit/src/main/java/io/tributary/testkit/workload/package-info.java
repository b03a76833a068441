/**
 * Seeded workloads on real shards. Each creates its schema with the same names on every shard, with primary keys that
 * are unique over all shards, so a replica of the output must have the union of the shards.
 */
package io.tributary.testkit.workload;
