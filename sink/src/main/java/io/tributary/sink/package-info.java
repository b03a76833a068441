/**
 * The sink sends the rows of a stream as messages to Kafka. This package has what users choose ({@link io.tributary.sink.SinkPlan}) and what they can see
 * ({@link io.tributary.sink.SinkFigures}); {@code message} has the protocols, {@code route} decides topic and partition, {@code encode} makes messages of
 * rows in parallel, {@code kafka} sends and commits them, {@code run} joins these.
 */
package io.tributary.sink;
