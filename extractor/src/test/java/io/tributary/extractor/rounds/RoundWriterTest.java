package io.tributary.extractor.rounds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ExtractorRig;
import io.tributary.extractor.RoundAuthor;
import io.tributary.extractor.SeenToken;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.ActiveWriterCheck;
import io.tributary.extractor.check.ShardCheckTest;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.alert.AlertCheck;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlUser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer of rounds against two real servers. */
class RoundWriterTest {
    private static final HeartbeatConfig QUICK = new HeartbeatConfig(Duration.ofMillis(20), Duration.ofMillis(2));
    private static final EventLoopGroup GROUP = ExtractorRig.newGroup();
    private static MysqlServers servers;

    @BeforeAll
    static void startServers() throws Exception {
        servers = MysqlServers.start("round1", "round2");
        for (MysqlServer server : servers) {
            MysqlUser.tributary().createForTributary(server);
        }
    }

    @AfterAll
    static void stopServers() {
        servers.close();
        GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static ExtractorConfig config(ShardConfig... shards) {
        Map<String, ShardConfig> named = new LinkedHashMap<>();
        for (ShardConfig shard : shards) {
            named.put("s" + (named.size() + 1), shard);
        }
        ExtractorConfig quick = ExtractorRig.config();
        return new ExtractorConfig(
                1,
                quick.payloadLimit(),
                quick.queue(),
                quick.heartbeat(),
                quick.reconnectMin(),
                quick.reconnectMax(),
                quick.filterSchemas(),
                quick.filterAccounts(),
                quick.ddlHidden(),
                named,
                Map.of());
    }

    private static ExtractorConfig both() {
        return config(
                ExtractorRig.shard(servers.get(0).port()),
                ExtractorRig.shard(servers.get(1).port()));
    }

    private static RoundWriter writer(ExtractorConfig config, HeartbeatConfig heartbeat, RoundRequest demand) {
        return writer(config, heartbeat, demand, new UUID(1, 1));
    }

    /** What the metrics show when the node's clock is behind by that much. */
    private static String shownBehind(Duration behind) {
        Metrics metrics = new Metrics();
        Clock clock = new Clock() {
            @Override
            public long nanoTime() {
                return SYSTEM.nanoTime();
            }

            @Override
            public long epochMicros() {
                return SYSTEM.epochMicros() - behind.toNanos() / 1_000;
            }
        };
        try (RoundWriter writer = new RoundWriter(
                new HeartbeatSessions(both(), new MysqlClient(GROUP), clock, metrics),
                QUICK,
                NewestRound.NONE,
                new RoundRequest(),
                RoundAuthor.here(new UUID(1, 1), QUICK.interval()))) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            if (!behind.isZero()) {
                runUntil(
                        writer,
                        () -> !metrics.scrape().contains("tributary_shard_clock_error_seconds{shard=\"s2\"} 0.0"));
            }
            return metrics.scrape();
        }
    }

    @Test
    void anAlertFiresWhenTheClocksOfNodeAndShardDiffer(@TempDir Path folder) throws Exception {
        new AlertCheck(folder)
                .shows(shownBehind(Duration.ZERO), Duration.ofMinutes(10))
                .fault()
                .shows(shownBehind(Duration.ofSeconds(3)), Duration.ofMinutes(10))
                .assertFires("TributaryShardClock");
    }

    private static RoundWriter writer(
            ExtractorConfig config, HeartbeatConfig heartbeat, RoundRequest demand, UUID author) {
        return new RoundWriter(
                new HeartbeatSessions(config, new MysqlClient(GROUP), Clock.SYSTEM, new Metrics()),
                heartbeat,
                NewestRound.NONE,
                demand,
                RoundAuthor.here(author, heartbeat.interval()));
    }

