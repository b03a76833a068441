package io.tributary.common.cluster;

import io.tributary.common.config.HostPort;
import java.util.Optional;
import java.util.Set;

/**
 * A node of the cluster as it registers itself.
 *
 * @param id its name, {@code node.id}, unique in the cluster
 * @param roles at least one
 * @param addresses where it accepts connections
 * @param shards the shards that a relay offers to read for Tasks; empty for other nodes
 * @param startedMicros when it started, by its own clock, microseconds since 1970; for display only
 */
public record ClusterMember(
        String id, Set<MemberRole> roles, Addresses addresses, Set<String> shards, long startedMicros) {
    public ClusterMember {
        roles = Set.copyOf(roles);
        shards = Set.copyOf(shards);
        if (id.isEmpty() || roles.isEmpty()) {
            throw new IllegalArgumentException("expected a member with an id and a role, found '" + id + "' " + roles);
        }
    }

    /**
     * Where a node accepts connections, each only if it has the role for it.
     *
     * @param transmit where a Task or relay accepts streams
     * @param replicate where a Dumper accepts followers
     * @param mysql where a Dumper serves readers
     * @param admin its admin endpoint
     */
    public record Addresses(
            Optional<HostPort> transmit,
            Optional<HostPort> replicate,
            Optional<HostPort> mysql,
            Optional<HostPort> admin) {}

    /** Where a Task or relay accepts streams. */
    public Optional<HostPort> transmit() {
        return addresses.transmit();
    }

    /** Where a Dumper accepts followers. */
    public Optional<HostPort> replicate() {
        return addresses.replicate();
    }

    /** Where a Dumper serves readers. */
    public Optional<HostPort> mysql() {
        return addresses.mysql();
    }

    /** Its admin endpoint. */
    public Optional<HostPort> admin() {
        return addresses.admin();
    }

    /** Whether it has this role, alone or with others. */
    public boolean is(MemberRole role) {
        return roles.contains(role);
    }
}
