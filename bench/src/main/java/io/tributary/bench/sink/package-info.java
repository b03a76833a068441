/** What the messages of the Kafka sink cost. */
package io.tributary.bench.sink;
