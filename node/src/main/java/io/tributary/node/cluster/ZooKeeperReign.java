package io.tributary.node.cluster;

import io.tributary.common.cluster.TimedLease;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reign that ZooKeeper has given: proved by writes that succeed only while no newer epoch was given out and the leader's node is there. */
final class ZooKeeperReign implements Reign {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperReign.class);
    private static final int PROOFS_A_LEASE = 6;

    private final ZooKeeperTree tree;
    private final long epoch;
    private final int epochVersion;
    private final Clock clock;
    private final TimedLease lease;
    private final Duration length;

    /**
     * @param epochVersion of the node that holds the newest epoch, as the election left it
     * @param askedNanos when the election was asked for
     */
    ZooKeeperReign(ZooKeeperTree tree, long epoch, int epochVersion, Clock clock, Duration length, long askedNanos) {
        this.tree = tree;
        this.epoch = epoch;
        this.epochVersion = epochVersion;
        this.clock = clock;
        this.length = length;
        this.lease = new TimedLease(clock, length, askedNanos);
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public TimedLease lease() {
        return lease;
    }

    @Override
    public Stage pulse() {
        return new Pulse();
    }

    /** Asks for proof several times a lease, one question at a time unless its answer is overdue. */
    private final class Pulse implements Stage {
        private final long everyNanos = length.toNanos() / PROOFS_A_LEASE;
        private long askedNanos = clock.nanoTime() - everyNanos;
        private volatile long answeredNanos = askedNanos;

        @Override
        public String name() {
            return "pulse";
        }

        @Override
        public int doWork() {
            if (!lease.holds()) {
                throw new TributaryException(
                        ErrorCode.LEADERSHIP_LOST,
                        "led the Dumpers under epoch " + epoch + ", and there was no proof for " + length.toMillis()
                                + " ms that nobody else does");
            }
            long now = clock.nanoTime();
            boolean isAnswered = answeredNanos == askedNanos;
            boolean isDue = now - askedNanos >= (isAnswered ? everyNanos : length.toNanos());
            if (isDue) {
                askedNanos = now;
                prove(now);
            }
            return isDue ? 1 : 0;
        }

        private void prove(long asked) {
            CuratorFramework client = tree.client();
            tree.ask(() -> client.transaction()
                    .inBackground((same, event) -> {
                        answered(KeeperException.Code.get(event.getResultCode()), asked);
                    })
                    .forOperations(
                            client.transactionOp()
                                    .check()
                                    .withVersion(epochVersion)
                                    .forPath(ZooKeeperTree.EPOCH),
                            client.transactionOp().check().forPath(ZooKeeperTree.LEADER),
                            client.transactionOp().setData().forPath(ZooKeeperTree.PULSE, new byte[0])));
        }

        private void answered(KeeperException.Code code, long asked) {
            if (code == KeeperException.Code.OK) {
                lease.prove(asked);
            } else if (code == KeeperException.Code.BADVERSION || code == KeeperException.Code.NONODE) {
                LOG.warn("ZooKeeper knows this node as leader of epoch {} no more ({})", epoch, code);
                lease.end();
            }
            answeredNanos = asked;
        }

        @Override
        public long restNanos() {
            return everyNanos;
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() {
        lease.end();
        end(tree, epoch, epochVersion);
    }

    /** Ends the reign of an epoch in ZooKeeper, if it is still that epoch's. */
    static void end(ZooKeeperTree tree, long epoch, int epochVersion) {
        CuratorFramework client = tree.client();
        try {
            CuratorOp same =
                    client.transactionOp().check().withVersion(epochVersion).forPath(ZooKeeperTree.EPOCH);
            CuratorOp gone = client.transactionOp().delete().forPath(ZooKeeperTree.LEADER);
            client.transaction().forOperations(same, gone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) { // the session's end does the same, a lease later
            LOG.info("epoch {} has ended, and ZooKeeper could not be told: {}", epoch, e.toString());
        }
    }
}
