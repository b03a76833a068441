package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.time.Instant;
import org.apache.zookeeper.data.Stat;

/**
 * Checks that this machine's date agrees with ZooKeeper's. Elections and leases do not depend on the date. Purging by age, retention of a backup
 * by age and certificates do: a Dumper whose date is days ahead would delete files that must be kept.
 */
final class ClockCheck {
    static final Duration MOST = Duration.ofHours(1);

    private ClockCheck() {}

    /**
     * Compares this machine's date with ZooKeeper's.
     *
     * @param path a node that ZooKeeper has just created for this process
     * @throws TributaryException CLOCKS_APART
     */
    static void require(ZooKeeperTree tree, String path, Clock clock) {
        Stat written = tree.request(() -> tree.client().checkExists().forPath(path));
        if (written == null) { // the session ended meanwhile: the node is created again
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
