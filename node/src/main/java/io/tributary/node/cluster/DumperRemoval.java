package io.tributary.node.cluster;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes a Dumper that is lost for good off those who have to stand in an election, at an operator's word. */
final class LostDumper {
    private final SharedTree tree;
    private final String node;

    LostDumper(SharedTree tree, String node) {
        this.tree = tree;
        this.node = node;
    }

    /**
     * What it bore witness to is then borne by one copy less: so many of the others have to stand that together they have all of it, as long
     * as there are so many.
     *
     * @param acceptsLoss whether what only Dumpers that are forgotten had may be lost
     * @return who is left; nobody where it was the last: then whoever has files counts
     * @throws TributaryException CLUSTER_MISMATCH where that must not be; nothing is changed
     */
    Electors forget(boolean acceptsLoss) {
        tree.catchUp();
        SharedTree.Node epoch = tree.createdOnce(SharedTree.EPOCH, Fields.none().with("epoch", 0));
        SharedTree.Node known = tree.read(SharedTree.ELECTORS)
                .orElseThrow(() -> refused("expected to find " + node
                        + " among those who count in elections, found nobody: nothing was acknowledged yet"));
        Electors now = known.fields().electors();
        requireMayGo(now, acceptsLoss);
        Map<String, String> left = new HashMap<>(now.byNode());
        left.remove(node);
        Electors next = new Electors(Math.max(1, now.copies() - 1), left);
        boolean isDone = tree.change(
                left.isEmpty()
                        ? nobodyCounts(epoch, known)
                        : List.of(
                                new SharedTree.Change.Unchanged(SharedTree.EPOCH, epoch.version()),
                                new SharedTree.Change.Write(SharedTree.ELECTORS, known.version(), Fields.of(next))));
        if (!isDone) {
            throw refused(
                    "expected nobody to be elected meanwhile: look at tributary cluster status, and run it again if nobody leads");
        }
        return next;
    }

    /** Whoever has files then counts, and nobody without: the epoch is said to be none of a cluster that has nothing yet. */
    private static List<SharedTree.Change> nobodyCounts(SharedTree.Node epoch, SharedTree.Node electors) {
        return List.of(
                new SharedTree.Change.Write(
                        SharedTree.EPOCH, epoch.version(), epoch.fields().with("afresh", "no")),
                new SharedTree.Change.Delete(SharedTree.ELECTORS, electors.version()));
    }

    private void requireMayGo(Electors now, boolean acceptsLoss) {
        List<String> names = now.byNode().keySet().stream().sorted().toList();
        if (!names.contains(node)) {
            throw refused("expected one of " + names + ", who count in elections, found " + node);
        }
        if (tree.read(SharedTree.MEMBERS + "/" + node).isPresent()) {
            throw refused("expected " + node + " to be lost, found it running: stop it for good before");
        }
        if (tree.read(SharedTree.LEADER).isPresent()) {
            throw refused("expected nobody to lead, found a leader: it goes on without " + node
                    + ", and takes another Dumper in its place as soon as one has all");
        }
        if (names.size() == 1 && !acceptsLoss) {
            throw refused("expected another Dumper than " + node
                    + " to be left, found none: what readers have seen and is not in the backup is lost with it; to go on with"
                    + " Dumpers that are restored from the backup, run it again with --accept-loss, and start them");
        }
        if (now.copies() == 1 && !acceptsLoss) {
            throw refused("what readers have seen may be on " + node
                    + " alone, or on it and others that were forgotten: to lose that, and have readers that got it set up anew, run it again"
                    + " with --accept-loss");
        }
    }

    private TributaryException refused(String message) {
        return new TributaryException(ErrorCode.CLUSTER_MISMATCH, tree.where() + ": " + message);
    }
}
