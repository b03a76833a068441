package io.tributary.extractor.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.ExtractorRig;
import io.tributary.extractor.SchemaFilter;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardLogin;
import io.tributary.extractor.ShardServers;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlUser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The check of shards reports all problems at once. */
public class ShardCheckTest {
    private static final EventLoopGroup GROUP = ExtractorRig.newGroup();
    private static MysqlServers servers;

    @BeforeAll
    static void startServers() throws Exception {
        servers = MysqlServers.start(List.of(
                MysqlOptions.named("fit"),
                MysqlOptions.named("unfit")
                        .with(
                                "--binlog-format=MIXED",
                                "--binlog-row-image=MINIMAL",
                                "--binlog-row-metadata=MINIMAL",
                                "--gtid-mode=OFF_PERMISSIVE",
                                "--enforce-gtid-consistency=WARN",
                                "--binlog-expire-logs-seconds=60")));
        MysqlUser.tributary().createForTributary(servers.get(0));
        new MysqlUser("poor", "pw", MysqlUser.CACHING_SHA2).create(servers.get(1), "SELECT ON d.*");
    }

    @AfterAll
    static void stopServers() {
        servers.close();
        GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static ShardCheck.Report check(Map<String, ShardConfig> shards, Map<String, ShardCut> cuts) {
        return new ShardCheck(new MysqlClient(GROUP)).check(shards, cuts);
    }

    private static ShardConfig fit() {
        return ExtractorRig.shard(servers.get(0).port());
    }

    private static ShardConfig unfit() {
        return ShardConfig.of("127.0.0.1", servers.get(1).port(), "poor", "pw");
    }

    @Test
    void findsNoProblemOnAFitShard() throws Exception {
        ShardCheck.Report report = check(Map.of("s1", fit()), Map.of());
        assertEquals(List.of(), report.problems());
        assertTrue(report.isFit());
        report.requireFit();
        ShardCut first = report.facts().get("s1").firstCut("s1", fit());
        assertEquals(servers.get(0).uuid(), first.serverUuid());
        assertEquals(GtidSet.EMPTY, first.resume());
    }

    @Test
    void findsAllProblemsAtOnce() {
        Map<String, ShardConfig> shards = new LinkedHashMap<>();
        shards.put("s1", fit());
        shards.put("s2", unfit());
        shards.put("s3", ShardConfig.of("127.0.0.1", 1, "nobody", "pw"));
        shards.put("s4", ShardConfig.of("127.0.0.1", servers.get(0).port(), "tributary", "wrong"));
        shards.put("s5", fit());
        ShardCheck.Report report = check(shards, Map.of());
        List<String> found = report.problems().stream()
                .map(problem -> problem.shard() + " " + problem.what())
                .toList();
        assertEquals(
                List.of(
                        "s2 binlog_format",
                        "s2 binlog_row_image",
                        "s2 enforce_gtid_consistency",
                        "s2 gtid_mode",
                        "s2 binlog_row_metadata",
                        "s2 binlog_expire_logs_seconds",
                        "s2 REPLICATION SLAVE",
                        "s2 REPLICATION CLIENT",
                        "s2 SELECT",
                        "s2 tributary.heartbeat",
                        "s3 connection",
                        "s4 login",
                        "s5 server_uuid"),
                found);
        assertFalse(report.isFit());
        TributaryException e = assertThrows(TributaryException.class, report::requireFit);
        assertEquals(ErrorCode.SHARD_UNFIT, e.code());
        assertEquals(10, e.getMessage().lines().count());
        assertTrue(e.getMessage().contains("GRANT REPLICATION SLAVE ON *.* TO 'poor'@'%'"), e.getMessage());
        assertFalse(e.getMessage().contains("wrong"), e.getMessage());
    }

    @Test
    void seesAllTablesOnlyWithSelectOnAllOfThem() throws Exception {
        MysqlServer server = servers.get(0);
        String others = "REPLICATION SLAVE, REPLICATION CLIENT ON *.*";
        String own = "CREATE, ALTER, SELECT, INSERT, UPDATE, DELETE ON tributary.*";
        MysqlUser none = new MysqlUser("selects_nothing", "pw", MysqlUser.CACHING_SHA2).create(server, others, own);
        MysqlUser all = new MysqlUser("may_all", "pw", MysqlUser.CACHING_SHA2).create(server, "ALL ON *.*");
        server.execute("CREATE ROLE readers", "GRANT SELECT ON *.* TO readers");
        MysqlUser role =
                new MysqlUser("has_a_role", "pw", MysqlUser.CACHING_SHA2).create(server, others, own, "readers");
        List<ShardProblem> problems =
                check(Map.of("s1", as(none, server)), Map.of()).problems();
        assertEquals(1, problems.size(), problems::toString);
        assertEquals(
                "GRANT SELECT ON *.* TO 'selects_nothing'@'%'", problems.get(0).remedy());
        assertTrue(problems.get(0).isWarning());
        assertEquals(List.of(), check(Map.of("s1", as(all, server)), Map.of()).problems());
        assertEquals(List.of(), check(Map.of("s1", as(role, server)), Map.of()).problems());
    }

    private static ShardConfig as(MysqlUser user, MysqlServer server) {
        return ShardConfig.of("127.0.0.1", server.port(), user.name(), user.password());
    }

    @Test
    void warnsOfTablesThatAreLeftOutOrNotReplicatedExactly() throws Exception {
        MysqlServer server = servers.get(0);
        server.execute(
                "CREATE DATABASE shop",
                "CREATE DATABASE away",
                "CREATE TABLE shop.t (a INT)",
                "CREATE TABLE shop._t_gho (a INT)",
                "CREATE TABLE shop._u_gho (a INT)",
                "CREATE TABLE away._v_gho (a INT) ENGINE = MEMORY",
                "CREATE VIEW shop._w_gho AS SELECT * FROM shop.t");
        for (int i = 0; i < 7; i++) {
            server.execute("CREATE TABLE shop.m" + i + " (a INT) ENGINE = MEMORY");
        }
        UnreplicatedTables.Kept kept = new UnreplicatedTables.Kept(
                new SchemaFilter(List.of("mysql", "sys", "performance_schema", "information_schema", "away")),
                name -> name.matches("_.*_gho") ? Optional.of(name.substring(1, name.length() - 4)) : Optional.empty());
        try {
            ShardCheck.Report report =
                    new ShardCheck(new MysqlClient(GROUP), Optional.of(kept)).check(Map.of("s1", fit()), Map.of());
            assertTrue(report.isFit());
            List<ShardProblem> problems = report.problems();
            assertEquals(
                    List.of("ddl.hidden", "ENGINE"),
                    problems.stream().map(ShardProblem::what).toList());
            String hidden = problems.get(0).found();
            assertTrue(hidden.startsWith("shop._u_gho (there is no shop.u), shop._t_gho (beside shop.t): "), hidden);
            String memory = problems.get(1).found();
            assertTrue(memory.startsWith("shop.m0, shop.m1, shop.m2, shop.m3, shop.m4 and 2 more with "), memory);
        } finally {
            server.execute("DROP DATABASE shop", "DROP DATABASE away");
        }
    }

    /** A shard on two ports of this machine. */
    public static ShardConfig several(int port, int standby) {
        ShardConfig usual = ExtractorRig.shard(port);
        return new ShardConfig(
                new ShardServers(
                        usual.host(),
                        port,
                        List.of(new HostPort(usual.host(), standby)),
                        usual.servers().rounds()),
                new ShardLogin(
                        usual.user(),
                        usual.login().password(),
                        usual.login().tls(),
                        usual.login().tlsAuthorities(),
                        usual.login().connectTimeout()),
                usual.start(),
                usual.skipAnonymous());
    }

    @Test
    void readsTheFirstFitServerOfSeveral() throws Exception {
        int port = servers.get(0).port();
        ShardCheck.Report report = check(Map.of("s1", several(1, port)), Map.of());
        report.requireFit();
        assertEquals(port, report.shards().get("s1").port());
        assertEquals(servers.get(0).uuid(), report.facts().get("s1").uuid());
        ShardCheck.Report first = check(Map.of("s1", several(port, 1)), Map.of());
        first.requireFit();
        assertEquals(port, first.shards().get("s1").port());
    }

    /** A server that does not answer now may be the primary, so it is tried again; the problems of the other one are reported. */
    @Test
    void namesEachServerWithItsProblemsIfNoneOfSeveralIsFit() {
        int port = servers.get(0).port();
        GtidSet foreign = GtidSet.parse("00000000-0000-4000-8000-00000000000f:1-7");
        ShardCut cut = ShardCut.unread("s1", "00000000-0000-4000-8000-00000000000f", foreign, foreign);
        TributaryException away = assertThrows(
                TributaryException.class,
                () -> check(Map.of("s1", several(port, 1)), Map.of("s1", cut)).requireFit());
        assertEquals(ErrorCode.SHARD_UNREACHABLE, away.code());
        assertTrue(away.getMessage().contains("shard s1 at 127.0.0.1:1: "), away::getMessage);
        assertTrue(away.getMessage().contains("shard s1 at 127.0.0.1:" + port + ": "), away::getMessage);
        assertTrue(away.getMessage().contains("without " + foreign.line()), away::getMessage);
        TributaryException lacking = assertThrows(
                TributaryException.class,
                () -> check(Map.of("s1", several(port, port)), Map.of("s1", cut))
                        .requireFit());
        assertEquals(ErrorCode.SHARD_SAME_SERVER, lacking.code());
    }

    @Test
    void aReadOnlyReplicaMayBecomeThePrimaryLater() throws Exception {
        int port = servers.get(0).port();
        servers.get(0).execute("SET GLOBAL read_only = ON");
        try {
            TributaryException failure = assertThrows(
                    TributaryException.class,
                    () -> check(Map.of("s1", several(port, port)), Map.of()).requireFit());
            assertEquals(ErrorCode.SHARD_UNREACHABLE, failure.code());
            assertTrue(failure.getMessage().contains("read_only: expected OFF"), failure::getMessage);
        } finally {
            servers.get(0).execute("SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void findsAnotherServerUnderTheSameName() {
        GtidSet foreign = GtidSet.parse("00000000-0000-4000-8000-00000000000f:1-7");
        ShardCut cut = ShardCut.unread("s1", "00000000-0000-4000-8000-00000000000f", foreign, foreign);
        ShardCheck.Report report = check(Map.of("s1", fit()), Map.of("s1", cut));
        assertEquals(ErrorCode.SHARD_SAME_SERVER, report.problems().get(0).code());
    }
}
