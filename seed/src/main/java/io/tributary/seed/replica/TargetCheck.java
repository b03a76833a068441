package io.tributary.seed.replica;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The checks of a server before it is seeded. Each problem names what was expected, what was found, and the statement that corrects it. */
public final class TargetCheck {
    private static final String OWN_SCHEMAS =
            "('mysql', 'sys', 'performance_schema', 'information_schema', '" + TargetProgress.SCHEMA + "')";
    private static final int OLDEST = 50700;

    /** From this version on the rows of the replay have no GTIDs. */
    private static final int GTIDS_LATER = 80000;

    /** Statements that fail in any case, by the right without which they are denied. */
    private static final Map<String, String> TRIALS = Map.of(
            "CREATE", "CREATE TABLE tributary_none.t (id INT)",
            "ALTER", "ALTER TABLE tributary_none.t ADD c INT",
            "INDEX", "CREATE INDEX i ON tributary_none.t (id)",
            "DROP", "DROP TABLE tributary_none.t",
            "INSERT", "INSERT INTO tributary_none.t VALUES (1)",
            "UPDATE", "UPDATE tributary_none.t SET id = 1",
            "DELETE", "DELETE FROM tributary_none.t",
            "CREATE VIEW", "CREATE VIEW tributary_none.v AS SELECT 1",
            "TRIGGER", "CREATE TRIGGER tributary_none.g BEFORE INSERT ON tributary_none.t FOR EACH ROW SET @x = 1",
            "ALTER ROUTINE", "DROP PROCEDURE tributary_none.p");

    private static final MysqlError[] DENIED = {
        MysqlError.ER_DBACCESS_DENIED_ERROR,
        MysqlError.ER_TABLEACCESS_DENIED_ERROR,
        MysqlError.ER_COLUMNACCESS_DENIED_ERROR,
        MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
        MysqlError.ER_PROCACCESS_DENIED_ERROR
    };

    private final SqlSession target;
    private final List<String> problems = new ArrayList<>();

    /** @param target a session of the account that seeds; not owned */
    public TargetCheck(SqlSession target) {
        this.target = target;
    }

    /**
     * Checks the server.
     *
     * @param isResumed whether an earlier seed of the same stream has begun on it, so that it is not empty
     * @param newest the newest version of a shard
     * @throws TributaryException TARGET_UNFIT with all problems, TARGET_UNREACHABLE
     */
    public void require(boolean isResumed, ServerVersion newest) {
        if (target.isMariadb()) {
            throw target.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected a MySQL server, found MariaDB "
                            + target.connection().serverVersion()
                            + ": MariaDB cannot replay a transaction under its GTID and overwrite rows | seed a MySQL"
                            + " server, or load a dump of one");
        }
        version(newest);
        settings();
        if (isResumed) {
            new ReplicaStart(target, Clock.SYSTEM).reset();
        } else {
            empty();
            replica();
        }
        rights();
        if (!problems.isEmpty()) {
            throw target.unfit(ErrorCode.TARGET_UNFIT, String.join("\n  ", problems));
        }
    }

    private void version(ServerVersion newest) {
        ServerVersion own = ServerVersion.of(target.connection().serverVersion());
        if (own.number() < OLDEST) {
            problems.add(
                    "expected MySQL 5.7 or later, found " + target.connection().serverVersion());
        } else if (!newest.mariadb() && own.number() / 100 < newest.number() / 100) {
            problems.add("expected a version that is not older than the shards' (" + newest.number() / 10_000 + "."
                    + newest.number() / 100 % 100 + "), found "
                    + target.connection().serverVersion());
        }
    }

    private void settings() {
        require("gtid_mode", "ON", "restart the server with gtid_mode = ON and enforce_gtid_consistency = ON");
        require("enforce_gtid_consistency", "ON", "restart the server with enforce_gtid_consistency = ON");
        int version = ServerVersion.of(target.connection().serverVersion()).number();
        if (version < GTIDS_LATER && !"1".equals(target.value("SELECT @@GLOBAL.log_bin"))) {
            problems.add(
                    "expected log_bin = ON, found OFF: there MySQL 5.7 adds a GTID to gtid_executed before all rows of its"
                            + " transaction are replayed | restart the server with log_bin");
        }
        if ("0".equals(target.value("SELECT @@GLOBAL.server_id"))) {
            problems.add("expected a server_id, found 0 | SET GLOBAL server_id = a number that no other server has");
        }
        if (!"0".equals(target.value("SELECT @@GLOBAL.super_read_only"))) {
            problems.add("expected a server that can be written, found super_read_only = ON | SET GLOBAL"
                    + " super_read_only = OFF until it is seeded");
        }
    }

    private void require(String variable, String value, String remedy) {
        String found = target.value("SELECT @@GLOBAL." + variable);
        if (!value.equals(found)) {
            problems.add("expected " + variable + " = " + value + ", found " + found + " | " + remedy);
        }
    }

    private void empty() {
        QueryResult schemas = target.query(
                "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN " + OWN_SCHEMAS);
        if (!schemas.isEmpty()) {
            problems.add("expected a server without schemas, found "
                    + schemas.rows().stream().map(row -> row.text(0)).collect(Collectors.joining(", "))
                    + " | drop them, or seed another server");
        }
        GtidSet executed = GtidSet.parse(target.value("SELECT @@GLOBAL.gtid_executed"));
        if (!executed.isEmpty()) {
            problems.add("expected an empty gtid_executed, found " + executed.line() + " | " + resetStatement()
                    + ", if nothing else replicates from this server");
        }
    }

    private String resetStatement() {
        return ServerVersion.of(target.connection().serverVersion()).number() >= 80200
                ? "RESET BINARY LOGS AND GTIDS"
                : "RESET MASTER";
    }

    private void replica() {
        try {
            QueryResult status = target.query(ReplicaStart.statusStatement(target));
            if (!status.isEmpty()) {
                problems.add("expected a server that is not a replica, found that it is one | STOP "
                        + ReplicaStart.word(target) + "; RESET " + ReplicaStart.word(target) + " ALL");
            }
        } catch (MysqlServerError e) {
            problems.add("expected the right to see the state of replication, found: " + e.serverMessage()
                    + " | GRANT REPLICATION CLIENT, REPLICATION SLAVE ON *.* to the account");
        }
    }

    /** Tries the session settings that the copy and the replay need, and statements that change nothing: they name what does not exist. */
    private void rights() {
        List<String> missing = new ArrayList<>();
        new TreeMap<>(TRIALS).forEach((right, statement) -> {
            if (isDenied(statement)) {
                missing.add(right);
            }
        });
        if (problems.isEmpty() && isDenied("STOP " + ReplicaStart.word(target))) { // it is no replica
            missing.add("to start replication");
        }
        if (!missing.isEmpty()) {
            problems.add(
                    "expected the rights " + String.join(", ", missing) + " on all schemas, found none of them | use an"
                            + " account with ALL ON *.* WITH GRANT OPTION, such as root");
        }
        for (String setting : List.of("sql_log_bin = 0", "rbr_exec_mode = IDEMPOTENT", "gtid_next = AUTOMATIC")) {
            if (target.isRefused("SET SESSION " + setting, MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR)) {
                problems.add("expected the right to SET SESSION " + setting
                        + ", found none | use an account with ALL ON *.* WITH GRANT OPTION, such as root");
            }
        }
    }

    private boolean isDenied(String statement) {
        try {
            var unused = target.query(statement);
            return false;
        } catch (MysqlServerError e) {
            return e.is(DENIED);
        }
    }
}
