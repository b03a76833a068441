package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real ZooKeeper server in this process. */
class ZooKeeperCoordinatorTest {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Quorum TWO_OF_THREE = new Quorum(3, Acknowledgement.MAJORITY);

    @TempDir
    static Path folder;

    private static TestingServer server;
    private static int paths;

    private final Time time = new Time();
    private final String path = "/test/" + ++paths;
    private final List<ZooKeeperCoordinator> open = new ArrayList<>();

    /** A clock that the test advances. */
    private static final class Time implements Clock {
        private final AtomicLong now = new AtomicLong(1);

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public long epochMicros() {
            return 0;
        }

        /** The same clock on a machine with another date and another start of its counter. */
        Clock aheadBy(Duration difference) {
            return new Clock() {
                @Override
                public long nanoTime() {
                    return Time.this.nanoTime() + difference.toNanos();
                }

                @Override
                public long epochMicros() {
                    return difference.toNanos() / 1000;
                }
            };
        }

        void pass(Duration time) {
            now.addAndGet(time.toNanos());
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, 100, -1), true);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @AfterEach
    void close() {
        open.forEach(ZooKeeperCoordinator::close);
    }

    private ZooKeeperCoordinator node(String id, String cluster, Quorum quorum, Clock clock) {
        return node(id, cluster, quorum, clock, Optional.empty());
    }

    private ZooKeeperCoordinator node(
            String id, String cluster, Quorum quorum, Clock clock, Optional<ProcessIdentity> process) {
        CoordinationConfig config =
                TestCoordination.config(id, server.getConnectString(), path, LEASE, quorum.dumpers());
        ZooKeeperCoordinator made =
                new ZooKeeperCoordinator(config, new NodeIdentity(cluster, id, process), quorum, clock);
        open.add(made);
        return made;
    }

    private ZooKeeperCoordinator node(String id) {
        return node(id, "c", TWO_OF_THREE, time);
    }

    private static LogPosition at(long epoch, long offset) {
        return new LogPosition(CutEpoch.of(epoch), 1, offset, offset);
    }

    private static Optional<LeaderTerm> campaign(Coordinator node, LogPosition ours, Duration bound) {
        return node.campaign(ours, "copy of " + ours, bound);
    }

