package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Each force of a binlog file to disk takes much longer for a while.
 *
 * @param delay of each
 * @param how how long it is so
 */
public record SlowDisk(Duration delay, Duration how) implements Fault {
    @Override
    public String name() {
        return "slow-disk";
    }

    @Override
    public String words() {
        return "each fsync of the Dumper takes " + delay.toMillis() + " ms longer, for " + how.toMillis() + " ms";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.disk(site);
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        DumperDisk disk = site.disk().orElseThrow();
        strike.now();
        disk.delay(delay);
        strike.last(how);
        disk.delay(Duration.ZERO);
        strike.healed();
    }
}
