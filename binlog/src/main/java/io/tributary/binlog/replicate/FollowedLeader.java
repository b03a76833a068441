package io.tributary.binlog.replicate;

import io.tributary.common.config.HostPort;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The leader that a follower copies. */
public final class FollowedLeader {
    private final HostPort address;
    private final LongSupplier knownEpoch;
    private final Supplier<LeaderChannel> dial;

    FollowedLeader(HostPort address, LongSupplier knownEpoch, Supplier<LeaderChannel> dial) {
        this.address = address;
        this.knownEpoch = knownEpoch;
        this.dial = dial;
    }

    /**
     * A leader that is called over gRPC.
     *
     * @param knownEpoch the newest epoch that this node knows from any source; a leader of an older one is refused
     */
    public static FollowedLeader at(HostPort address, LongSupplier knownEpoch, ReplicationTransport transport) {
        return new FollowedLeader(address, knownEpoch, () -> new LeaderCall(transport, address));
    }

    HostPort address() {
        return address;
    }

    long knownEpoch() {
        return knownEpoch.getAsLong();
    }

    /** Opens a call. */
    LeaderChannel dial() {
        return dial.get();
    }
}
