/**
 * Roles of a node: a role connects the pipeline of a Task or a relay ({@code node.task}) and the parts of a Dumper ({@code node.dumper}), and builds
 * them again from the last durable cut when they fail. What every role needs is in {@code node.process}.
 *
 * <pre>
 *   standalone = task pipeline --Link--&gt; writer, server of readers, backup
 *   task       = TransmitServer --(a task pipeline per stream)--&gt; gRPC
 *   relay      = TransmitServer --(extract and merge per stream)--&gt; gRPC --&gt; a task's merge, or another relay's
 *   dumper     = gRPC --&gt; writer, server of readers, backup
 *   apply      = the port for readers of another node --&gt; applier ({@code node.apply}) --&gt; a target
 *   sink       = the port for readers of another node --&gt; sink ({@code node.sink}) --&gt; Kafka
 * </pre>
 */
package io.tributary.node.role;
