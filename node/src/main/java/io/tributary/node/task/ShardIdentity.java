package io.tributary.node.task;

import io.tributary.common.config.Config;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.process.ClusterConfig;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The UUID under which nodes read shards: the replica's UUID that a shard sees. */
public final class ShardIdentity {
    private ShardIdentity() {}

    /** The UUID for a configuration with shards. */
    public static UUID of(Config config) {
        return of(
                config.get(ClusterConfig.class).id(),
                config.get(ExtractorConfig.class).serverId());
    }

    /** The same for all nodes of a cluster, so that a new dump of a shard ends an old one. */
    static UUID of(String cluster, long serverId) {
        return UUID.nameUUIDFromBytes((cluster + "/" + serverId).getBytes(StandardCharsets.UTF_8));
    }
}
