package io.tributary.node.apply;

import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The check of the servers of an applier: whether it can log in to them now. Reads only. */
public final class ApplyCheck {
    private final ApplyConfig keys;

    /** @param config of a node with the role apply */
    public ApplyCheck(Config config) {
        this.keys = config.get(ApplyConfig.class);
    }

    /** Servers that do not answer now, or refuse the login, which does not prevent a start: one line each. */
    public List<String> warnings(MysqlClient client) {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < keys.from().addresses().size(); i++) {
            failure(client, keys.node(i)).ifPresent(line -> warnings.add("apply.nodes: warning: " + line));
        }
        failure(client, keys.target()).ifPresent(line -> warnings.add("apply.target: warning: " + line));
        return warnings;
    }

    private static Optional<String> failure(MysqlClient client, Peer server) {
        try (SqlSession session = SqlSession.open(client, server)) {
            var unused = session.value("SELECT @@version");
            return Optional.empty();
        } catch (TributaryException e) {
            return Optional.of(e.getMessage());
        }
    }
}
