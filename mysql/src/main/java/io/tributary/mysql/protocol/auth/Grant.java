package io.tributary.mysql.protocol.auth;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * What an account may do, from where, and how much.
 *
 * @param networks from where it may log in; none: from everywhere
 * @param connections sessions at the same time, of all hosts together; 0: as many as the server takes
 * @param bytesPerSecond of events, over all its dumps together; 0: as many as they take
 */
public record Grant(Set<Right> rights, List<Network> networks, int connections, long bytesPerSecond) {
    /** Everything, from everywhere. */
    public static final Grant ALL = new Grant(Right.all(), List.of(), 0, 0);

    public Grant {
        rights = Set.copyOf(rights);
        networks = List.copyOf(networks);
        if (connections < 0 || bytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    "expected limits of 0 or more, came " + connections + ", " + bytesPerSecond);
        }
    }

    /** Whether a session may be opened from there. */
    public boolean admits(InetAddress address) {
        return networks.isEmpty() || networks.stream().anyMatch(network -> network.contains(address));
    }

    /** Whether it has one of these rights; none asked for means that none is needed. */
    public boolean hasOneOf(Set<Right> needed) {
        return needed.isEmpty() || needed.stream().anyMatch(rights::contains);
    }
}
