package io.tributary.node.dumper;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.EmbeddedCoordinator;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.cluster.NodeIdentity;
import io.tributary.node.cluster.TestCoordination;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Choice of the Dumper that backs up, with a real ZooKeeper server in this process. */
class BackupChoiceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Quorum TWO_OF_THREE = new Quorum(3, Acknowledgement.MAJORITY);
    private static final int TICK_MILLIS = 1000; // sessions last up to twenty ticks

    @TempDir
    private Path folder;

    private TestingServer server;
    private final List<Node> nodes = new ArrayList<>();

    /** A Dumper that only queries the choice. */
    private final class Node {
        private final String id;
        private final ZooKeeperCoordinator coordinator;
        private final BackupChoice choice;

        Node(String id) {
            this.id = id;
            CoordinationConfig config =
                    TestCoordination.config(id, server.getConnectString(), "/backup", LEASE, TWO_OF_THREE.dumpers());
            coordinator = new ZooKeeperCoordinator(config, NodeIdentity.own("c", id), TWO_OF_THREE, Clock.SYSTEM);
            var unused = coordinator.identify(Optional.empty(), new UUID(1, 2));
            coordinator.join(dumper(id));
            choice = new BackupChoice(coordinator, id, Clock.SYSTEM);
            nodes.add(this);
        }

        /**
         * @param voter another candidate, with a shorter log
         * @param last epoch of the previous leader
         */
        LeaderTerm lead(Node voter, long last) {
            LogPosition shorter = new LogPosition(CutEpoch.of(last), 1, 100, 100);
            LogPosition longer = new LogPosition(CutEpoch.of(last), 1, 200, 200);
            List<LeaderTerm> won = new ArrayList<>();
            Await.until(id + " to be elected", TIMEOUT, () -> {
                assertTrue(voter.coordinator
                        .campaign(shorter, "shorter", Duration.ZERO)
                        .isEmpty());
                coordinator.campaign(longer, "longer", Duration.ZERO).ifPresent(won::add);
                return !won.isEmpty();
            });
            coordinator.withdraw();
            voter.coordinator.withdraw();
            return won.get(0);
        }

        void end() {
            nodes.remove(this);
            coordinator.close();
        }
    }

    private static ClusterMember dumper(String id) {
        HostPort anywhere = new HostPort("127.0.0.1", 1);
        return new ClusterMember(
                id,
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(
                        Optional.empty(), Optional.of(anywhere), Optional.of(anywhere), Optional.of(anywhere)),
                Set.of(),
                0);
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, TICK_MILLIS, -1), true);
    }

    @AfterEach
    void stop() throws Exception {
        List.copyOf(nodes).forEach(Node::end);
        server.close();
    }

    /** Polls all nodes until this one backs up and no other does. */
    private void assertBacksUp(Node wanted) {
        Await.until(wanted.id + " alone to back up", TIMEOUT, () -> {
            List<String> ours = nodes.stream()
                    .filter(node -> node.choice.isOurs())
                    .map(node -> node.id)
                    .toList();
            return ours.equals(List.of(wanted.id));
        });
    }

    @Test
    void aFollowerBacksUpUntilItIsGoneAndTheLeaderOnlyIfItIsAlone() {
        Node b = new Node("b");
        Node c = new Node("c");
        LeaderTerm term = b.lead(c, 0);
        assertBacksUp(c);
        Node a = new Node("a");
        assertBacksUp(c); // though a comes before it by name
        assertFalse(a.choice.isOurs());
        c.end();
        assertBacksUp(a);
        a.end();
        assertBacksUp(b);
        term.close();
    }

    @Test
    void anElectedFollowerLetsAnotherOneBackUp() {
        Node a = new Node("a");
        Node b = new Node("b");
        LeaderTerm first = a.lead(b, 0);
        assertBacksUp(b);
        first.close();
        LeaderTerm second = b.lead(a, 1);
        assertBacksUp(a);
        Await.until(
                "b to see the claim of a alone",
                TIMEOUT,
                () -> b.coordinator.claims().equals(List.of(new Claim(BackupChoice.BACKUP, "a", second.epoch()))));
        assertFalse(b.choice.isOurs());
        second.close();
    }

    @Test
    void aDumperWithRepeatedFailuresLetsAnotherTryAndFinallyTheLeader() {
        Node a = new Node("a");
        Node b = new Node("b");
        Node c = new Node("c");
        LeaderTerm term = c.lead(a, 0);
        assertBacksUp(a);
        b.choice.failed(BackupChoice.FAILURES); // it does not back up
        a.choice.failed(BackupChoice.FAILURES - 1);
        assertBacksUp(a);
        a.choice.failed(BackupChoice.FAILURES);
        assertBacksUp(b);
        b.choice.failed(BackupChoice.FAILURES);
        assertBacksUp(c);
        c.choice.failed(BackupChoice.FAILURES);
        assertBacksUp(a); // the store fails for all of them
        term.close();
    }

    @Test
    void theOnlyNodeBacksUpByItself() {
        try (EmbeddedCoordinator alone = new EmbeddedCoordinator(Clock.SYSTEM)) {
            alone.join(dumper("a"));
            try (LeaderTerm term =
                    alone.campaign(LogPosition.NOTHING, "copy", Duration.ZERO).orElseThrow()) {
                assertTrue(term.lease().holds());
                assertTrue(new BackupChoice(alone, "a", Clock.SYSTEM).isOurs());
            }
        }
    }
}