    private static void runUntil(RoundWriter writer, BooleanSupplier done) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!done.getAsBoolean()) {
            if (writer.doWork() == 0) {
                LockSupport.parkNanos(50_000);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("timed out, acknowledged " + writer.acknowledgedRound());
            }
        }
    }

    private static void write(RoundWriter writer, int rounds) {
        long last = writer.acknowledgedRound() + rounds;
        runUntil(writer, () -> writer.acknowledgedRound() >= last);
    }

    @Test
    void createsItsTableAndWritesRoundsThatTheExtractorReads() throws Exception {
        servers.get(0).execute("DROP DATABASE IF EXISTS tributary");
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest());
                ExtractorRig rig = ExtractorRig.afterNow(servers.get(0))) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            write(writer, 3);
            List<SeenToken> tokens = rig.readAll(servers.get(0));
            List<SeenToken> rounds = tokens.stream()
                    .filter(token -> token.kind() == TokenKind.ROUND)
                    .toList();
            assertTrue(rounds.size() >= 4, tokens.toString());
            for (int i = 1; i < rounds.size(); i++) {
                long before = rounds.get(i - 1).token().round();
                assertEquals(before + 1, rounds.get(i).token().round());
                assertEquals(before + 1, rounds.get(i).token().key() >>> Token.KEY_TIME_BITS);
            }
            assertEquals("1", servers.get(0).text("SELECT COUNT(*) FROM tributary.writer"));
            assertTrue(
                    tokens.stream()
                            .allMatch(token -> token.kind() == TokenKind.ROUND || token.kind() == TokenKind.SKIPPED),
                    "rows of tributary.heartbeat and tributary.writer are not in the output");
        }
    }

    @Test
    void passesTheCertainTsoToTheExtractorAlsoByATableOfAnEarlierVersion() throws Exception {
        servers.get(0)
                .execute(
                        "DROP DATABASE IF EXISTS tributary",
                        "CREATE DATABASE tributary",
                        "CREATE TABLE tributary.heartbeat (id INT NOT NULL PRIMARY KEY, epoch BIGINT UNSIGNED NOT NULL,"
                                + " round BIGINT UNSIGNED NOT NULL, clock BIGINT UNSIGNED NOT NULL)");
        long tso = 7L << 60;
        Cut start = Cut.beginning(List.of());
        RoundRequest demand = new RoundRequest();
        ExtractOrder order = ExtractOrder.tso(
                new TableName("tributary", "commit_tso"), Duration.ofSeconds(10), start, new RoundRequest());
        ShardConfig shard = ExtractorRig.shard(servers.get(0).port());
        ShardCut now = ExtractorRig.cut(ExtractorRig.executed(servers.get(0)));
        try (RoundWriter writer = writer(both(), QUICK, demand);
                ExtractorRig rig = ExtractorRig.of(shard, now, order)) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            demand.committed(tso);
            write(writer, 3);
            List<SeenToken> rounds = rig.readAll(servers.get(0)).stream()
                    .filter(token -> token.kind() == TokenKind.ROUND)
                    .toList();
            assertEquals(0, rounds.get(0).token().tso());
            Token last = rounds.get(rounds.size() - 1).token();
            assertEquals(-tso, last.tso());
            Token before = rounds.get(rounds.size() - 2).token();
            assertEquals(
                    before.before().executed().plus(before.sid(), before.gno()),
                    last.before().executed(),
                    "each contains the position before it in the log");
        }
    }

    @Test
    void isRefusedOnceAnotherWriterHasTakenOver() {
        try (RoundWriter old = writer(both(), QUICK, new RoundRequest());
                RoundWriter young = writer(both(), QUICK, new RoundRequest())) {
            runUntil(old, () -> old.epoch() > 0);
            write(old, 2);
            runUntil(young, () -> young.epoch() > 0);
            assertTrue(young.epoch() > old.epoch());
            write(young, 2);
            assertTrue(young.acknowledgedRound() > old.acknowledgedRound());
            TributaryException e = assertThrows(TributaryException.class, () -> write(old, 5));
            assertEquals(ErrorCode.ROUNDS_SUPERSEDED, e.code());
            write(young, 2);
        }
    }

    private static ActiveWriterCheck checker(UUID author, boolean isUnknownOther) {
        return new ActiveWriterCheck(new MysqlClient(GROUP), author, isUnknownOther);
    }

    /** Runs the writer until the other thread has checked. */
    private static CompletableFuture<Void> check(RoundWriter writer, ActiveWriterCheck checker) {
        CompletableFuture<Void> checked = CompletableFuture.runAsync(() -> checker.requireNone(both().shards()));
        runUntil(writer, checked::isDone);
        return checked;
    }

    @Test
    void refusesAnotherNodeWhileThisOneWrites() {
        UUID own = new UUID(7, 7);
        UUID other = new UUID(8, 8);
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest(), own)) {
            write(writer, 2);
            CompletionException e = assertThrows(CompletionException.class, check(writer, checker(other, true))::join);
            TributaryException refused = (TributaryException) e.getCause();
            assertEquals(ErrorCode.SHARDS_IN_USE, refused.code());
            assertTrue(refused.getMessage().contains("shard s1: ")
                    && refused.getMessage().contains(own.toString()));
            check(writer, checker(own, true)).join();
        }
        checker(other, true).requireNone(both().shards());
    }

    @Test
    void checksAllShardsAtTheSameTimeAndOneThatDoesNotAnswerAtItsNextServer() throws Exception {
        UUID own = new UUID(7, 7);
        ActiveWriterCheck checker = checker(new UUID(8, 8), true);
        Map<String, ShardConfig> shards = new LinkedHashMap<>();
        for (int i = 0; i < 6; i++) {
            shards.put("s" + i, ExtractorRig.shard(servers.get(i % 2).port()));
        }
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest(), own);
                TcpProxy closed = TcpProxy.to(servers.get(0).port()).refuse()) {
            write(writer, 2);
            long began = System.nanoTime();
            assertEquals(Map.of(), checker.find(shards), "its writer is dead");
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            assertTrue(millis < 6_000, "six shards of 2 s each took " + millis + " ms");

            ShardConfig two =
                    ShardCheckTest.several(closed.port(), servers.get(1).port());
            CompletableFuture<Map<String, String>> found =
                    CompletableFuture.supplyAsync(() -> checker.find(Map.of("moved", two)));
            runUntil(writer, found::isDone);
            assertTrue(found.join().get("moved").contains(own.toString()), found.join()::toString);
        }
    }

    @Test
    void roundsWithoutAnAuthorAreOfAnotherNodeOnlyOutsideACluster() throws Exception {
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest(), new UUID(7, 7))) {
            write(writer, 2);
            for (MysqlServer server : servers) {
                server.execute("DROP TABLE tributary.writer");
            }
            check(writer, checker(new UUID(7, 7), false)).join();
            assertThrows(CompletionException.class, check(writer, checker(new UUID(7, 7), true))::join);
        }
        try (RoundWriter next = writer(both(), QUICK, new RoundRequest(), new UUID(9, 9))) {
            write(next, 1);
            assertEquals(new UUID(9, 9).toString(), servers.get(0).text("SELECT author FROM tributary.writer"));
        }
    }

    @Test
    void beginsAtOnceWhenAStageWaits() {
        RoundRequest demand = new RoundRequest();
        HeartbeatConfig slow = new HeartbeatConfig(Duration.ofHours(1), Duration.ofMillis(2));
        try (RoundWriter writer = writer(both(), slow, demand)) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            long first = writer.acknowledgedRound();
            demand.request();
            runUntil(writer, () -> writer.acknowledgedRound() == first + 1);
            assertTrue(!demand.isRequested());
        }
    }

    @Test
    void repeatsARoundOverALostConnection() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(servers.get(1).port());
                RoundWriter writer = writer(
                        config(ExtractorRig.shard(servers.get(0).port()), ExtractorRig.shard(proxy.port())),
                        QUICK,
                        new RoundRequest())) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            for (int i = 0; i < 5; i++) {
                proxy.cut();
                write(writer, 2);
            }
            for (MysqlServer server : servers) {
                long round = Long.parseLong(server.text("SELECT round FROM tributary.heartbeat"));
                assertTrue(
                        round >= writer.acknowledgedRound() && round <= writer.begunRound(),
                        () -> round + " of " + writer.acknowledgedRound() + " to " + writer.begunRound());
            }
        }
    }

    @Test
    void passesOverAReadOnlyShardAndLaterWritesTheNewestRoundToIt() throws Exception {
        MysqlServer refusing = servers.get(1);
        Map<String, Boolean> reported = new LinkedHashMap<>();
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest())) {
            writer.passOver(reported::put);
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            refusing.execute("SET GLOBAL super_read_only = ON");
            long before = writer.begunRound();
            runUntil(writer, () -> writer.begunRound() > before + 20 && reported.getOrDefault("s2", false));
            assertEquals(List.of("s2"), List.copyOf(reported.keySet()));
            long there = Long.parseLong(refusing.text("SELECT round FROM tributary.heartbeat"));
            long elsewhere = Long.parseLong(servers.get(0).text("SELECT round FROM tributary.heartbeat"));
            assertTrue(there <= before + 1 && elsewhere > before + 15, there + " beside " + elsewhere);
            assertTrue(writer.acknowledgedRound() <= before + 1, "not every shard has it");

            refusing.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
            runUntil(writer, () -> writer.acknowledgedRound() > elsewhere);
            assertEquals(false, reported.get("s2"));
            long caughtUp = Long.parseLong(refusing.text("SELECT round FROM tributary.heartbeat"));
            assertTrue(caughtUp > elsewhere, caughtUp + " above " + elsewhere);
        } finally {
            refusing.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void allShardsWaitForAReadOnlyShardIfNoneIsPassedOver() throws Exception {
        MysqlServer refusing = servers.get(1);
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest())) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            refusing.execute("SET GLOBAL super_read_only = ON");
            long before = writer.begunRound();
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            runUntil(writer, () -> System.nanoTime() - until > 0);
            assertTrue(writer.begunRound() <= before + 1, writer.begunRound() + " after " + before);
            refusing.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
            write(writer, 5);
        } finally {
            refusing.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void createsADroppedTableAgainAndContinuesAboveItsRound() throws Exception {
        try (RoundWriter writer = writer(both(), QUICK, new RoundRequest())) {
            runUntil(writer, () -> writer.acknowledgedRound() > 0);
            servers.get(1).execute("DROP DATABASE tributary");
            write(writer, 3);
            for (MysqlServer server : servers) {
                assertTrue(Long.parseLong(server.text("SELECT round FROM tributary.heartbeat"))
                        >= writer.acknowledgedRound());
            }
        }
    }

    @Test
    void anIncludedShardGetsTheNextRoundAndRefusesOtherWriters() throws Exception {
        ShardConfig second = ExtractorRig.shard(servers.get(1).port());
        try (RoundWriter writer =
                        writer(config(ExtractorRig.shard(servers.get(0).port())), QUICK, new RoundRequest());
                RoundWriter other = writer(config(second), QUICK, new RoundRequest())) {
            write(other, 1);
            servers.get(1).execute("UPDATE tributary.heartbeat SET round = 1000000 WHERE id = 1");
            write(writer, 2);
            CompletableFuture<Void> included = writer.include("late", second);
            runUntil(writer, included::isDone);
            included.join();
            write(writer, 1);
            assertTrue(writer.acknowledgedRound() > 1_000_000, "above every number that was read");
            for (MysqlServer server : servers) {
                assertTrue(Long.parseLong(server.text("SELECT round FROM tributary.heartbeat")) > 1_000_000);
            }
            TributaryException e = assertThrows(TributaryException.class, () -> write(other, 5));
            assertEquals(ErrorCode.ROUNDS_SUPERSEDED, e.code());
        }
    }

    @Test
    void oneShardIsIncludedAtATime() {
        ShardConfig second = ExtractorRig.shard(servers.get(1).port());
        try (RoundWriter writer =
                writer(config(ExtractorRig.shard(servers.get(0).port())), QUICK, new RoundRequest())) {
            write(writer, 1);
            CompletableFuture<Void> first = writer.include("late", second);
            CompletableFuture<Void> another = writer.include("later", second);
            runUntil(writer, () -> first.isDone() && another.isDone());
            first.join();
            CompletionException refused = assertThrows(CompletionException.class, another::join);
            assertTrue(refused.getCause().getMessage().contains("shard late is being included"), refused.toString());
        }
    }

    @Test
    void aRefusalOfAShardThatIsIncludedDoesNotAffectTheOthers() throws Exception {
        new MysqlUser("denied", "pw", MysqlUser.NATIVE).create(servers.get(1), "REPLICATION SLAVE ON *.*");
        ShardConfig denied = ShardConfig.of("127.0.0.1", servers.get(1).port(), "denied", "pw");
        try (RoundWriter writer =
                writer(config(ExtractorRig.shard(servers.get(0).port())), QUICK, new RoundRequest())) {
            write(writer, 1);
            CompletableFuture<Void> included = writer.include("late", denied);
            runUntil(writer, included::isDone);
            CompletionException refused = assertThrows(CompletionException.class, included::join);
            assertEquals(ErrorCode.SHARD_UNFIT, ((TributaryException) refused.getCause()).code());
            write(writer, 2);
            CompletableFuture<Void> again =
                    writer.include("late", ExtractorRig.shard(servers.get(1).port()));
            runUntil(writer, again::isDone);
            again.join();
        }
    }

    @Test
    void writesNoRoundToAnExcludedShardAndWaitsForNone() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(servers.get(1).port());
                RoundWriter writer = writer(
                        config(ExtractorRig.shard(servers.get(0).port()), ExtractorRig.shard(proxy.port())),
                        QUICK,
                        new RoundRequest())) {
            write(writer, 2);
            proxy.refuse().cut(); // from now on no round is acknowledged there
            CompletableFuture<Void> excluded = writer.exclude("s2");
            runUntil(writer, excluded::isDone);
            write(writer, 3);
            long last = Long.parseLong(servers.get(1).text("SELECT round FROM tributary.heartbeat"));
            assertTrue(last < writer.acknowledgedRound() - 1, last + " of " + writer.acknowledgedRound());
        }
    }

    @Test
    void aShardThatIsExcludedDuringItsInclusionIsNotIncluded() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(servers.get(1).port());
                RoundWriter writer =
                        writer(config(ExtractorRig.shard(servers.get(0).port())), QUICK, new RoundRequest())) {
            write(writer, 1);
            int port = proxy.port();
            proxy.refuse(); // it cannot be reached
            CompletableFuture<Void> included = writer.include("late", ExtractorRig.shard(port));
            write(writer, 2);
            CompletableFuture<Void> excluded = writer.exclude("late");
            runUntil(writer, excluded::isDone);
            assertTrue(included.isCancelled());
            write(writer, 2);
        }
    }

    @Test
    void reportsTheStatementsThatAnAdministratorHasToRun() throws Exception {
        new MysqlUser("poor", "pw", MysqlUser.NATIVE).create(servers.get(0), "REPLICATION SLAVE ON *.*");
        ShardConfig poor = ShardConfig.of("127.0.0.1", servers.get(0).port(), "poor", "pw");
        try (RoundWriter writer = writer(config(poor), QUICK, new RoundRequest())) {
            TributaryException e = assertThrows(
                    TributaryException.class, () -> runUntil(writer, () -> writer.acknowledgedRound() > 0));
            assertEquals(ErrorCode.SHARD_UNFIT, e.code());
            assertTrue(e.getMessage().contains("CREATE TABLE IF NOT EXISTS tributary.heartbeat"), e.getMessage());
            assertTrue(e.getMessage().contains("GRANT"), e.getMessage());
        }
    }
}
