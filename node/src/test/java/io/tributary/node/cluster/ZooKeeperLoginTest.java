package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logins to a real ZooKeeper server, and their protection against other clients. */
@Timeout(60)
class ZooKeeperLoginTest {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Quorum ALONE = new Quorum(1, Acknowledgement.LEADER);
    private static final Optional<String> OURS = Optional.of("tributary:pass:word");
    private static final Optional<String> NONE = Optional.empty();

    private static final ClusterMember MEMBER = new ClusterMember(
            "n",
            Set.of(MemberRole.TASK),
            new ClusterMember.Addresses(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
            Set.of(),
            1);

    @TempDir
    private Path folder;

    private TestingServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1, 100, -1), true);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private CoordinationConfig config(Optional<String> auth, String path) {
        return TestCoordination.withLogin(
                TestCoordination.config("n", server.getConnectString(), path, LEASE, 1), auth);
    }

    private ZooKeeperCoordinator node(Optional<String> auth, String path) {
        return new ZooKeeperCoordinator(config(auth, path), NodeIdentity.own("c", "n"), ALONE, Clock.SYSTEM);
    }

    /** Creates all kinds of nodes: identity, election, a claim, a move. */
    private void use(Optional<String> auth, String path) {
        try (ZooKeeperCoordinator node = node(auth, path)) {
            assertEquals(new UUID(1, 2), node.identify(Optional.empty(), new UUID(1, 2)));
            long since = System.nanoTime();
            Optional<LeaderTerm> term = Optional.empty();
            while (term.isEmpty()) {
                assertTrue(System.nanoTime() - since < TimeUnit.SECONDS.toNanos(20), "not elected");
                term = node.campaign(LogPosition.NOTHING, "copy", Duration.ZERO);
            }
            node.join(MEMBER);
            node.claim("pipeline", 1);
            node.requestMove(new Coordinator.Move(1, Optional.empty()));
            assertEquals(1, node.snapshot().epoch());
            term.get().close();
        }
    }

    /** A connection without a login. */
    private record Stranger(ZooKeeper client) implements AutoCloseable {
        @Override
        public void close() {
            try {
                client.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Stranger stranger() throws Exception {
        ZooKeeper client = new ZooKeeper(server.getConnectString(), 10_000, event -> {});
        long since = System.nanoTime();
        while (client.getState() != ZooKeeper.States.CONNECTED) {
            assertTrue(System.nanoTime() - since < TimeUnit.SECONDS.toNanos(20), "not connected");
            Thread.onSpinWait();
        }
        return new Stranger(client);
    }

    private static List<String> below(ZooKeeper client, String path) throws Exception {
        List<String> all = new ArrayList<>(List.of(path));
        for (int i = 0; i < all.size(); i++) {
            for (String child : client.getChildren(all.get(i), false)) {
                all.add(all.get(i) + "/" + child);
            }
        }
        return all;
    }

    private static void login(ZooKeeper client) {
        client.addAuthInfo("digest", OURS.orElseThrow().getBytes(StandardCharsets.UTF_8));
    }

    private void requireClosed(String path) throws Exception {
        try (Stranger login = stranger();
                Stranger other = stranger()) {
            ZooKeeper owner = login.client();
            ZooKeeper stranger = other.client();
            login(owner);
            List<String> nodes = below(owner, path);
            assertTrue(nodes.contains(path + "/epoch"), nodes::toString);
            for (String node : nodes) {
                List<ACL> acls = owner.getACL(node, new Stat());
                assertEquals(1, acls.size(), () -> node + " " + acls);
                assertEquals("digest", acls.get(0).getId().getScheme(), node);
                assertTrue(acls.get(0).getId().getId().startsWith("tributary:"), node);
                assertThrows(
                        KeeperException.NoAuthException.class, () -> stranger.setData(node, new byte[0], -1), node);
                assertThrows(KeeperException.NoAuthException.class, () -> stranger.getData(node, false, null), node);
            }
            assertThrows(KeeperException.NoAuthException.class, () -> stranger.delete(path + "/epoch", -1));
        }
    }

    @Test
    void onlyTheLoginReadsAndWrites() throws Exception {
        use(OURS, "/tributary/c");
        requireClosed("/tributary/c");
        use(OURS, "/tributary/c2");
        requireClosed("/tributary/c2");
    }

    @Test
    void aNodeWithAnotherLoginOrNoneIsRefusedAndChangesNothing() throws Exception {
        use(OURS, "/tributary/c");
        for (Optional<String> other : List.of(NONE, Optional.of("tributary:wrong"))) {
            TributaryException refused = assertThrows(TributaryException.class, () -> {
                try (ZooKeeperCoordinator node = node(other, "/tributary/c")) {
                    node.identify(Optional.empty(), new UUID(3, 4));
                }
            });
            assertEquals(ErrorCode.CLUSTER_DENIED, refused.code(), refused::toString);
            TributaryException noMember = assertThrows(TributaryException.class, () -> {
                try (ZooKeeperCoordinator node = node(other, "/tributary/c")) {
                    node.join(MEMBER);
                }
            });
            assertEquals(ErrorCode.CLUSTER_DENIED, noMember.code(), noMember::toString);
            assertTrue(refused.getMessage().contains("cluster.zookeeper.auth"), refused::getMessage);
            assertFalse(refused.getMessage().contains("wrong"), refused::getMessage);
        }
        requireClosed("/tributary/c");
    }

    @Test
    void clustersOfTwoUsersLiveUnderOnePath() throws Exception {
        use(OURS, "/tributary/c");
        use(Optional.of("other:secret"), "/tributary/d");
        try (Stranger stranger = stranger()) {
            assertThrows(
                    KeeperException.NoAuthException.class,
                    () -> stranger.client().delete("/tributary/c", -1));
        }
    }

    @Test
    void aClusterThatHadNoLoginGetsOne() throws Exception {
        use(NONE, "/open/c");
        try (Stranger stranger = stranger()) {
            stranger.client().setData("/open/c/pulse", new byte[0], -1);
            stranger.client()
                    .create(
                            "/open/c/odd",
                            new byte[0],
                            Collections.singletonList(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone"))),
                            CreateMode.PERSISTENT);
        }
        try (ZooKeeperCoordinator node = node(OURS, "/open/c")) {
            assertEquals(Optional.of(new UUID(1, 2)), node.identity(), "a command reads, and changes nothing");
            try (Stranger stranger = stranger()) {
                stranger.client().setData("/open/c/odd", new byte[0], -1);
            }
            node.join(MEMBER);
        }
        requireClosed("/open/c");
    }

    @Test
    void anInvalidLoginIsRefusedAndNotPrinted() {
        for (String wrong : List.of("nopassword", ":empty", "someone:")) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> config(Optional.of(wrong), "/x"));
            assertTrue(refused.getMessage().contains("expected user:password"), refused::getMessage);
            assertFalse(refused.getMessage().contains(wrong), refused::getMessage);
        }
    }
}
