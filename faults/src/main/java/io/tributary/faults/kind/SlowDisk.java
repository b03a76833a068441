package io.tributary.faults.kind;

import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fault: each force of a binlog file to disk takes longer for a while.
 *
 * @param role role of the Dumper
 * @param delay additional time of each force
 * @param how duration
 */
public record SlowDisk(Role role, Duration delay, Duration how) implements Fault {
    @Override
    public String name() {
        return "slow-disk-" + role;
    }

    @Override
    public String words() {
        return "each fsync of the " + role + " takes " + delay.toMillis() + " ms longer, for " + how.toMillis() + " ms";
    }

    @Override
    public Optional<String> lacks(TestCluster cluster) {
        return FaultRequirements.disk(cluster, role);
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) throws IOException {
        DumperDisk disk = cluster.disk(cluster.nodes(List.of(role)).get(0)).orElseThrow();
        injection.now();
        disk.delay(delay);
        injection.last(how);
        disk.delay(Duration.ZERO);
        injection.repaired();
    }
}
