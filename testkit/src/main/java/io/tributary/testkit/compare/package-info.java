/**
 * What one client reads from two sources that hold the same transactions: Tributary in front of shards, and one real MySQL
 * server, its twin.
 */
package io.tributary.testkit.compare;
