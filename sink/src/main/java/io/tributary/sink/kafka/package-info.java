/** Sends messages to Kafka and commits the place of the sink with them. */
package io.tributary.sink.kafka;
