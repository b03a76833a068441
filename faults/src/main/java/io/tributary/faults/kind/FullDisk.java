package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Writes of binlog files are refused for want of space for a while; a Dumper that ends is started again.
 *
 * @param role of the Dumper
 * @param how how long, from when the Dumper has said so
 */
public record FullDisk(Role role, Duration how) implements Fault {
    @Override
    public String name() {
        return "full-disk-" + role;
    }

    @Override
    public String words() {
        return "writes of the " + role + " fail with ENOSPC until it has said so, and for " + how.toMillis()
                + " ms more";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.disk(site, role);
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        NodeProcess dumper = site.nodes(List.of(role)).get(0);
        DumperDisk disk = site.disk(dumper).orElseThrow();
        int before = dumper.logText().length();
        strike.now();
        disk.full(true);
        Await.until(
                () -> dumper.name() + " to say that its disk is full",
                Site.LIMIT,
                () -> dumper.logText().substring(before).contains("DISK_FULL"));
        strike.last(how);
        disk.full(false);
        if (!dumper.process().isAlive()) {
            dumper.launch();
        }
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.awaitHealthy();
    }
}
