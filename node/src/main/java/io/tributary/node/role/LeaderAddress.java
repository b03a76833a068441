package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.LastLeader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;

/**
 * A leader, and where it is copied.
 *
 * @param at where its process listens while it leads
 */
record LeaderPlace(Leader leader, HostPort at) implements LastLeader.Place {
    private static final int KNOCK_MILLIS = 300;

    /** @throws TributaryException STREAM_BROKEN when it is not among the members */
    static LeaderPlace of(Leader leader, Members members) {
        return members.find(leader.node())
                .flatMap(Member::replicate)
                .map(at -> new LeaderPlace(leader, at))
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.STREAM_BROKEN,
                        "expected the leader " + leader.node() + " among the members, with an address; it has gone"));
    }

    /** Whether the leader's machine says that no process listens there: of one that has listened, that it is gone. Takes 0.3 s at most. */
    @Override
    public boolean isRefused() {
        try (Socket socket = new Socket()) {
            socket.connect(at.resolve(), KNOCK_MILLIS);
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
