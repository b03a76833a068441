/**
 * The compatibility matrix: each client, real and of the newest version that can be had here, reads the same seeded workload
 * from Tributary in front of shards and from one real MySQL server that got the same transactions.
 */
package io.tributary.compatibility;
