package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoopGroup;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.TokenKind;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.extractor.check.ShardProblem;
import io.tributary.extractor.rounds.HeartbeatConfig;
import io.tributary.extractor.rounds.HeartbeatSessions;
import io.tributary.extractor.rounds.NewestRound;
import io.tributary.extractor.rounds.RoundWriter;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A read-only replica is read, and rounds are written to its primary. */
class RoundsElsewhereTest {
    private static final EventLoopGroup GROUP = ExtractorRig.newGroup();
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static MysqlServer primary;
    private static MysqlServer replica;

    @BeforeAll
    static void startServers() throws Exception {
        primary = MysqlServer.start(MysqlOptions.named("primary"));
        replica = MysqlServer.start(MysqlReplica.options("behind", 4));
        MysqlUser user = MysqlUser.tributary();
        user.createForTributary(primary);
        new MysqlReplica(replica).attachByGtid("127.0.0.1", primary.port(), user.name(), user.password());
        awaitReplica();
        user.createForTributary(replica);
        replica.execute("SET GLOBAL super_read_only = ON");
    }

    @AfterAll
    static void stopServers() {
        replica.close();
        primary.close();
        GROUP.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static void awaitReplica() throws Exception {
        new MysqlReplica(replica).awaitGtids(primary.gtidExecuted(), LIMIT);
    }

    private static ShardConfig shard(boolean hasRounds, String start) {
        ShardConfig usual = ExtractorRig.shard(replica.port());
        return new ShardConfig(
                new ShardServers(
                        usual.host(),
                        usual.port(),
                        usual.servers().standby(),
                        hasRounds ? Optional.of(new HostPort("127.0.0.1", primary.port())) : Optional.empty()),
                new ShardLogin(
                        usual.user(),
                        usual.login().password(),
                        usual.login().tls(),
                        usual.login().tlsAuthorities(),
                        usual.login().connectTimeout()),
                start,
                usual.skipAnonymous());
    }

    private static List<ShardProblem> problems(ShardConfig config) {
        return new ShardCheck(new MysqlClient(GROUP))
                .check(Map.of("s1", config), Map.of()).problems().stream()
                        .filter(problem -> !problem.isWarning())
                        .toList();
    }

    @Test
    void acceptsAReadOnlyReplicaIfRoundsAreWrittenToItsPrimary() throws Exception {
        assertEquals(List.of(), problems(shard(true, "earliest")));
        assertTrue(problems(shard(false, "earliest")).get(0).toString().contains("heartbeat rounds cannot be written"));
        primary.execute("SET GLOBAL super_read_only = ON");
        try {
            assertTrue(problems(shard(true, "earliest")).toString().contains("heartbeat rounds cannot be written"));
        } finally {
            primary.execute("SET GLOBAL super_read_only = OFF", "SET GLOBAL read_only = OFF");
        }
    }

    @Test
    void refusesStartLatestOnAReplica() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> shard(true, "latest"));
        assertTrue(e.getMessage().contains("found latest"), e.getMessage());
    }

    @Test
    void roundsAreReadFromTheReplica() throws Exception {
        HeartbeatConfig quick = new HeartbeatConfig(Duration.ofMillis(20), Duration.ofMillis(2));
        ShardConfig shard = shard(true, "earliest");
        try (ExtractorRig rig = ExtractorRig.of(shard, ExtractorRig.cut(ExtractorRig.executed(replica)));
                RoundWriter writer = new RoundWriter(
                        new HeartbeatSessions(
                                ExtractorConfig.of(1, Map.of("s1", shard)),
                                new MysqlClient(GROUP),
                                Clock.SYSTEM,
                                new Metrics()),
                        quick,
                        NewestRound.NONE,
                        new RoundRequest(),
                        RoundAuthor.here(new UUID(1, 1), quick.interval()))) {
            long until = System.nanoTime() + LIMIT.toNanos();
            while (writer.acknowledgedRound() < 5) {
                if (writer.doWork() == 0) {
                    LockSupport.parkNanos(50_000);
                }
                assertTrue(System.nanoTime() - until < 0, () -> "round " + writer.acknowledgedRound());
            }
            awaitReplica();
            List<Long> rounds = rig.readAll(replica).stream()
                    .filter(token -> token.kind() == TokenKind.ROUND)
                    .map(token -> token.token().round())
                    .toList();
            assertTrue(rounds.containsAll(List.of(1L, 2L, 3L, 4L, 5L)), rounds.toString());
        }
    }
}
