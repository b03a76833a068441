package io.tributary.seed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.seed.folder.DumpFile;
import io.tributary.seed.folder.DumpFolder;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A source, which stands for the MySQL port of a node, and a target, with a schema d for each test. */
final class ReplayRig implements AutoCloseable {
    static final ReplayScope OVERWRITE = (table, transaction) -> RowTreatment.OVERWRITE;
    static final ReplayScope PLAIN = (table, transaction) -> RowTreatment.PLAIN;

    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final MysqlClient client = new MysqlClient(loop);
    private final MysqlServers servers;
    private final Set<TableName> dirty = new TreeSet<>(Comparator.comparing(TableName::toString));
    private final List<String> leftOut = new ArrayList<>();
    private long lastDefinition;
    private Sql source;
    private Sql target;
    private ReplayConfig config = ReplayConfig.of(4_000_000_001L, new UUID(4, 1));

    ReplayRig(String... targetOptions) {
        servers = MysqlServers.start(List.of(
                MysqlOptions.named("source"), MysqlOptions.named("target").with(targetOptions)));
    }

    /** Makes schema d with these tables on both servers; the copies are empty. */
    void begin(String... ddl) throws SQLException {
        close(source);
        close(target);
        source = servers.get(0).sql();
        target = servers.get(1).sql();
        dirty.clear();
        source.execute("DROP DATABASE IF EXISTS d", "CREATE DATABASE d", "USE d");
        target.execute("SET sql_log_bin = 0", "SET foreign_key_checks = 0");
        target.execute(
                "DROP DATABASE IF EXISTS tributary_seed", "DROP DATABASE IF EXISTS d", "CREATE DATABASE d", "USE d");
        source.execute(ddl);
        target.execute(ddl);
    }

    Sql source() {
        return source;
    }

    /** Its statements are not logged. */
    Sql target() {
        return target;
    }

    MysqlServer targetServer() {
        return servers.get(1);
    }

    void sessions(int number) {
        config = config.withSessions(number);
    }

    void bytesInFlight(long bytes) {
        config = new ReplayConfig(config.sessions(), bytes, config.serverId(), config.uuid());
    }

    /** Opens the target's session again after a restart. */
    void reconnect() throws SQLException {
        target = servers.get(1).sql().execute("SET sql_log_bin = 0", "USE d");
    }

    /** What was executed up to here is not replayed. */
    void placeX() throws SQLException {
        place(executed());
    }

    /** These transactions are not replayed. */
    void place(GtidSet x) throws SQLException {
        target.execute("RESET MASTER", "SET GLOBAL gtid_purged = '" + x + "'");
    }

    /** Transactions that the source has executed. */
    GtidSet executed() throws SQLException {
        return GtidSet.parse(servers.get(0).gtidExecuted());
    }

    /** Reads rows as a chunk and writes them to the target, with what is there overwritten. */
    void copy(String table, String condition) throws SQLException {
        for (Map<String, String> row : source.rows("SELECT * FROM " + table + " WHERE " + condition)) {
            List<String> values = new ArrayList<>();
            row.values().forEach(value -> values.add(value == null ? "NULL" : "'" + value.replace("'", "''") + "'"));
            target.execute("REPLACE INTO " + table + " VALUES (" + String.join(", ", values) + ")");
        }
    }

    /** The number of transactions that the target has executed, with those of its replay log. */
    long replayed() {
        try (Sql sql = servers.get(1).sql()) {
            GtidSet replayed = GtidSet.parse(sql.text("SELECT @@GLOBAL.gtid_executed"));
            String isMade = "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'replayed'";
            if (sql.number(isMade) > 0) {
                for (Map<String, String> row : sql.rows("SELECT gtids FROM tributary_seed.replayed")) {
                    replayed = replayed.union(GtidSet.parse(row.get("gtids")));
                }
            }
            return replayed.count();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Replays up to what the source has executed. */
    ReplayResult replay(ReplayScope scope) throws SQLException {
        return replay(executed(), scope);
    }

    ReplayResult replay(GtidSet upTo, ReplayScope scope) {
        return replay(upTo, scope, (tables, transaction) -> dirty.addAll(tables));
    }

    ReplayResult replay(GtidSet upTo, ReplayScope scope, ReplayListener listener) {
        return new Replay(client, peer(0), writers(), config, Clock.SYSTEM).run(upTo, scope, listener, threads);
    }

    /** Begins a seed of the target. */
    TargetWriters writers() {
        try (SqlSession control = SqlSession.open(client, peer(1))) {
            control.run("SET SESSION sql_log_bin = 0");
            return TargetWriters.begin(client, control);
        }
    }

    /** Writes the replay after these transactions into a file, and loads it with the mysql client as often as given. */
    Set<TableName> replayByFile(GtidSet after, ReplayScope scope, int times) throws SQLException, IOException {
        Path path = Files.createTempDirectory("tributary-replay-");
        try (DumpFile file = DumpFolder.begin(path).file("replay.sql")) {
            ReplayScript script = new ReplayScript(
                    new ReplayScript.Origin(client, peer(0), config, Clock.SYSTEM),
                    file,
                    (schema, transaction) -> List.of(),
                    table -> true,
                    (statement, transaction) -> leftOut.add(statement));
            Set<TableName> changed =
                    script.append(after, executed(), scope, (tables, transaction) -> dirty.addAll(tables));
            script.end();
            file.complete();
            for (int i = 0; i < times; i++) {
                MysqlTools.Outcome outcome = MysqlTools.cached().load(servers.get(1), path.resolve("replay.sql"));
                assertEquals(0, outcome.status(), outcome.output());
            }
            assertEquals(after, GtidSet.parse(targetServer().gtidExecuted()), "gtid_executed");
            place(executed());
            lastDefinition = script.lastDefinition();
            return changed;
        } finally {
            Folders.delete(path);
        }
    }

    /** The last transaction with a definition in the last file. */
    long lastDefinition() {
        return lastDefinition;
    }

    /** Statements that were not written into files. */
    List<String> leftOut() {
        return leftOut;
    }

    private Peer peer(int server) {
        MysqlServer one = servers.get(server);
        Endpoint endpoint = Endpoint.of(one.host(), one.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
        return server == 0
                ? Peer.node(endpoint, Duration.ofSeconds(30))
                : Peer.target(endpoint, Duration.ofSeconds(30));
    }

    /** The tables that the replay reported. */
    Set<TableName> dirty() {
        return Set.copyOf(dirty);
    }

    /** The target has executed what the source has, and the tables have the same rows and definitions. */
    void assertEqual(String... tables) throws SQLException {
        assertEquals(executed(), GtidSet.parse(targetServer().gtidExecuted()).intersect(executed()), "gtid_executed");
        for (String table : tables) {
            assertEquals(
                    checksum(source, table),
                    checksum(target, table),
                    () -> table + ": " + rows(source, table) + " / " + rows(target, table));
            assertEquals(source.rows("SHOW CREATE TABLE " + table), target.rows("SHOW CREATE TABLE " + table));
        }
    }

    private static String checksum(Sql sql, String table) throws SQLException {
        return sql.rows("CHECKSUM TABLE " + table + " EXTENDED").get(0).get("Checksum");
    }

    static String rows(Sql sql, String table) {
        try {
            return sql.rows("SELECT * FROM " + table + " ORDER BY 1 LIMIT 20").toString();
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    private static void close(Sql sql) throws SQLException {
        if (sql != null) {
            sql.close();
        }
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        servers.close();
    }
}
