package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.DumperDisk;
import io.tributary.faults.site.Site;
import io.tributary.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes of binlog files are refused for want of space for a while; a Dumper that ends is started again.
 *
 * @param how how long, from when the Dumper has said so
 */
public record FullDisk(Duration how) implements Fault {
    @Override
    public String name() {
        return "full-disk";
    }

    @Override
    public String words() {
        return "the Dumper's writes fail with ENOSPC until it has said so, and for " + how.toMillis() + " ms more";
    }

    @Override
    public Optional<String> lacks(Site site) {
        return Needs.disk(site);
    }

    @Override
    public void inject(Site site, Strike strike) throws IOException {
        DumperDisk disk = site.disk().orElseThrow();
        int before = site.dumper().logText().length();
        strike.now();
        disk.full(true);
        FullNotice.await(site, before);
        strike.last(how);
        disk.full(false);
        if (!site.dumper().process().isAlive()) {
            site.dumper().launch();
        }
        strike.healed();
    }

    @Override
    public void awaitRecovered(Site site) {
        site.dumper().awaitHealthy();
    }

    /** The Dumper's word that its disk is full. */
    static final class FullNotice {
        private FullNotice() {}

        /** @param before how long its log was before the fault */
        static void await(Site site, int before) {
            Await.until(
                    () -> "the Dumper to say that its disk is full: "
                            + site.dumper().lastLines(),
                    Site.LIMIT,
                    () -> site.dumper().logText().substring(before).contains("DISK_FULL"));
        }
    }
}
