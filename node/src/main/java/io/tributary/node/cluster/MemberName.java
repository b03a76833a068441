package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's name among the members, which one process has at a time. */
final class MemberName {
    private static final Logger LOG = LoggerFactory.getLogger(MemberName.class);
    private static final int PAUSE_MILLIS = 50;

    private final ZooKeeperTree tree;
    private final String node;
    private final String path;
    private final Clock clock;

    /** @param node the name */
    MemberName(ZooKeeperTree tree, String node, Clock clock) {
        this.tree = tree;
        this.node = node;
        this.path = ZooKeeperTree.MEMBERS + "/" + node;
        this.clock = clock;
    }

    /**
     * Waits until no other process has the name. What one that was killed has left goes with its session, or at once where this
     * process sees that it is gone: then this one's member takes its place in the same moment.
     *
     * @param own this process; empty where that is not known
     * @param ours what it shows
     * @throws TributaryException CLUSTER_MISMATCH when another one that runs has it
     */
    void take(Optional<ProcessMark> own, Fields ours) {
        long since = clock.nanoTime();
        Optional<SharedTree.Node> there = tree.read(path);
        int patienceMillis = 1000
                + tree.ask(
                        () -> tree.client().getZookeeperClient().getZooKeeper().getSessionTimeout());
        while (there.isPresent() && !hasReplaced(there.get(), own, ours)) {
            if (clock.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
                throw new TributaryException(
                        ErrorCode.CLUSTER_MISMATCH,
                        "expected no other node with node.id = " + node + " at " + tree.where()
                                + ", found one that runs, with "
                                + there.get().fields().values());
            }
            tree.ask(() -> {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                return null;
            });
            there = tree.read(path);
        }
    }

    private boolean hasReplaced(SharedTree.Node there, Optional<ProcessMark> own, Fields ours) {
        Optional<ProcessMark> before = there.fields().process();
        if (before.isEmpty() || own.isEmpty() || !before.get().isGoneFor(own.get())) {
            return false;
        }
        boolean isDone = tree.change(List.of(
                new SharedTree.Change.Delete(path, there.version()), new SharedTree.Change.Create(path, ours, true)));
        if (isDone) {
            LOG.info(
                    "process {} that had this node's name is gone: takes its place",
                    before.get().pid());
        }
        return isDone;
    }
}
