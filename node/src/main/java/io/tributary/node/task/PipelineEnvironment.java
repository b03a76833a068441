package io.tributary.node.task;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.UUID;

/**
 * Objects that a pipeline needs besides its configuration.
 *
 * @param reader UUID under which this cluster reads shards, as the shards see it
 * @param author UUID of the writer of rounds: the same for all nodes that may succeed each other
 * @param client for all shards
 * @param metrics of the node; a pipeline registers in a child of them
 */
public record PipelineEnvironment(UUID reader, UUID author, MysqlClient client, Metrics metrics, Clock clock) {
    /** The same environment with metrics of one pipeline, which closes them. */
    PipelineEnvironment withOwnMetrics() {
        return new PipelineEnvironment(reader, author, client, metrics.child(), clock);
    }
}
