/** The client side: connections to shards, queries, and the replication stream of a shard. */
package io.tributary.mysql.protocol.client;
