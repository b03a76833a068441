package io.tributary.node.replica;

import io.tributary.common.config.Config;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.SqlSession;
import io.tributary.serve.ServeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/** The check of the keys {@code verify.*}: whether they can be used, and whether the replicas can be compared. Reads only. */
public final class VerifyCheck {
    private final Config config;
    private final VerifyConfig keys;

    /** @param config of a node that stores binlog files */
    public VerifyCheck(Config config) {
        this.config = config;
        this.keys = config.get(VerifyConfig.class);
    }

    /** Keys that can never work: one line each. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (!keys.isOn()) {
            return problems;
        }
        if (keys.replicas().isEmpty()) {
            problems.add(
                    "verify.replica: expected the addresses of the replicas to compare (verify.every is set), found"
                            + " none | set it, such as 10.0.0.7:3306, or remove verify.every");
        }
        if (config.get(ServeConfig.class).password().isEmpty()) {
            problems.add("serve.password: expected the password of serve.user, because comparisons of replicas"
                    + " (verify.every) read from this node, found none | set it, or remove verify.every");
        }
        try {
            var unused = VerifyPlan.tables(keys);
        } catch (TributaryException e) {
            problems.add(e.getMessage());
        }
        return problems;
    }

    /** Replicas that cannot be compared now, which does not prevent a start: one line each. */
    public List<String> warnings(MysqlClient client) {
        List<String> warnings = new ArrayList<>();
        for (HostPort replica : keys.isOn() ? keys.replicas() : List.<HostPort>of()) {
            try (SqlSession session = SqlSession.open(client, VerifyPlan.replica(keys.endpoint(replica)))) {
                requireFit(session);
            } catch (TributaryException e) {
                warnings.add("verify.replica: warning: " + e.getMessage());
            } catch (CompletionException e) {
                warnings.add("verify.replica: warning: " + e.getCause().getMessage());
            }
        }
        return warnings;
    }

    private static void requireFit(SqlSession session) {
        if (session.isMariadb()) {
            throw session.unfit(ErrorCode.TARGET_UNFIT, "expected a MySQL server, found MariaDB");
        }
        String mode = session.value("SELECT @@GLOBAL.gtid_mode");
        if (!"ON".equals(mode)) {
            throw session.unfit(ErrorCode.TARGET_UNFIT, "expected gtid_mode=ON, found " + mode);
        }
        TableNames.missingSelect(session.connection()).join().ifPresent(statement -> {
            throw session.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected an account that may read every table, found one without SELECT ON *.*; an administrator"
                            + " runs there: " + statement);
        });
    }
}
