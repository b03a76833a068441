package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Removes a Dumper that is lost for good from the voters, at an operator's request. */
final class DumperRemoval {
    private final SharedTree tree;
    private final String node;

    DumperRemoval(SharedTree tree, String node) {
        this.tree = tree;
        this.node = node;
    }

    /**
     * Removes the Dumper. Each acknowledged cut then counts as stored in one copy less, so that an election needs as many of the other voters as
     * together have all acknowledged cuts, as long as there are that many.
     *
     * @param acceptsLoss whether data that only removed Dumpers had may be lost
     * @return the voters that are left; none if it was the last one: then every Dumper that has files counts
     * @throws TributaryException CLUSTER_MISMATCH if it must not be removed; nothing is changed
     */
    Voters forget(boolean acceptsLoss) {
        tree.sync();
        SharedTree.Node epoch =
                tree.createIfAbsent(SharedTree.EPOCH, NodeRecord.none().with("epoch", 0));
        SharedTree.Node known = tree.read(SharedTree.VOTERS)
                .orElseThrow(() -> refused("expected to find " + node
                        + " among the voters, found no voters: nothing was acknowledged yet"));
        Voters now = known.fields().voters();
        requireRemovable(now, acceptsLoss);
        Map<String, String> left = new HashMap<>(now.byNode());
        left.remove(node);
        Voters next = new Voters(Math.max(1, now.copies() - 1), left);
        boolean isDone = tree.change(
                left.isEmpty()
                        ? removeAllVoters(epoch, known)
                        : List.of(
                                new SharedTree.Change.HasVersion(SharedTree.EPOCH, epoch.version()),
                                new SharedTree.Change.Write(SharedTree.VOTERS, known.version(), NodeRecord.of(next))));
        if (!isDone) {
            throw refused(
                    "expected no election meanwhile, found a change: run tributary cluster status, and run this again if there is no leader");
        }
        return next;
    }

    /** Afterwards every Dumper that has files counts, and none without files: the epoch is marked as that of a cluster that has data. */
    private static List<SharedTree.Change> removeAllVoters(SharedTree.Node epoch, SharedTree.Node voters) {
        return List.of(
                new SharedTree.Change.Write(
                        SharedTree.EPOCH, epoch.version(), epoch.fields().with("afresh", "no")),
                new SharedTree.Change.Delete(SharedTree.VOTERS, voters.version()));
    }

    private void requireRemovable(Voters now, boolean acceptsLoss) {
        List<String> names = now.byNode().keySet().stream().sorted().toList();
        if (!names.contains(node)) {
            throw refused("expected one of the voters " + names + ", found " + node);
        }
        if (tree.read(SharedTree.MEMBERS + "/" + node).isPresent()) {
            throw refused("expected " + node + " to be lost, found it running: stop it for good first");
        }
        if (tree.read(SharedTree.LEADER).isPresent()) {
            throw refused("expected no leader, found a leader: it continues without " + node
                    + ", and makes another Dumper a voter in its place as soon as one has all data");
        }
        if (names.size() == 1 && !acceptsLoss) {
            throw refused("expected another voter than " + node
                    + ", found none: transactions that readers have received and that are not in the backup are lost with it; to continue with"
                    + " Dumpers that are restored from the backup, run it again with --accept-loss, and start them");
        }
        if (now.copies() == 1 && !acceptsLoss) {
            throw refused("expected another copy of all that readers have received, found that it may be on " + node
                    + " alone, or on it and on Dumpers that were forgotten before: to accept that loss, run it again with --accept-loss, and set"
                    + " up again the readers that received it");
        }
    }

    private TributaryException refused(String message) {
        return new TributaryException(ErrorCode.CLUSTER_MISMATCH, tree.where() + ": " + message);
    }
}
