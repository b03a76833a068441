package io.tributary.node.dumper;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;

/**
 * A leader and its address for followers.
 *
 * @param at address at which its process listens while it leads
 */
public record LeaderAddress(Leader leader, HostPort at) implements LeaderHistory.Place {
    private static final int CONNECT_MILLIS = 300;

    /** @throws TributaryException STREAM_BROKEN when it is not among the members */
    static LeaderAddress of(Leader leader, Members members) {
        return members.find(leader.node())
                .flatMap(ClusterMember::replicate)
                .map(at -> new LeaderAddress(leader, at))
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.STREAM_BROKEN,
                        "expected the leader " + leader.node() + " among the members with an address, found none"));
    }

    /** Whether the leader's machine refuses the connection: a process that listened there before is gone. Takes 0.3 s at most. */
    @Override
    public boolean isRefused() {
        try (Socket socket = new Socket()) {
            socket.connect(at.resolve(), CONNECT_MILLIS);
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
