package io.tributary.compatibility;

import io.tributary.testkit.Await;
import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.compare.TwinWorkload;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real server as a replica; what it has read is what stands in its tables. */
record ReplicaClient(MysqlRelease release, boolean byGtid, int workers) implements Client {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(5);

    @Override
    public String name() {
        return release.isMariadb() ? "MariaDB replica" : "MySQL replica";
    }

    @Override
    public String mode() {
        return (byGtid ? "GTID, " : "position, ") + (workers == 1 ? "1 worker" : workers + " workers");
    }

    @Override
    public String version() {
        return release.distribution().version();
    }

    @Override
    public String settings() {
        String settings = release.isMariadb()
                ? "`serve.native-password=true` in Tributary; `replicate-wild-ignore-table` for tables with JSON columns, which it cannot"
                        + " read from MySQL; `slave_parallel_mode=optimistic`"
                : release.isMysqlFrom(80004)
                        ? "`GET_SOURCE_PUBLIC_KEY=1`; `replica_preserve_commit_order=ON` with 8 workers"
                        : "`serve.native-password=true` in Tributary; `slave_parallel_type=LOGICAL_CLOCK` and"
                                + " `slave_preserve_commit_order=ON` with 8 workers";
        return settings + "; `max_allowed_packet` and `slave_max_allowed_packet` above the largest row";
    }

    @Override
    public Compared compared() {
        return Compared.TABLES;
    }

    @Override
    public boolean isOld() {
        return !release.isMysqlFrom(80000);
    }

    @Override
    public Reading read(Source source) throws SQLException {
        MysqlOptions options = MysqlReplica.options(release, "replica", workers);
        if (release.isMariadb()) {
            options = options.with("--replicate-ignore-db=docs", "--replicate-wild-ignore-table=docs.%");
        }
        try (MysqlServer server = MysqlServer.start(options)) {
            MysqlReplica replica = new MysqlReplica(server);
            server.execute("SET GLOBAL max_allowed_packet = 1073741824");
            server.execute("SET GLOBAL slave_max_allowed_packet = 1073741824");
            String user = source.user().name();
            String password = source.user().password();
            if (byGtid) {
                replica.attachByGtid(Source.HOST, source.port(), user, password);
            } else {
                replica.attachByPosition(Source.HOST, source.port(), user, password, Source.FIRST_FILE, 4);
            }
            awaitAll(replica);
            return tables(server);
        }
    }

    private static void awaitAll(MysqlReplica replica) {
        Map<String, Long> since = new HashMap<>();
        Await.until(() -> "the replica to have read all: " + words(replica), LIMIT, () -> {
            if (hasAll(replica.server())) {
                return true;
            }
            String error = replica.error();
            if (error.isEmpty()) {
                since.clear();
            } else if (System.nanoTime() - since.computeIfAbsent("error", k -> System.nanoTime()) > GRACE.toNanos()) {
                throw new IllegalStateException(error.replaceAll("\\s*\\| log: .*", ""));
            }
            return false;
        });
    }

    private static boolean hasAll(MysqlServer server) throws SQLException {
        try (Sql sql = server.sql()) {
            return sql.number("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'shop'"
                                    + " AND table_name = 'done'")
                            == 1
                    && sql.number("SELECT COUNT(*) FROM " + TwinWorkload.DONE) == 1;
        }
    }

    private static String words(MysqlReplica replica) {
        try {
            return replica.status().toString();
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    /** Every row of every table; a table's rows stand for one transaction. */
    private static Reading tables(MysqlServer server) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Sql sql = server.sql()) {
            sql.execute("SET time_zone = '+00:00'");
            for (String schema : TwinWorkload.SCHEMAS) {
                for (Map<String, String> table : sql.rows("SELECT table_name AS name FROM information_schema.tables"
                        + " WHERE table_schema = '" + schema + "' ORDER BY table_name")) {
                    String name = schema + "." + table.get("name");
                    for (Map<String, String> row : sql.rows("SELECT * FROM " + name + " ORDER BY id")) {
                        lines.add("R\t" + name + "\t"
                                + String.join(
                                        "\t",
                                        row.values().stream()
                                                .map(String::valueOf)
                                                .toList()));
                    }
                    lines.add("T");
                }
            }
        }
        return Reading.parse(lines);
    }
}
