package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts a usable epoch in place of one that no election can have given, at an operator's word. */
final class EpochRepair {
    /** Leaders may have led under epochs that no Dumper's files show, for a moment each. */
    private static final int GAP = 1000;

    private final SharedTree tree;

    EpochRepair(SharedTree tree) {
        this.tree = tree;
    }

    /**
     * Takes an epoch well above that of all Dumpers' files, and removes a leader that nobody elected.
     *
     * @return it; the next leader's is one above
     * @throws TributaryException CLUSTER_MISMATCH where that must not be; nothing is changed
     */
    long repair() {
        tree.catchUp();
        SharedTree.Node broken = tree.read(SharedTree.EPOCH)
                .orElseThrow(() -> refused("expected an epoch, found none: there is nothing to repair"));
        requireBroken(broken.fields());
        Map<String, SharedTree.Node> candidates = tree.children(SharedTree.CANDIDATES);
        requireAll(candidates);
        long known = candidates.entrySet().stream()
                .map(each -> each.getValue().fields().candidate(each.getKey()))
                .mapToLong(each -> CutEpoch.leader(each.position().epoch()))
                .max()
                .orElseThrow(
                        () -> refused("expected the Dumpers to stand for election, found none: start all of them"));
        List<SharedTree.Change> changes = new ArrayList<>();
        changes.add(new SharedTree.Change.Write(
                SharedTree.EPOCH, broken.version(), Fields.none().with("epoch", known + GAP)));
        tree.read(SharedTree.LEADER)
                .ifPresent(leader -> changes.add(new SharedTree.Change.Delete(SharedTree.LEADER, leader.version())));
        if (!tree.change(changes)) {
            throw refused("expected nothing to change meanwhile: run it again");
        }
        return known + GAP;
    }

    private void requireBroken(Fields epoch) {
        try {
            throw refused("expected an epoch that cannot be used, found " + epoch.epoch()
                    + ": the next leader continues above it by itself");
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.CLUSTER_DAMAGED) {
                throw e;
            }
        }
    }

    /** Any of those who count may be the one with the newest epoch. */
    private void requireAll(Map<String, SharedTree.Node> candidates) {
        Optional<Electors> electors =
                tree.read(SharedTree.ELECTORS).map(known -> known.fields().electors());
        List<String> missing = electors.stream()
                .flatMap(known -> known.byNode().keySet().stream())
                .filter(node -> !candidates.containsKey(node))
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            throw refused("expected all Dumpers that count in elections to stand, found none of " + missing
                    + ": start them, or run tributary cluster forget for those that are lost for good");
        }
    }

    private TributaryException refused(String message) {
        return new TributaryException(ErrorCode.CLUSTER_MISMATCH, tree.where() + ": " + message);
    }
}