    private static void until(BooleanSupplier done) {
        long since = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertTrue(System.nanoTime() - since < TimeUnit.SECONDS.toNanos(20), "timed out");
            Thread.onSpinWait();
        }
    }

    private static ErrorCode refused(Runnable what) {
        return assertThrows(TributaryException.class, what::run).code();
    }

    @Test
    void electsTheLongestLogAsSoonAsThereAreEnoughCandidates() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        assertTrue(campaign(a, at(0, 200), Duration.ZERO).isEmpty());
        assertTrue(campaign(b, at(0, 100), Duration.ZERO).isEmpty());
        assertFalse(b.hasElected());
        LeaderTerm first = campaign(a, at(0, 200), Duration.ZERO).orElseThrow();
        assertTrue(b.hasElected());
        assertEquals(1, first.epoch());
        assertTrue(first.lease().holds());
        until(() -> b.leadership().leader().equals(Optional.of(new Leader("a", 1))));
        assertEquals(Optional.of(new Leader("a", 1)), b.readLeader());
        assertTrue(campaign(b, at(0, 900), Duration.ZERO).isEmpty(), "there is a leader");
        first.close();
        assertFalse(first.lease().holds());
        assertEquals(Optional.empty(), b.readLeader());
        a.withdraw();
        assertTrue(campaign(b, at(1, 100), Duration.ZERO).isEmpty(), "there is no other candidate");
        campaign(a, at(1, 50), Duration.ZERO);
        assertEquals(2, campaign(b, at(1, 100), Duration.ZERO).orElseThrow().epoch());
    }

    @Test
    void theNewestEpochIsKnownToAllAndStaysWithoutALeader() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        ZooKeeperCoordinator task = node("task");
        assertEquals(0, task.newestEpoch());
        campaign(b, at(7, 100), Duration.ZERO);
        assertEquals(0, task.newestEpoch(), "a candidate gets no epoch");
        LeaderTerm first = campaign(a, at(7, 200), Duration.ZERO).orElseThrow();
        assertEquals(8, first.epoch());
        assertEquals(8, task.newestEpoch());
        first.close();
        assertEquals(Optional.empty(), task.readLeader());
        assertEquals(8, task.newestEpoch());
    }

    @Test
    void exactlyOneWithTheLongestLogWinsForAllCandidatesInAnyOrder() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, ZooKeeperCoordinator> nodes = new HashMap<>();
        for (String id : List.of("a", "b", "c")) {
            nodes.put(id, node(id));
        }
        for (int round = 1; round <= 15; round++) {
            Map<String, LogPosition> positions = new HashMap<>();
            List<String> standing = new ArrayList<>(nodes.keySet());
            Collections.shuffle(standing, random);
            standing = standing.subList(0, 2 + random.nextInt(2));
            for (String id : standing) {
                positions.put(id, at(Math.max(1, round - random.nextInt(2)), 100 + random.nextInt(3)));
            }
            Map<String, LeaderTerm> terms = new HashMap<>();
            for (int turn = 0; terms.isEmpty(); turn++) {
                assertTrue(turn < 100, "seed " + seed);
                String id = standing.get(random.nextInt(standing.size()));
                campaign(nodes.get(id), positions.get(id), Duration.ZERO).ifPresent(term -> terms.put(id, term));
            }
            String winner = terms.keySet().iterator().next();
            long better = standing.stream()
                    .filter(id -> positions.get(id).compareTo(positions.get(winner)) > 0)
                    .count();
            // a Dumper that was no candidate yet may have more, but never two of three: two have all acknowledged cuts
            assertTrue(better <= standing.size() - TWO_OF_THREE.election(), "seed " + seed + " " + positions + winner);
            for (String id : standing) {
                assertTrue(
                        campaign(nodes.get(id), positions.get(id), Duration.ZERO)
                                .isEmpty(),
                        "seed " + seed);
                nodes.get(id).withdraw();
            }
            terms.get(winner).close();
        }
    }

    @Test
    void aTermThatItsNodeDoesNotKnowEndsWhenTheNodeIsACandidateAgain() {
        ZooKeeperCoordinator a = node("a", "c", new Quorum(1, Acknowledgement.LEADER), time);
        LeaderTerm lost = campaign(a, at(0, 100), Duration.ZERO).orElseThrow();
        lost.lease().end(); // without a change in ZooKeeper, as after a lost answer
        assertTrue(campaign(a, at(0, 100), Duration.ZERO).isEmpty());
        assertEquals(2, campaign(a, at(0, 100), Duration.ZERO).orElseThrow().epoch());
    }

    @Test
    void aLeaderIsNoCandidateWithItsPositionFromItsElection() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        campaign(b, at(0, 100), Duration.ZERO);
        LeaderTerm term = campaign(a, at(0, 200), Duration.ZERO).orElseThrow();
        term.close();
        assertTrue(campaign(b, at(0, 300), Duration.ZERO).isEmpty(), "it is the only candidate");
    }

    @Test
    void aCandidateWithANewPositionIsNotCountedWithItsOldOne() {
        ZooKeeperCoordinator b = node("b");
        Runnable[] meanwhile = {() -> {}};
        Clock between = new Clock() { // called when the candidates are known, before the election
                    @Override
                    public long nanoTime() {
                        Runnable now = meanwhile[0];
                        meanwhile[0] = () -> {};
                        now.run();
                        return time.nanoTime();
                    }

                    @Override
                    public long epochMicros() {
                        return 0;
                    }
                };
        ZooKeeperCoordinator a = node("a", "c", TWO_OF_THREE, between);
        campaign(b, at(0, 100), Duration.ZERO);
        meanwhile[0] = () -> {
            b.withdraw();
            assertTrue(campaign(b, at(0, 300), LEASE).isEmpty());
        };
        assertTrue(campaign(a, at(0, 200), Duration.ZERO).isEmpty(), "elected by the old position of b");
        time.pass(LEASE);
        assertTrue(campaign(b, at(0, 300), LEASE).isPresent());
    }

    @Test
    void waitsAsLongAsAnEarlierLeaderMayRelyOnACandidatesConfirmation() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        campaign(b, at(0, 100), LEASE);
        assertTrue(campaign(a, at(0, 200), Duration.ZERO).isEmpty());
        time.pass(LEASE.minusNanos(1));
        assertTrue(campaign(a, at(0, 200), Duration.ZERO).isEmpty());
        time.pass(Duration.ofNanos(1));
        assertTrue(campaign(a, at(0, 200), Duration.ZERO).isPresent());
    }

    @Test
    void doesNotWaitForALeaderWhoseFilesAnotherProcessHolds() throws Exception {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        b.campaign(at(0, 100), "files of b", Duration.ZERO);
        var unused = a.campaign(at(0, 200), "files of a", Duration.ZERO).orElseThrow();
        b.withdraw();
        a.expireSession(); // as when it was killed
        until(() -> b.readLeader().isEmpty());
        ZooKeeperCoordinator again = node("a");
        assertTrue(b.campaign(at(1, 100), "files of b", LEASE).isEmpty(), "it is the only candidate");
        assertTrue(again.campaign(at(1, 200), "files of a", LEASE).isEmpty(), "it ends its own term first");
        assertTrue(again.campaign(at(1, 200), "files of a", LEASE).isPresent());
    }

    /** The leader may still run: its folder was copied, but its lock was not. */
    @Test
    void aCopyOfTheLeadersFolderUnderAnotherNameIsNotTheLeader() throws Exception {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        b.campaign(at(0, 100), "files of b", Duration.ZERO);
        var unused = a.campaign(at(0, 200), "files of a", Duration.ZERO).orElseThrow();
        b.withdraw();
        a.expireSession();
        until(() -> b.readLeader().isEmpty());
        ZooKeeperCoordinator clone = node("d");
        for (int i = 0; i < 3; i++) {
            assertTrue(b.campaign(at(1, 100), "files of b", LEASE).isEmpty());
            assertTrue(clone.campaign(at(1, 200), "files of a", LEASE).isEmpty(), "it waits for the lease");
        }
        time.pass(LEASE);
        assertTrue(clone.campaign(at(1, 200), "files of a", LEASE).isPresent());
    }

    @Test
    void waitsForALeaderWhoseFilesNoProcessHolds() throws Exception {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        ZooKeeperCoordinator c = node("c");
        b.campaign(at(0, 100), "files of b", Duration.ZERO);
        var unused = a.campaign(at(0, 200), "files of a", Duration.ZERO).orElseThrow();
        b.withdraw();
        a.expireSession();
        until(() -> b.readLeader().isEmpty());
        for (int i = 0; i < 3; i++) {
            assertTrue(b.campaign(at(1, 100), "files of b", LEASE).isEmpty());
            assertTrue(c.campaign(at(1, 200), "files of c", LEASE).isEmpty());
        }
        time.pass(LEASE);
        assertTrue(c.campaign(at(1, 200), "files of c", LEASE).isPresent());
    }

    @Test
    void doesNotWaitForALeaderThatHasResigned() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        campaign(b, at(0, 100), Duration.ZERO);
        campaign(a, at(0, 200), Duration.ZERO).orElseThrow().close();
        b.withdraw();
        assertTrue(campaign(b, at(1, 100), LEASE).isEmpty(), "it is the only candidate");
        assertTrue(campaign(a, at(1, 200), LEASE).isPresent());
    }

    @Test
    void dumpersWhoseAcknowledgementsCountedAreTheVoters() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        b.campaign(at(0, 100), "b1", Duration.ZERO);
        LeaderTerm term = a.campaign(at(0, 200), "a1", Duration.ZERO).orElseThrow();
        assertEquals(Optional.empty(), term.voters());
        Voters voters = new Voters(2, Map.of("a", "a1", "b", "b1"));
        assertTrue(term.change(voters));
        assertEquals(Optional.of(voters), term.voters());
        assertEquals(Optional.of(voters), b.snapshot().voters());
        term.close();
        assertFalse(term.change(new Voters(2, Map.of("a", "a1"))), "it does not lead any more");
        assertEquals(Optional.of(voters), term.voters());
        b.withdraw();
        assertTrue(b.campaign(at(1, 100), "files that were created again", Duration.ZERO)
                .isEmpty());
        assertTrue(b.campaign(at(1, 100), "b1", Duration.ZERO).isPresent(), "one of two has everything");
    }

    /** Restored files are another copy, which no voter had: they count once the last voter is forgotten. */
    @Test
    void aClusterThatHasLostAllDumpersContinuesWithRestoredOnes() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        b.campaign(LogPosition.NOTHING, "b1", Duration.ZERO);
        LeaderTerm term = a.campaign(LogPosition.NOTHING, "a1", Duration.ZERO).orElseThrow();
        assertTrue(term.change(new Voters(2, Map.of("a", "a1", "b", "b1"))));
        term.close();
        b.campaign(at(1, 50), "b2", Duration.ZERO);
        assertTrue(a.campaign(at(1, 100), "a2", Duration.ZERO).isEmpty(), "neither is a voter");
        b.withdraw();
        a.withdraw();
        assertEquals(new Voters(1, Map.of("a", "a1")), a.forget("b", false));
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> a.forget("a", false)), "loss is not accepted");
        assertEquals(Map.of(), a.forget("a", true).byNode());
        assertEquals(Optional.empty(), a.snapshot().voters());
        b.campaign(LogPosition.NOTHING, "b3", Duration.ZERO);
        assertTrue(a.campaign(at(1, 100), "a2", Duration.ZERO).isEmpty(), "b has nothing, and does not count");
        b.withdraw();
        assertTrue(b.campaign(at(1, 50), "b2", Duration.ZERO).isEmpty(), "a has more");
        LeaderTerm next = a.campaign(at(1, 100), "a2", Duration.ZERO).orElseThrow();
        assertEquals(2, next.epoch(), "above all epochs that the shards know");
    }

    /** As docs/backup.md describes: shards that know newer leaders than the backup refuse all lower epochs. */
    @Test
    void theNextEpochIsAboveTheOneThatAnOperatorHasWritten() throws Exception {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        try (CuratorFramework cli = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1))) {
            cli.start();
            b.campaign(at(6, 50), "b1", Duration.ZERO);
            cli.setData().forPath(path + "/epoch", "epoch=9".getBytes(StandardCharsets.UTF_8));
            LeaderTerm term = a.campaign(at(6, 100), "a1", Duration.ZERO).orElseThrow();
            assertEquals(10, term.epoch());
        }
    }

    @Test
    void aLeaderReportsAnEpochWithoutAnElectionAndTheNextOneIsAboveIt() throws Exception {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        try (CuratorFramework cli = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1))) {
            cli.start();
            b.campaign(at(6, 50), "b1", Duration.ZERO);
            LeaderTerm term = a.campaign(at(6, 100), "a1", Duration.ZERO).orElseThrow();
            cli.setData().forPath(path + "/epoch", "epoch=99".getBytes(StandardCharsets.UTF_8));
            TributaryException over = endOf(term);
            assertEquals(ErrorCode.EPOCH_OVER, over.code(), over::toString);
            assertTrue(over.getMessage().contains("has epoch 99, which no election gave to a node"), over::getMessage);
            term.close();
            time.pass(LEASE.multipliedBy(2));
            assertEquals(
                    100,
                    a.campaign(at(7, 100), "a1", Duration.ZERO).orElseThrow().epoch());
        }
    }

    private TributaryException endOf(LeaderTerm term) {
        List<TributaryException> ended = new ArrayList<>();
        try (Stage pulse = term.pulse()) {
            Await.until("the end of the term", Duration.ofSeconds(20), () -> {
                try {
                    time.pass(LEASE.dividedBy(20));
                    pulse.doWork();
                } catch (TributaryException e) {
                    ended.add(e);
                }
                return !ended.isEmpty();
            });
        }
        return ended.get(0);
    }

    @Test
    void anInvalidEpochIsReportedAndRepairedAtAnOperatorsRequest() throws Exception {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        try (CuratorFramework cli = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1))) {
            cli.start();
            b.campaign(at(6, 50), "b1", Duration.ZERO);
            LeaderTerm term = a.campaign(at(6, 100), "a1", Duration.ZERO).orElseThrow();
            assertTrue(term.change(new Voters(2, Map.of("a", "a1", "b", "b1"))));
            assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(a::repairEpoch), "it is valid");
            for (String broken : List.of("epoch=many", "epoch=-1", "epoch=" + Long.MAX_VALUE)) {
                cli.setData().forPath(path + "/epoch", broken.getBytes(StandardCharsets.UTF_8));
                assertEquals(ErrorCode.CLUSTER_DAMAGED, refused(a::newestEpoch), broken);
                assertEquals(ErrorCode.CLUSTER_DAMAGED, refused(a::hasElected), broken);
            }
            term.close();
            assertEquals(
                    ErrorCode.CLUSTER_DAMAGED,
                    refused(() -> a.campaign(at(7, 100), "a1", Duration.ZERO)),
                    "but it is a candidate");
            b.withdraw();
            assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(a::repairEpoch), "b may have a newer epoch");
            assertEquals(ErrorCode.CLUSTER_DAMAGED, refused(() -> b.campaign(at(8, 50), "b1", Duration.ZERO)));
            assertEquals(1008, a.repairEpoch());
            time.pass(LEASE.multipliedBy(2));
            assertTrue(a.campaign(at(7, 100), "a1", Duration.ZERO).isEmpty(), "b has the longest log");
            assertEquals(
                    1009,
                    b.campaign(at(8, 50), "b1", Duration.ZERO).orElseThrow().epoch());
        }
    }

    @Test
    void continuesWithoutLostDumpersAtAnOperatorsRequest() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> a.forget("b", true)), "nothing was acknowledged");
        b.campaign(at(0, 100), "b1", Duration.ZERO);
        LeaderTerm term = a.campaign(at(0, 200), "a1", Duration.ZERO).orElseThrow();
        assertTrue(term.change(new Voters(2, Map.of("a", "a1", "b", "b1", "c", "c1"))));
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> a.forget("c", true)), "there is a leader");
        term.close();
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> a.forget("d", true)), "it is unknown");
        b.withdraw();
        assertEquals(new Voters(1, Map.of("a", "a1", "b", "b1")), a.forget("c", false));
        assertTrue(a.campaign(at(1, 200), "a1", Duration.ZERO).isEmpty(), "c and b may have what a has not");
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> a.forget("b", false)));
        assertEquals(new Voters(1, Map.of("a", "a1")), a.forget("b", true));
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> a.forget("a", false)), "it is the last");
        assertTrue(a.campaign(at(1, 200), "a1", Duration.ZERO).isPresent());
    }

    @Test
    void aDumperThatIsTooManyFailsAndTheOthersElect() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        ZooKeeperCoordinator c = node("c");
        ZooKeeperCoordinator d = node("d");
        b.campaign(at(0, 100), "b1", Duration.ZERO);
        LeaderTerm term = a.campaign(at(0, 200), "a1", Duration.ZERO).orElseThrow();
        assertTrue(term.change(new Voters(2, Map.of("a", "a1", "b", "b1", "c", "c1"))));
        b.withdraw();
        term.close();
        assertTrue(a.campaign(at(1, 200), "a1", Duration.ZERO).isEmpty(), "there is no other candidate yet");
        assertTrue(b.campaign(at(1, 100), "b1", Duration.ZERO).isEmpty());
        assertTrue(c.campaign(at(1, 100), "c1", Duration.ZERO).isEmpty());
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> d.campaign(at(1, 300), "d1", Duration.ZERO)));
        assertTrue(b.campaign(at(1, 100), "b1", Duration.ZERO).isEmpty(), "it waits for the longest log");
        assertTrue(a.campaign(at(1, 200), "a1", Duration.ZERO).isPresent());
    }

    @Test
    void aNodeWhoseDateIsDaysFromZooKeepersIsRefused() {
        ClusterMember member = task("t");
        Clock aged = time.aheadBy(Duration.ofDays(3)); // since 1970
        ZooKeeperCoordinator t = node("t", "c", TWO_OF_THREE, aged);
        assertEquals(ErrorCode.CLOCKS_APART, refused(() -> t.join(member)));
    }

    @Test
    void clocksDaysApartHaveNoEffectOnWhoLeads() {
        ZooKeeperCoordinator a = node("a", "c", TWO_OF_THREE, time.aheadBy(Duration.ofDays(400)));
        ZooKeeperCoordinator b = node("b", "c", TWO_OF_THREE, time.aheadBy(Duration.ofDays(-3)));
        campaign(a, at(0, 200), LEASE);
        assertTrue(campaign(b, at(0, 300), LEASE).isEmpty());
        time.pass(LEASE);
        LeaderTerm term = campaign(b, at(0, 300), LEASE).orElseThrow();
        assertTrue(term.lease().holds());
        assertEquals(LEASE.toNanos(), term.lease().leftNanos());
    }

    @Test
    void aLeaderProvesItselfAndEndsWhenItCannot() throws Exception {
        ZooKeeperCoordinator a = node("a", "c", new Quorum(1, Acknowledgement.LEADER), time);
        LeaderTerm term = campaign(a, at(0, 100), Duration.ZERO).orElseThrow();
        Stage pulse = term.pulse();
        for (int i = 0; i < 5; i++) {
            time.pass(LEASE.dividedBy(2));
            long left = term.lease().leftNanos();
            pulse.doWork();
            until(() -> term.lease().leftNanos() > left);
        }
        time.pass(LEASE); // stopped and continued: no earlier proof counts
        assertFalse(term.lease().holds());
        assertEquals(ErrorCode.EPOCH_OVER, refused(() -> {
            try {
                pulse.doWork();
            } catch (TributaryException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }));
    }

    @Test
    void aLeaderWhoseSessionIsLostEndsWithItsNextProof() throws Exception {
        ZooKeeperCoordinator a = node("a", "c", new Quorum(2, Acknowledgement.ONE), time);
        ZooKeeperCoordinator b = node("b", "c", new Quorum(2, Acknowledgement.ONE), time);
        LeaderTerm term = campaign(a, at(0, 100), Duration.ZERO).orElseThrow();
        a.expireSession();
        until(() -> b.readLeader().isEmpty());
        LeaderTerm next = campaign(b, at(1, 100), Duration.ZERO).orElseThrow();
        assertEquals(2, next.epoch());
        Stage pulse = term.pulse();
        until(() -> {
            try {
                pulse.doWork();
                time.pass(LEASE.dividedBy(100));
                return !term.lease().holds();
            } catch (Exception e) {
                return true;
            }
        });
        term.close(); // ends its own term only
        assertEquals(Optional.of(new Leader("b", 2)), b.readLeader());
    }

    @Test
    void aNodeThatKnowsThatTheLeaderIsGoneLetsOthersBeElectedAtOnce() {
        ZooKeeperCoordinator a = node("a", "c", new Quorum(2, Acknowledgement.ONE), time);
        ZooKeeperCoordinator b = node("b", "c", new Quorum(2, Acknowledgement.ONE), time);
        assertTrue(campaign(a, at(0, 100), Duration.ZERO).isPresent());
        b.supersede(7);
        assertEquals(Optional.of(new Leader("a", 1)), b.readLeader());
        b.supersede(1);
        assertEquals(2, campaign(b, at(1, 1), Duration.ZERO).orElseThrow().epoch());
    }

    @Test
    void refusesAnotherCluster() {
        UUID uuid = new UUID(1, 1);
        UUID other = new UUID(2, 2);
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        assertEquals(Optional.empty(), b.identity());
        assertEquals(uuid, a.identify(Optional.empty(), uuid));
        assertEquals(uuid, b.identify(Optional.empty(), other));
        assertEquals(uuid, b.identify(Optional.of(uuid), other));
        assertEquals(Optional.of(uuid), b.identity());
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> b.identify(Optional.of(other), other)));
        ZooKeeperCoordinator stranger = node("c", "another", TWO_OF_THREE, time);
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> stranger.identify(Optional.of(uuid), uuid)));
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(stranger::identity));
    }

    @Test
    void listsTheMembersAndRefusesOneTooMany() {
        HostPort address = new HostPort("h", 1);
        ClusterMember task = new ClusterMember(
                "t",
                Set.of(MemberRole.TASK),
                new ClusterMember.Addresses(Optional.of(address), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of("s1", "s2"),
                5);
        ClusterMember dumper = new ClusterMember(
                "d",
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(
                        Optional.empty(), Optional.of(address), Optional.of(address), Optional.of(address)),
                Set.of(),
                6);
        Quorum one = new Quorum(1, Acknowledgement.LEADER);
        ZooKeeperCoordinator t = node("t", "c", one, Clock.SYSTEM);
        ZooKeeperCoordinator d = node("d", "c", one, Clock.SYSTEM);
        t.join(task);
        d.join(dumper);
        until(() -> t.members().list().equals(List.of(dumper, task)));
        assertEquals(List.of(task), d.members().with(MemberRole.TASK));
        ClusterMember second = new ClusterMember(
                "e",
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of(),
                7);
        ZooKeeperCoordinator e = node("e", "c", one, Clock.SYSTEM);
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> e.join(second)));
        ZooKeeperCoordinator twin = node("t", "c", one, Clock.SYSTEM);
        assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> twin.join(task)));
    }

    @Test
    void theNameOfAProcessThatIsGoneIsReplacedAtOnce() throws Exception {
        Optional<ProcessIdentity> here = ProcessIdentity.own();
        assumeTrue(here.isPresent(), "not on this system");
        Process sleeper = new ProcessBuilder("sleep", "600").start();
        CuratorFramework before = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1));
        try {
            before.start();
            ProcessIdentity running =
                    new ProcessIdentity(here.get().machine(), here.get().namespace(), sleeper.pid());
            before.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL) // stays there as long as this client
                    .forPath(
                            path + "/members/t",
                            NodeRecord.of(task("t")).with(running).bytes());
            ZooKeeperCoordinator next = node("t", "c", TWO_OF_THREE, Clock.SYSTEM, here);
            assertEquals(ErrorCode.CLUSTER_MISMATCH, refused(() -> next.join(task("t", 7))));

            sleeper.destroyForcibly().waitFor();
            next.join(task("t", 7));
            ZooKeeperCoordinator other = node("other");
            until(() -> other.members().list().equals(List.of(task("t", 7))));
            before.close();
            assertEquals(List.of(task("t", 7)), other.snapshot().members());
        } finally {
            sleeper.destroyForcibly();
            before.close();
        }
    }

    private static ClusterMember task(String id) {
        return task(id, 5);
    }

    private static ClusterMember task(String id, long started) {
        return new ClusterMember(
                id,
                Set.of(MemberRole.TASK),
                new ClusterMember.Addresses(
                        Optional.of(new HostPort("h", 1)), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of(),
                started);
    }

    @Test
    void aClaimBelongsToTheNodeThatMadeItLast() {
        ZooKeeperCoordinator a = node("a");
        ZooKeeperCoordinator b = node("b");
        a.claim("pipeline", 1);
        b.claim("pipeline", 2);
        until(() -> a.claims().equals(List.of(new Claim("pipeline", "b", 2))));
        a.release("pipeline");
        until(() -> b.claims().equals(List.of(new Claim("pipeline", "b", 2)))); // its own view may change later
        b.release("pipeline");
        until(() -> a.claims().isEmpty());
    }

    /** Stops the server, which is restarted for the other tests. */
    @Test
    void withoutZooKeeperFollowersMessagesProveALeader() throws Exception {
        ZooKeeperCoordinator a = node("a", "c", new Quorum(1, Acknowledgement.LEADER), time);
        LeaderTerm term = campaign(a, at(0, 100), Duration.ZERO).orElseThrow();
        server.stop();
        try {
            time.pass(LEASE.minusNanos(1));
            term.lease().prove(time.nanoTime());
            time.pass(LEASE.minusNanos(1));
            assertTrue(term.lease().holds());
            time.pass(Duration.ofNanos(1));
            assertFalse(term.lease().holds());
        } finally {
            server.restart();
        }
    }
}
