package io.tributary.common.cluster;

import io.tributary.common.config.HostPort;
import java.util.Optional;
import java.util.Set;

/**
 * A node of the cluster as it tells the others of itself.
 *
 * @param id its name, {@code node.id}; no two nodes have the same
 * @param roles at least one
 * @param transmit where a Task or relay takes streams
 * @param replicate where a Dumper takes those who copy its files
 * @param mysql where a Dumper serves readers
 * @param admin its admin endpoint
 * @param shards those that a relay offers to read for Tasks; empty of others
 * @param startedMicros when it started, by its own clock, microseconds since 1970; for people only
 */
public record Member(
        String id,
        Set<MemberRole> roles,
        Optional<HostPort> transmit,
        Optional<HostPort> replicate,
        Optional<HostPort> mysql,
        Optional<HostPort> admin,
        Set<String> shards,
        long startedMicros) {
    public Member {
        roles = Set.copyOf(roles);
        shards = Set.copyOf(shards);
        if (id.isEmpty() || roles.isEmpty()) {
            throw new IllegalArgumentException("expected a member with an id and a role, got '" + id + "' " + roles);
        }
    }

    /** Whether it has this role, perhaps beside others. */
    public boolean is(MemberRole role) {
        return roles.contains(role);
    }
}
