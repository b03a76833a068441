package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.EmbeddedCoordinator;
import io.tributary.node.cluster.Reign;
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

/** Who backs up, by a real ZooKeeper server in this process. */
class BackupChoiceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    private TestingServer server;
    private final List<Node> nodes = new ArrayList<>();

    /** A Dumper that only asks. */
    private final class Node {
        private final String id;
        private final ZooKeeperCoordinator coordinator;
        private final BackupChoice choice;

        Node(String id) {
            this.id = id;
            CoordinationConfig config = new CoordinationConfig(
                    Optional.of(id),
                    Optional.empty(),
                    Optional.of(server.getConnectString()),
                    Optional.of("/backup"),
                    Duration.ofSeconds(2),
                    1);
            coordinator =
                    new ZooKeeperCoordinator(config, "c", id, new Quorum(1, Acknowledgement.LEADER), Clock.SYSTEM);
            var unused = coordinator.identify(Optional.empty(), new UUID(1, 2));
            coordinator.join(dumper(id));
            choice = new BackupChoice(coordinator, id, Clock.SYSTEM);
            nodes.add(this);
        }

        Reign lead() {
            List<Reign> won = new ArrayList<>();
            Await.until(id + " to be elected", PATIENCE, () -> {
                coordinator.stand(LogPosition.NOTHING, Duration.ZERO).ifPresent(won::add);
                return !won.isEmpty();
            });
            coordinator.withdraw();
            return won.get(0);
        }

        void end() {
            nodes.remove(this);
            coordinator.close();
        }
    }

    private static Member dumper(String id) {
        HostPort anywhere = new HostPort("127.0.0.1", 1);
        return new Member(
                id,
                Set.of(MemberRole.DUMPER),
                Optional.empty(),
                Optional.of(anywhere),
                Optional.of(anywhere),
                Optional.of(anywhere),
                0);
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, 100, -1), true);
    }

    @AfterEach
    void stop() throws Exception {
        List.copyOf(nodes).forEach(Node::end);
        server.close();
    }

    /** All look, again and again, until this one backs up and no other does. */
    private void assertBacksUp(Node wanted) {
        Await.until(wanted.id + " alone to back up", PATIENCE, () -> {
            List<String> ours = nodes.stream()
                    .filter(node -> node.choice.isOurs())
                    .map(node -> node.id)
                    .toList();
            return ours.equals(List.of(wanted.id));
        });
    }

    @Test
    void aFollowerBacksUpAndStaysUntilItIsGoneAndTheLeaderOnlyWhenItIsAlone() {
        Node a = new Node("a");
        Reign reign = a.lead();
        assertBacksUp(a);
        Node c = new Node("c");
        assertBacksUp(c);
        Node b = new Node("b");
        assertBacksUp(c); // though b comes before it by name
        assertFalse(b.choice.isOurs());
        c.end();
        assertBacksUp(b);
        b.end();
        assertBacksUp(a);
        reign.close();
    }

    @Test
    void aFollowerThatIsElectedLeavesItToAnother() {
        Node a = new Node("a");
        Node b = new Node("b");
        Reign first = a.lead();
        assertBacksUp(b);
        first.close();
        Reign second = b.lead();
        assertBacksUp(a);
        assertEquals(
                List.of("a"),
                b.coordinator.claims().stream()
                        .filter(claim -> claim.what().equals(BackupChoice.BACKUP))
                        .map(claim -> claim.node())
                        .toList());
        second.close();
    }

    @Test
    void theOnlyNodeBacksUpByItself() {
        try (EmbeddedCoordinator alone = new EmbeddedCoordinator(Clock.SYSTEM)) {
            alone.join(dumper("a"));
            try (Reign reign = alone.stand(LogPosition.NOTHING, Duration.ZERO).orElseThrow()) {
                assertTrue(reign.lease().holds());
                assertTrue(new BackupChoice(alone, "a", Clock.SYSTEM).isOurs());
            }
        }
    }
}
