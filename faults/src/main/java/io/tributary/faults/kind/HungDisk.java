package io.tributary.faults.kind;

import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fault: the leader's disk hangs. No force of a binlog file returns or fails, while the rest of the process continues. When readers are served
 * without this leader, it is killed and started again with a disk that works.
 */
public record HungDisk() implements Fault {
    private static final Duration FOR_EVER = Duration.ofHours(1);

    @Override
    public String name() {
        return "hung-disk-leader";
    }

    @Override
    public String words() {
        return "no fsync of the leader returns until readers receive new transactions without it;"
                + " then it is killed and started again";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.nodes(cluster, List.of(Role.FOLLOWER))
                .or(() -> FaultRequirements.zookeeper(cluster))
                .or(() -> FaultRequirements.disk(cluster, Role.LEADER));
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) throws IOException {
        NodeProcess leader = cluster.nodes(List.of(Role.LEADER)).get(0);
        DumperDisk disk = cluster.disk(leader).orElseThrow();
        injection.now();
        disk.delay(FOR_EVER);
        injection.inPlace();
        injection.awaitServed(TestCluster.LIMIT);
        leader.kill9();
        disk.delay(Duration.ZERO);
        leader.launch();
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
