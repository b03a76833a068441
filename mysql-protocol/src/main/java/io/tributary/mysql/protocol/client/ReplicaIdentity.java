package io.tributary.mysql.protocol.client;

import java.util.Objects;
import java.util.UUID;

/**
 * How Tributary identifies itself as a replica of a shard.
 *
 * @param serverId 1 to 2^32-1; different from that of any other replica of the shard
 * @param uuid a second dump with the same one ends the first
 */
public record ReplicaIdentity(long serverId, UUID uuid) {
    public ReplicaIdentity {
        Objects.requireNonNull(uuid);
        if (serverId < 1 || serverId > 0xffffffffL) {
            throw new IllegalArgumentException("expected a server id of 1 to 2^32-1, found " + serverId);
        }
    }
}
