package io.tributary.node.reader;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Secret;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.replay.session.Peer;
import java.time.Duration;
import java.util.List;

/**
 * Nodes of which one is read, and the next one when it does not answer.
 *
 * @param addresses their MySQL ports, at least one
 * @param login the account on all of them
 * @param timeout how long a node may send nothing
 */
public record ReadNodes(List<HostPort> addresses, Login login, Duration timeout) {
    public ReadNodes {
        addresses = List.copyOf(addresses);
    }

    /**
     * An account.
     *
     * @param password null: none
     */
    public record Login(String user, Secret password, TlsMode tls) {
        /** This account on a server. */
        public Endpoint at(HostPort address) {
            return Endpoint.of(address.host(), address.port(), user, password == null ? "" : password.reveal())
                    .with(tls);
        }
    }

    /**
     * The node that is read next.
     *
     * @param turn 0 for the first address; after the last one the first one follows
     */
    public Peer node(int turn) {
        return Peer.node(login.at(addresses.get(Math.floorMod(turn, addresses.size()))), timeout);
    }

    /**
     * The turn of a node.
     *
     * @return -1 if it is not one of these nodes with this account
     */
    int turnOf(Peer node) {
        for (int turn = 0; turn < addresses.size(); turn++) {
            if (node(turn).equals(node)) {
                return turn;
            }
        }
        return -1;
    }
}
