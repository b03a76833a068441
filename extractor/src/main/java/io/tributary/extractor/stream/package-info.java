/** One shard's replication stream: connection, events, transactions, tokens. */
package io.tributary.extractor.stream;
