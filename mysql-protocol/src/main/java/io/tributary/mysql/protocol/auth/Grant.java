package io.tributary.mysql.protocol.auth;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * The rights, networks and limits of an account.
 *
 * @param networks from which it may log in; empty: from every address
 * @param connections maximum sessions at the same time, of all hosts together; 0: no limit of its own
 * @param bytesPerSecond of events, for all its dumps together; 0: no limit
 */
public record Grant(Set<Right> rights, List<Network> networks, int connections, long bytesPerSecond) {
    /** All rights, from every address. */
    public static final Grant ALL = new Grant(Right.all(), List.of(), 0, 0);

    public Grant {
        rights = Set.copyOf(rights);
        networks = List.copyOf(networks);
        if (connections < 0 || bytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    "expected limits of 0 or more, found " + connections + ", " + bytesPerSecond);
        }
    }

    /** Whether a session may be opened from this address. */
    public boolean admits(InetAddress address) {
        return networks.isEmpty() || networks.stream().anyMatch(network -> network.contains(address));
    }

    /** Whether it has one of these rights; an empty set means that no right is needed. */
    public boolean hasOneOf(Set<Right> needed) {
        return needed.isEmpty() || needed.stream().anyMatch(rights::contains);
    }
}
