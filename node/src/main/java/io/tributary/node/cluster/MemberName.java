package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's name among the members. Only one process has it at a time. */
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
     * Waits until no other process has the name. The member node of a killed process disappears when its session ends. If this process sees that
     * the other one is gone, it replaces that node at once, in one transaction.
     *
     * @param own this process; empty if that is not known
     * @param ours the content of this process's member node
     * @throws TributaryException CLUSTER_MISMATCH when another running process has the name
     */
    void acquire(Optional<ProcessIdentity> own, NodeRecord ours) {
        long since = clock.nanoTime();
        Optional<SharedTree.Node> there = tree.read(path);
        int timeoutMillis = 1000
                + tree.request(
                        () -> tree.client().getZookeeperClient().getZooKeeper().getSessionTimeout());
        while (there.isPresent() && !hasReplaced(there.get(), own, ours)) {
            if (clock.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(timeoutMillis)) {
                throw new TributaryException(
                        ErrorCode.CLUSTER_MISMATCH,
                        "expected no other node with node.id = " + node + " at " + tree.where()
                                + ", found a running one with "
                                + there.get().fields().values());
            }
            tree.request(() -> {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                return null;
            });
            there = tree.read(path);
        }
    }

    private boolean hasReplaced(SharedTree.Node there, Optional<ProcessIdentity> own, NodeRecord ours) {
        Optional<ProcessIdentity> before = there.fields().process();
        if (before.isEmpty() || own.isEmpty() || !before.get().isGoneFor(own.get())) {
            return false;
        }
        boolean isDone = tree.change(List.of(
                new SharedTree.Change.Delete(path, there.version()), new SharedTree.Change.Create(path, ours, true)));
        if (isDone) {
            LOG.info(
                    "member replaced: node={} reason=\"the process that had this name is gone\" pid={}",
                    node,
                    before.get().pid());
        }
        return isDone;
    }
}
