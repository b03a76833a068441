package io.tributary.extractor.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.LeftOutGtids;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ExtractorRig;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardLogin;
import io.tributary.extractor.ShardServers;
import io.tributary.extractor.stream.Extractor;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The additional checks of a real shard before a node starts. */
class ShardInspectionTest {
    private static final EventLoopGroup GROUP = ExtractorRig.newGroup();
    private static final UUID READER = Extractor.reader(ExtractorRig.CLUSTER, "s1");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static MysqlServer server;

    @BeforeAll
    static void start() throws Exception {
        server = MysqlServer.start(MysqlOptions.named("inspected"));
        MysqlUser.tributary().createForTributary(server);
        server.execute("CREATE DATABASE tributary", "CREATE DATABASE shop", "CREATE TABLE shop.t (a INT PRIMARY KEY)");
        for (String statement : HeartbeatTable.setup()) {
            server.execute(statement);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
        GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static List<ShardProblem> inspect(long serverId, Optional<TableName> marker, String begin) {
        return inspect(serverId, marker, begin, Map.of());
    }

    private static List<ShardProblem> inspect(
            long serverId, Optional<TableName> marker, String begin, Map<String, ShardCut> cuts) {
        ShardConfig usual = ExtractorRig.shard(server.port());
        ShardConfig config = new ShardConfig(
                new ShardServers(
                        usual.host(),
                        usual.port(),
                        usual.servers().standby(),
                        usual.servers().rounds()),
                new ShardLogin(
                        usual.user(),
                        usual.login().password(),
                        usual.login().tls(),
                        usual.login().tlsAuthorities(),
                        usual.login().connectTimeout()),
                begin,
                usual.skipAnonymous());
        MysqlClient client = new MysqlClient(GROUP);
        ShardCheck.Report report = new ShardCheck(client).check(Map.of("s1", config), cuts);
        return new ShardInspection(client, new ShardInspection.Node(serverId, Set.of(ExtractorRig.CLUSTER), marker))
                .inspect(report, cuts);
    }

    private static List<String> problems(long serverId, Optional<TableName> marker, String begin) {
        return inspect(serverId, marker, begin).stream()
                .map(ShardProblem::toString)
                .toList();
    }

    @Test
    void findsNoProblemOnAFitShard() {
        assertEquals(List.of(), problems(ExtractorRig.SERVER_ID, Optional.empty(), "latest"));
        assertEquals(List.of(), problems(ExtractorRig.SERVER_ID, Optional.empty(), "earliest"));
    }

    @Test
    void findsTheServerIdOfTheShard() {
        List<String> found = problems(server.serverId(), Optional.empty(), "earliest");
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).contains("found the shard's own server_id"), found::toString);
    }

    @Test
    void findsTheServerIdOfAReplicaExceptOfThisNode() throws SQLException {
        UUID other = UUID.fromString("00000000-0000-4000-8000-0000000000aa");
        try (BinlogStream dump = dump(8001, other)) {
            assertNotNull(dump);
            Await.until(
                    "the replica to be listed",
                    LIMIT,
                    () -> !problems(8001, Optional.empty(), "earliest").isEmpty());
            List<String> found = problems(8001, Optional.empty(), "earliest");
            assertTrue(found.get(0).contains("that of a replica of it")
                    && found.get(0).contains(other.toString()));
            assertEquals(List.of(), problems(8003, Optional.empty(), "earliest"));
        }
        try (BinlogStream dump = dump(8002, READER)) {
            assertNotNull(dump);
            Await.until("the node to be listed", LIMIT, () -> replicas().contains(READER.toString()));
            assertEquals(List.of(), problems(8002, Optional.empty(), "earliest"));
        }
    }

    /** Of what follows from now on: another test may have purged what was before. */
    private static BinlogStream dump(long serverId, UUID uuid) throws SQLException {
        MysqlConnection connection = new MysqlClient(GROUP)
                .connect(ExtractorRig.shard(server.port()).endpoint())
                .join();
        return connection
                .dump(BinlogDump.after(ExtractorRig.executed(server), serverId, uuid))
                .join();
    }

    @Test
    void aBranchThatStaysPreparedPreventsAStartAtLatest() throws SQLException {
        try (Sql session = server.sql()) {
            session.execute(
                    "XA START 'stays'", "INSERT INTO shop.t VALUES (1)", "XA END 'stays'", "XA PREPARE 'stays'");
        }
        try {
            List<ShardProblem> found = inspect(ExtractorRig.SERVER_ID, Optional.empty(), "latest");
            assertEquals(1, found.size(), found::toString);
            assertEquals(ErrorCode.BRANCHES_PREPARED, found.get(0).code());
            assertEquals(List.of(), problems(ExtractorRig.SERVER_ID, Optional.empty(), "earliest"));
        } finally {
            server.execute("XA ROLLBACK 'stays'");
        }
    }

