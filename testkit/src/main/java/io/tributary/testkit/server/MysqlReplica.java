package io.tributary.testkit.server;

import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A test server in the role of a replica. The code that started the server owns it. */
public final class MysqlReplica {
    private final MysqlServer server;
    private final ReplicaWords words;

    public MysqlReplica(MysqlServer server) {
        this.server = server;
        this.words = ReplicaWords.of(server.release());
    }

    /** Options for a replica with this many parallel workers (0 or 1: one worker). */
    public static MysqlOptions options(String name, int workers) {
        return options(MysqlRelease.MYSQL_8_0_31, name, workers);
    }

    /** As above for another release. */
    public static MysqlOptions options(MysqlRelease release, String name, int workers) {
        MysqlOptions options = MysqlOptions.named(name).of(release).with("--skip-slave-start", "--relay-log=relay");
        if (release.isMariadb()) {
            return options.with("--slave-parallel-threads=" + workers, "--slave-parallel-mode=optimistic");
        }
        String word = release.isMysqlFrom(80026) ? "replica" : "slave";
        List<String> parallel = new ArrayList<>(List.of(
                "--" + word + "-parallel-workers=" + workers,
                "--" + word + "-preserve-commit-order=" + (workers > 1 ? "ON" : "OFF"),
                "--" + word + "-net-timeout=10"));
        if (!release.isMysqlFrom(90000)) {
            parallel.add("--" + word + "-parallel-type=LOGICAL_CLOCK");
        }
        return options.with(parallel.toArray(String[]::new));
    }

    public MysqlServer server() {
        return server;
    }

    /** Attaches by GTID auto position and starts. */
    public MysqlReplica attachByGtid(String host, int port, String user, String password) throws SQLException {
        return attach(host, port, user, password, words.source() + "_AUTO_POSITION=1");
    }

    /** Attaches by GTID auto position and only receives; it applies from {@link #start()} on. */
    public MysqlReplica receiveByGtid(String host, int port, String user, String password) throws SQLException {
        attach(host, port, user, password, words.source() + "_AUTO_POSITION=1", words.start() + " IO_THREAD");
        return this;
    }

    /** Attaches by file and position and starts. */
    public MysqlReplica attachByPosition(
            String host, int port, String user, String password, String file, long position) throws SQLException {
        String auto = server.release().isMariadb() ? "" : words.source() + "_AUTO_POSITION=0, ";
        String where = auto + words.source() + "_LOG_FILE='" + file + "', " + words.source() + "_LOG_POS=" + position;
        return attach(host, port, user, password, where);
    }

    /**
     * Attaches by GTID auto position to the first of several sources that accepts it, and starts. When it loses this source, it connects to the
     * next one by itself (MySQL 8.0.26 and later: asynchronous connection failover).
     */
    public MysqlReplica attachToOneOf(String host, List<Integer> ports, String user, String password)
            throws SQLException {
        server.execute("STOP REPLICA");
        for (int port : ports) {
            server.execute("SELECT asynchronous_connection_failover_add_source('', '" + host + "', " + port + ", '')");
        }
        server.execute(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST='" + host + "', SOURCE_PORT=" + ports.get(0)
                        + ", SOURCE_USER='" + user + "', SOURCE_PASSWORD='" + password
                        + "', GET_SOURCE_PUBLIC_KEY=1, SOURCE_AUTO_POSITION=1, SOURCE_CONNECTION_AUTO_FAILOVER=1"
                        + ", SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=1, SOURCE_HEARTBEAT_PERIOD=1",
                "START REPLICA");
        return this;
    }

    private MysqlReplica attach(String host, int port, String user, String password, String where) throws SQLException {
        return attach(host, port, user, password, where, words.start());
    }

    private MysqlReplica attach(String host, int port, String user, String password, String where, String start)
            throws SQLException {
        server.execute(
                words.stop(),
                words.change() + " " + words.source() + "_HOST='" + host + "', " + words.source() + "_PORT=" + port
                        + ", " + words.source() + "_USER='" + user + "', " + words.source() + "_PASSWORD='" + password
                        + "', " + words.publicKey() + words.source() + "_CONNECT_RETRY=1, " + words.retryCount()
                        + words.source() + "_HEARTBEAT_PERIOD=1, " + where,
                start);
        return this;
    }

    public void start() throws SQLException {
        server.execute(words.start());
    }

    public void stop() throws SQLException {
        server.execute(words.stop());
    }

    /** The row of SHOW REPLICA STATUS, with its new column names; empty if no source is configured. */
    public Map<String, String> status() throws SQLException {
        try (Sql sql = server.sql()) {
            List<Map<String, String>> rows = sql.rows(words.status());
            Map<String, String> named = new LinkedHashMap<>();
            rows.stream()
                    .limit(1)
                    .forEach(row -> row.forEach((name, value) ->
                            named.put(name.replace("Slave_", "Replica_").replace("Master_", "Source_"), value)));
            return named;
        }
    }

    /** The reason why the applier or the receiver stopped or cannot connect, with the log's last errors; empty if there is no error. */
    public String error() throws SQLException {
        Map<String, String> status = status();
        String errors = List.of("Last_IO_Error", "Last_SQL_Error").stream()
                .map(column -> status.getOrDefault(column, ""))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" | "));
        return errors.isEmpty() ? "" : errors + " | log: " + lastErrors();
    }

    /** Whether both threads run and the receiver is connected. */
    public boolean isRunning() throws SQLException {
        Map<String, String> status = status();
        return "Yes".equals(status.get("Replica_IO_Running")) && "Yes".equals(status.get("Replica_SQL_Running"));
    }

    /** Waits until the replica has applied all these GTIDs; fails at once, with the reason, if its applier stops. */
    public void awaitGtids(String gtids, Duration limit) {
        String query = "SELECT GTID_SUBSET('" + gtids.replace("\n", "") + "', @@gtid_executed)";
        try (Sql sql = server.sql()) {
            Await.until(() -> "replica " + server.name() + " to apply " + gtids + ": " + describe(), limit, () -> {
                if (sql.number(query) == 1) {
                    return true;
                }
                failIfStopped();
                return false;
            });
        } catch (SQLException e) {
            throw new IllegalStateException("replica " + server.name() + ": " + e.getMessage(), e);
        }
    }

    private void failIfStopped() throws SQLException {
        Map<String, String> status = status();
        String error = status.getOrDefault("Last_SQL_Error", "");
        boolean receiverGaveUp = "No".equals(status.get("Replica_IO_Running"))
                && !status.getOrDefault("Last_IO_Error", "").isEmpty();
        if (!error.isEmpty() || receiverGaveUp) {
            throw new IllegalStateException("replica " + server.name() + " stopped: " + error());
        }
    }

    private String describe() {
        try {
            return "found " + server.gtidExecuted() + ", receiver " + status().get("Replica_IO_Running") + ", applier "
                    + status().get("Replica_SQL_Running") + " " + error();
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    private String lastErrors() {
        try {
            List<String> errors = Files.readString(server.log())
                    .lines()
                    .filter(line -> line.contains("[ERROR]"))
                    .toList();
            return String.join(" | ", errors.subList(Math.max(0, errors.size() - 3), errors.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
