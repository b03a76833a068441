package io.tributary.extractor;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.UUID;

/**
 * The client as which a node replicates from its shards; shared by all extractors.
 *
 * @param reader the cluster's UUID; together with a shard's name it gives the reader's UUID for the shard, so that a new dump ends an
 *     old one
 */
public record ReplicationClient(ExtractorConfig config, UUID reader, MysqlClient client, Clock clock) {}
