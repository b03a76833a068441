package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.time.Instant;
import org.apache.zookeeper.data.Stat;

/**
 * Whether a machine's date is that of the others. Elections and leases do not depend on it; purging by age, a backup's retention by age and
 * certificates do: a Dumper whose date is days ahead would take out files that are to stay.
 */
final class ClockCheck {
    static final Duration MOST = Duration.ofHours(1);

    private ClockCheck() {}

    /**
     * Compares this machine's date with ZooKeeper's.
     *
     * @param path what this node has just had ZooKeeper write
     * @throws TributaryException CLOCKS_APART
     */
    static void require(ZooKeeperTree tree, String path, Clock clock) {
        Stat written = tree.ask(() -> tree.client().checkExists().forPath(path));
        if (written == null) { // a session that has ended meanwhile: it is written again
            return;
        }
        Instant here = Instant.ofEpochMilli(clock.epochMicros() / 1000);
        Instant there = Instant.ofEpochMilli(written.getCtime());
        if (Duration.between(here, there).abs().compareTo(MOST) > 0) {
            throw new TributaryException(
                    ErrorCode.CLOCKS_APART,
                    "expected this machine's date to be within " + MOST.toMinutes() + " min of that of ZooKeeper at "
                            + tree.where() + ", " + there + ", found " + here);
        }
    }
}
