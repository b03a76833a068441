package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperClaimsTest {
    private static final int ROUNDS = 300;
    private static final String WHAT = "pipeline";

    @TempDir
    Path folder;

    /** Both run at once: the new claim may reach ZooKeeper after the release has read it. */
    @Test
    void aClaimThatIsReleasedWhileItIsCreatedAgainDoesNotStay() throws Exception {
        try (TestingServer server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1), true);
                CuratorFramework client =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1))) {
            client.start();
            ZooKeeperTree tree = new ZooKeeperTree(client, "a test");
            ZooKeeperClaims claims = new ZooKeeperClaims(tree);
            for (int round = 0; round < ROUNDS; round++) {
                claims.claim(new Claim(WHAT, "a", round));
                tree.delete(SharedTree.CLAIMS + "/" + WHAT); // as at the end of its session
                CyclicBarrier both = new CyclicBarrier(2);
                Thread again = new Thread(() -> {
                    await(both);
                    claims.claimAgain();
                });
                again.start();
                await(both);
                claims.release(WHAT, "a");
                again.join();
                awaitAnswers(client);
                assertEquals(Optional.empty(), tree.read(SharedTree.CLAIMS + "/" + WHAT), "in round " + round);
            }
        }
    }

    /** ZooKeeper was unreachable until the client gave up its session; the server keeps that session for some time after its return. */
    @Test
    void aClaimOfAnEarlierSessionIsReplacedAndThatOfAnotherNodeIsNot() throws Exception {
        try (TestingServer server = new TestingServer(new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1), true);
                CuratorFramework earlier =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1));
                CuratorFramework client =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(1))) {
            earlier.start();
            client.start();
            ZooKeeperTree tree = new ZooKeeperTree(client, "a test");
            ZooKeeperTree old = new ZooKeeperTree(earlier, "a test");
            ZooKeeperClaims claims = new ZooKeeperClaims(tree);
            for (String node : new String[] {"a", "b"}) {
                claims.claim(new Claim(WHAT, "a", 1));
                tree.delete(SharedTree.CLAIMS + "/" + WHAT);
                old.create(SharedTree.CLAIMS + "/" + WHAT, NodeRecord.none().with("node", node), true);
                claims.claimAgain();
                for (int i = 0; i < 3; i++) {
                    awaitAnswers(client);
                }
                SharedTree.Node there =
                        tree.read(SharedTree.CLAIMS + "/" + WHAT).orElseThrow();
                assertEquals(node.equals("a") ? tree.session() : old.session(), there.owner(), "claimed by " + node);
            }
        }
    }

    private static void await(CyclicBarrier both) {
        try {
            both.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Earlier requests are answered in order; a request that such an answer sends follows the first of these. */
    private static void awaitAnswers(CuratorFramework client) throws Exception {
        for (int i = 0; i < 3; i++) {
            CyclicBarrier answered = new CyclicBarrier(2);
            client.checkExists().inBackground((same, event) -> await(answered)).forPath("/");
            answered.await();
        }
    }
}
