package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import io.tributary.local.ZooKeeperProcess;
import io.tributary.testkit.Await;
import java.time.Duration;
import java.util.Optional;

/**
 * ZooKeeper is down for a while.
 *
 * @param how how long
 * @param killsLeader whether the leader is killed meanwhile, so that nobody can be elected until ZooKeeper is back
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
    public Optional<String> lacks(Site site) {
        return Needs.zookeeper(site);
    }

    @Override
    public boolean lastsLong() {
        return !killsLeader;
    }

    @Override
    public void inject(Site site, Strike strike) {
        ZooKeeperProcess zookeeper = site.zookeeper().orElseThrow();
        NodeProcess leader = site.leader();
        strike.now();
        zookeeper.process().kill9();
        if (killsLeader) {
            leader.kill9();
            leader.launch();
        }
        strike.last(how);
        zookeeper.launch().awaitServing();
        Await.until(
                () -> leader.name() + " to be healthy, or to have ended",
                Site.LIMIT,
                () -> !leader.process().isAlive() || leader.isHealthy());
        if (!leader.process().isAlive()) { // a node ends that cannot reach ZooKeeper when it starts
            leader.launch();
        }
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
