/**
 * Compares what one client reads from two sources with the same transactions: Tributary with its shards, and one real MySQL
 * server, the twin.
 */
package io.tributary.testkit.compare;
