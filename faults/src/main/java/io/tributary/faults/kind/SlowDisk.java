package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Role;
import io.tributary.faults.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Each force of a binlog file to disk takes much longer for a while.
 *
 * @param role of the Dumper
 * @param delay of each
 * @param how how long it is so
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
    public Optional<String> lacks(Site site) {
        return Needs.disk(site, role);
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        DumperDisk disk = site.disk(site.nodes(List.of(role)).get(0)).orElseThrow();
        strike.now();
        disk.delay(delay);
        strike.last(how);
        disk.delay(Duration.ZERO);
        strike.healed();
    }
}
