/** Kafka brokers for tests. */
package io.tributary.testkit.kafka;
