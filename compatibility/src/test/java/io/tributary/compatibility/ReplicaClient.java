package io.tributary.compatibility;

import io.tributary.testkit.Await;
import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.compare.TwinWorkload;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real server as a replica; what it has read is what stands in its tables. */
record ReplicaClient(MysqlRelease release, boolean byGtid, int workers, Variant variant) implements Client {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** What a replica is set to beyond the usual; the text is for the page. */
    enum Variant {
        PLAIN("", ""),
        ZLIB("zlib", "SOURCE_COMPRESSION_ALGORITHMS='zlib'"),
        ZSTD("zstd", "SOURCE_COMPRESSION_ALGORITHMS='zstd', SOURCE_ZSTD_COMPRESSION_LEVEL=7"),
        DELAYED("delayed", "SOURCE_DELAY=2"),
        GTID_ONLY("GTID_ONLY", "REQUIRE_ROW_FORMAT=1, GTID_ONLY=1"),
        FILTERED("filtered", ""),
        MULTI_SOURCE("multi-source", "");

        private final String words;
        private final String change;

        Variant(String words, String change) {
            this.words = words;
            this.change = change;
        }

        private String settings() {
            return switch (this) {
                case FILTERED -> "`replicate-wild-ignore-table=docs.%`; ";
                case MULTI_SOURCE -> "a second channel reads another server; ";
                default -> change.isEmpty() ? "" : "`" + change + "`; ";
            };
        }
    }

    ReplicaClient(MysqlRelease release, boolean byGtid, int workers) {
        this(release, byGtid, workers, Variant.PLAIN);
    }

    @Override
    public String name() {
        return release.isMariadb() ? "MariaDB replica" : "MySQL replica";
    }

    @Override
    public String mode() {
        return (byGtid ? "GTID, " : "position, ")
                + (workers == 1 ? "1 worker" : workers + " workers")
                + (variant == Variant.PLAIN ? "" : ", " + variant.words);
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
        return variant.settings() + settings
                + "; `max_allowed_packet` and `slave_max_allowed_packet` above the largest row";
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
        } else if (variant == Variant.FILTERED) {
            options = options.with("--replicate-wild-ignore-table=docs.%");
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
            if (variant == Variant.MULTI_SOURCE) {
                return withAnother(replica);
            }
            if (!variant.change.isEmpty()) {
                replica.stop();
                server.execute("CHANGE REPLICATION SOURCE TO " + variant.change);
                replica.start();
            }
            awaitAll(replica);
            return tables(server);
        }
    }

    /** Reads another server over a second channel at the same time. */
    private static Reading withAnother(MysqlReplica replica) throws SQLException {
        MysqlServer server = replica.server();
        try (MysqlServer other = MysqlServer.start(MysqlOptions.named("other"));
                Sql sql = server.sql()) {
            MysqlUser user = new MysqlUser("another", "another-secret", MysqlUser.CACHING_SHA2);
            user.create(other, "REPLICATION SLAVE ON *.*");
            server.execute(
                    "CHANGE REPLICATION SOURCE TO SOURCE_HOST='" + Source.HOST + "', SOURCE_PORT=" + other.port()
                            + ", SOURCE_USER='" + user.name() + "', SOURCE_PASSWORD='" + user.password()
                            + "', GET_SOURCE_PUBLIC_KEY=1, SOURCE_AUTO_POSITION=1 FOR CHANNEL 'other'",
                    "START REPLICA FOR CHANNEL 'other'");
            other.execute(
                    "CREATE DATABASE other",
                    "CREATE TABLE other.t (a INT PRIMARY KEY)",
                    "INSERT INTO other.t VALUES (7)");
            awaitAll(replica);
            Await.until(
                    "the row of the other source",
                    LIMIT,
                    () -> sql.number("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'other'") == 1
                            && sql.number("SELECT COUNT(*) FROM other.t") == 1);
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
