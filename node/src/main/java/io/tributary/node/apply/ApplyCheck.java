package io.tributary.node.apply;

import io.tributary.common.config.Config;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.reader.ReaderCheck;
import java.util.ArrayList;
import java.util.List;

/** The check of the servers of an applier: whether it can log in to them now. Reads only. */
public final class ApplyCheck {
    private final ApplyConfig keys;

    /** @param config of a node with the role apply */
    public ApplyCheck(Config config) {
        this.keys = config.get(ApplyConfig.class);
    }

    /** Servers that do not answer now, or refuse the login, which does not prevent a start: one line each. */
    public List<String> warnings(MysqlClient client) {
        List<String> warnings = new ArrayList<>(ReaderCheck.warnings("apply.nodes", keys.nodes(), client));
        ReaderCheck.warning("apply.target", keys.target(), client).ifPresent(warnings::add);
        return warnings;
    }
}
