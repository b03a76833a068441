package io.tributary.node.reader;

import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks whether servers let a reader log in now. Reads only. */
public final class ReaderCheck {
    private ReaderCheck() {}

    /**
     * Nodes that do not answer now, or refuse the login, which does not prevent a start: one line each.
     *
     * @param key with the addresses of the nodes
     */
    public static List<String> warnings(String key, ReadNodes nodes, MysqlClient client) {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < nodes.addresses().size(); i++) {
            warning(key, nodes.node(i), client).ifPresent(warnings::add);
        }
        return warnings;
    }

    /** The same for one server. */
    public static Optional<String> warning(String key, Peer server, MysqlClient client) {
        try (SqlSession session = SqlSession.open(client, server)) {
            var unused = session.value("SELECT @@version");
            return Optional.empty();
        } catch (TributaryException e) {
            return Optional.of(key + ": warning: " + e.getMessage());
        }
    }
}
