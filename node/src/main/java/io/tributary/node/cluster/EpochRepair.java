package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replaces an epoch that no election can have given by a usable one, at an operator's request. */
final class EpochRepair {
    /** Distance to the newest epoch in files: leaders that led only briefly may have had epochs that no Dumper's files contain. */
    private static final int GAP = 1000;

    private final SharedTree tree;

    EpochRepair(SharedTree tree) {
        this.tree = tree;
    }

    /**
     * Writes an epoch that is far above those in all Dumpers' files, and removes a leader that no election chose.
     *
     * @return the epoch that was written; the next leader has the one above
     * @throws TributaryException CLUSTER_MISMATCH if a repair is not allowed; nothing is changed
     */
    long repair() {
        tree.sync();
        SharedTree.Node broken = tree.read(SharedTree.EPOCH)
                .orElseThrow(() -> refused("expected an epoch, found none: there is nothing to repair"));
        requireBroken(broken.fields());
        Map<String, SharedTree.Node> candidates = tree.children(SharedTree.CANDIDATES);
        requireAll(candidates);
        long known = candidates.entrySet().stream()
                .map(each -> each.getValue().fields().candidate(each.getKey()))
                .mapToLong(each -> CutEpoch.leader(each.position().epoch()))
                .max()
                .orElseThrow(() -> refused("expected the Dumpers as candidates, found none: start all of them"));
        List<SharedTree.Change> changes = new ArrayList<>();
        changes.add(new SharedTree.Change.Write(
                SharedTree.EPOCH, broken.version(), NodeRecord.none().with("epoch", known + GAP)));
        tree.read(SharedTree.LEADER)
                .ifPresent(leader -> changes.add(new SharedTree.Change.Delete(SharedTree.LEADER, leader.version())));
        if (!tree.change(changes)) {
            throw refused("expected no change meanwhile, found one: run it again");
        }
        return known + GAP;
    }

    private void requireBroken(NodeRecord epoch) {
        try {
            throw refused("expected an epoch that cannot be used, found " + epoch.epoch()
                    + ": no repair is needed, the next leader has the epoch above it");
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.CLUSTER_DAMAGED) {
                throw e;
            }
        }
    }

    /** All voters have to be candidates: each of them may have the newest epoch. */
    private void requireAll(Map<String, SharedTree.Node> candidates) {
        Optional<Voters> voters =
                tree.read(SharedTree.VOTERS).map(known -> known.fields().voters());
        List<String> missing = voters.stream()
                .flatMap(known -> known.byNode().keySet().stream())
                .filter(node -> !candidates.containsKey(node))
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            throw refused("expected all voters as candidates, found none of " + missing
                    + ": start them, or run tributary cluster forget for those that are lost for good");
        }
    }

    private TributaryException refused(String message) {
        return new TributaryException(ErrorCode.CLUSTER_MISMATCH, tree.where() + ": " + message);
    }
}
