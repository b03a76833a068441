package io.tributary.faults.kind;

import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fault: writes to binlog files fail with ENOSPC for a while. A Dumper that ends is started again.
 *
 * @param role of the Dumper
 * @param how duration, from the time when the Dumper has logged the error
 */
public record FullDisk(Role role, Duration how) implements Fault {
    @Override
    public String name() {
        return "full-disk-" + role;
    }

    @Override
    public String words() {
        return "writes of the " + role + " fail with ENOSPC until it has logged the error, and for " + how.toMillis()
                + " ms more";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.disk(cluster, role);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) throws IOException {
        NodeProcess dumper = cluster.nodes(List.of(role)).get(0);
        DumperDisk disk = cluster.disk(dumper).orElseThrow();
        int before = dumper.logText().length();
        injection.now();
        disk.full(true);
        Await.until(
                () -> dumper.name() + " to log that its disk is full",
                TestCluster.LIMIT,
                () -> dumper.logText().substring(before).contains("DISK_FULL"));
        injection.last(how);
        disk.full(false);
        if (!dumper.process().isAlive()) {
            dumper.launch();
        }
        injection.repaired();
    }

    @Override
    public void awaitRecovered(TestCluster cluster) {
        cluster.awaitHealthy();
    }
}