    @Test
    void tsoOrderNeedsItsMarkerTable() throws SQLException {
        Optional<TableName> marker = Optional.of(new TableName("tributary", "commit_tso"));
        assertTrue(
                problems(ExtractorRig.SERVER_ID, marker, "earliest").toString().contains("found no such table"));
        server.execute("CREATE TABLE tributary.commit_tso (a VARCHAR(3) NOT NULL, tso BIGINT NOT NULL)");
        assertTrue(problems(ExtractorRig.SERVER_ID, marker, "earliest")
                .toString()
                .contains("found columns of other types"));
        server.execute(
                "DROP TABLE tributary.commit_tso", "CREATE TABLE tributary.commit_tso (tso BIGINT UNSIGNED NOT NULL)");
        assertEquals(List.of(), problems(ExtractorRig.SERVER_ID, marker, "earliest"));
        server.execute("DROP TABLE tributary.commit_tso");
    }

    @Test
    void findsOneAnonymousTransactionInAFileThatMustBeRead() throws SQLException {
        server.execute(
                "SET GLOBAL gtid_mode = ON_PERMISSIVE",
                "SET GLOBAL gtid_mode = OFF_PERMISSIVE",
                "INSERT INTO shop.t VALUES (7)",
                "SET GLOBAL gtid_mode = ON_PERMISSIVE",
                "SET GLOBAL gtid_mode = ON",
                "INSERT INTO shop.t VALUES (8)");
        for (String begin : List.of("earliest", "latest")) {
            List<String> found = problems(ExtractorRig.SERVER_ID, Optional.empty(), begin);
            assertEquals(begin.equals("earliest") ? 1 : 0, found.size(), found::toString);
            assertTrue(begin.equals("latest") || found.get(0).contains("anonymous transactions"), found::toString);
        }
        server.execute("FLUSH BINARY LOGS");
        assertEquals(List.of(), problems(ExtractorRig.SERVER_ID, Optional.empty(), "latest"));
        server.execute("PURGE BINARY LOGS TO '" + server.text("SHOW MASTER STATUS") + "'"); // for the other tests
        assertEquals(List.of(), problems(ExtractorRig.SERVER_ID, Optional.empty(), "earliest"));
    }

    /** The position of a cut is before a branch that is prepared, which may be in an older file. */
    @Test
    void findsAnAnonymousTransactionInAFileAfterThatOfTheCut() throws SQLException {
        List<String> status;
        try (Sql session = server.sql()) {
            status = List.copyOf(session.rows("SHOW MASTER STATUS").get(0).values());
        }
        GtidSet executed = GtidSet.parse(server.gtidExecuted());
        ResumePosition position = new ResumePosition(executed, status.get(0), Long.parseLong(status.get(1)));
        ShardCut cut = new ShardCut("s1", server.uuid(), position, executed, 0, 0, LeftOutGtids.NONE);
        server.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE"); // begins a file
        for (int id = 100; id < 130; id++) {
            server.execute("INSERT INTO shop.t VALUES (" + id + ")");
        }
        server.execute("SET gtid_next = 'ANONYMOUS'", "INSERT INTO shop.t VALUES (130)");
        String file = server.text("SHOW MASTER STATUS").split("\\s", 2)[0];
        server.execute("SET GLOBAL gtid_mode = ON");
        List<String> found = inspect(ExtractorRig.SERVER_ID, Optional.empty(), "latest", Map.of("s1", cut)).stream()
                .map(ShardProblem::toString)
                .toList();
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.get(0).contains("skip.anonymous = " + file), found::toString);
        server.execute(
                "FLUSH BINARY LOGS",
                "PURGE BINARY LOGS TO '" + server.text("SHOW MASTER STATUS").split("\\s", 2)[0] + "'");
    }

    @Test
    void writesNothingToTheBinlogInAnyFormat() throws SQLException {
        server.execute("SET GLOBAL binlog_format = STATEMENT");
        try {
            String at = position();
            var unused = inspect(ExtractorRig.SERVER_ID, Optional.empty(), "latest");
            assertEquals(at, position());
        } finally {
            server.execute("SET GLOBAL binlog_format = ROW");
        }
    }

    private static String replicas() throws SQLException {
        try (Sql session = server.sql()) {
            return session.rows("SHOW REPLICAS").toString();
        }
    }

    private static String position() throws SQLException {
        try (Sql session = server.sql()) {
            return session.rows("SHOW MASTER STATUS").toString();
        }
    }

    @Test
    void findsAReadOnlyShard() throws SQLException {
        for (String variable : List.of("read_only", "super_read_only", "transaction_read_only")) {
            server.execute("SET GLOBAL " + variable + " = ON");
            try {
                ShardCheck.Report report = new ShardCheck(new MysqlClient(GROUP))
                        .check(Map.of("s1", ExtractorRig.shard(server.port())), Map.of());
                assertEquals(1, report.problems().size(), () -> variable + ": " + report.problems());
                assertTrue(!report.isFit(), variable);
            } finally {
                server.execute("SET GLOBAL " + variable + " = OFF", "SET GLOBAL read_only = OFF");
            }
        }
    }
}
