/**
 * The role {@code sink} of a node: runs a sink ({@code io.tributary.sink}) again and again ({@link io.tributary.node.sink.SinkRuns}), with its
 * configuration, its metrics and its status. The classes of Kafka and Avro are loaded only here, and only if the node has this role: their libraries
 * are in an archive of their own.
 */
package io.tributary.node.sink;
