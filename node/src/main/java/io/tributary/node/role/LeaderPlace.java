package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.config.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;

/**
 * A leader, and where it is copied.
 *
 * @param at where its process listens while it leads
 */
record LeaderPlace(Leader leader, HostPort at) {
    private static final int KNOCK_MILLIS = 300;

    /** Whether the leader's machine says that no process listens there: of one that has listened, that it is gone. Takes 0.3 s at most. */
    boolean isRefused() {
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
