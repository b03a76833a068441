package io.tributary.faults.kind;

import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.Await;
import java.time.Duration;
import java.util.Optional;

/**
 * Fault: ZooKeeper is down for a while.
 *
 * @param how duration
 * @param killsLeader whether the leader is killed meanwhile, so that no leader can be elected until ZooKeeper is back
 */
public record ZooKeeperDown(Duration how, boolean killsLeader) implements Fault {
    @Override
    public String name() {
        return killsLeader ? "kill-leader-without-zookeeper" : "zookeeper-down";
    }

    @Override
    public String words() {
        return "ZooKeeper is killed and started again " + how.toMillis() + " ms later"
                + (killsLeader ? "; kill -9 of the leader meanwhile, started again at once" : "");
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.zookeeper(cluster);
    }

    @Override
    public boolean lastsLong() {
        return !killsLeader;
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        ZooKeeperProcess zookeeper = cluster.zookeeper().orElseThrow();
        NodeProcess leader = cluster.leader();
        injection.now();
        zookeeper.process().kill9();
        if (killsLeader) {
            leader.kill9();
            leader.launch();
        }
        injection.last(how);
        zookeeper.launch().awaitServing();
        Await.until(
                () -> leader.name() + " to be healthy, or to have ended",
                TestCluster.LIMIT,
                () -> !leader.process().isAlive() || leader.isHealthy());
        if (!leader.process().isAlive()) { // a node that cannot reach ZooKeeper at its start ends
            leader.launch();
        }
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
