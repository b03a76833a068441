package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Dumper's part in elections: shows its position, and takes the lead in one transaction that holds only if all those that make
 * it the winner still stand, and no other epoch was given out meanwhile. One thread uses it.
 */
final class ZooKeeperElection {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperElection.class);

    private final SharedTree tree;
    private final String node;
    private final Quorum quorum;
    private final Duration lease;
    private final Clock clock;
    private final Map<Long, Long> seenNanos = new HashMap<>(); // when each candidate's node was seen first
    private boolean mayStand = true; // whether a candidate's node may be there: an earlier process may have left one
    private int toldVersion = -1; // of the newest epoch
    private Reign reign; // the newest of this node; null before the first

    /** What ZooKeeper says before an election; only what is still so when it is made counts. */
    private record Seen(
            SharedTree.Node epoch,
            Optional<SharedTree.Node> electors,
            int shownTimes,
            Map<String, SharedTree.Node> candidates) {
        boolean isLastOver() {
            return epoch.fields().isSaid("over");
        }
    }

    ZooKeeperElection(SharedTree tree, String node, Quorum quorum, Duration lease, Clock clock) {
        this.tree = tree;
        this.node = node;
        this.quorum = quorum;
        this.lease = lease;
        this.clock = clock;
    }

    /** @param ours of this node */
    Optional<Reign> stand(Candidate ours) {
        if (reign != null && reign.lease().holds()) {
            return Optional.empty();
        }
        show(ours);
        SharedTree.Node epoch = tree.createdOnce(SharedTree.EPOCH, Fields.none().with("epoch", 0));
        tellUnlessElected(epoch);
        Optional<SharedTree.Node> leader = tree.read(SharedTree.LEADER);
        if (leader.isPresent()) {
            leader.filter(there -> there.owner() == tree.session())
                    .ifPresent(there -> endUnknown(there.fields().number("epoch")));
            return Optional.empty();
        }
        if (isOfThisCopy(epoch.fields(), ours)) {
            LOG.info(
                    "the process that led under epoch {} had this node's files, and is gone",
                    epoch.fields().number("epoch"));
            ZooKeeperReign.end(tree, epoch.fields().number("epoch"));
            return Optional.empty();
        }
        Seen seen = new Seen(
                epoch,
                tree.read(SharedTree.ELECTORS),
                tree.createdOnce(SharedTree.CANDIDATES, Fields.none()).version(),
                tree.children(SharedTree.CANDIDATES));
        List<Candidate> candidates = new ArrayList<>();
        seen.candidates().forEach((name, shown) -> candidates.add(shown.fields().candidate(name)));
        requireNoMoreThanThereAre(
                candidates, seen.electors().map(known -> known.fields().electors()), ours);
        Optional<Election.Outcome> outcome = election(seen).decide(candidates);
        boolean isOurs = outcome.isPresent() && outcome.get().winner().node().equals(node);
        return isOurs && areFree(seen, outcome.get().counted()) ? lead(outcome.get(), seen) : Optional.empty();
    }

    /** An epoch that was written by hand counts, for it is above all that led: a restore needs that. Who wrote it should be known. */
    private void tellUnlessElected(SharedTree.Node epoch) {
        long number = epoch.fields().epoch();
        boolean isElected = number == 0 || epoch.fields().text("node").isPresent();
        if (!isElected && toldVersion != epoch.version()) {
            LOG.warn(
                    "{}: found epoch {}, which no election gave to a node: somebody wrote it. The next leader has epoch {}. If no operator"
                            + " wrote it, keep others out of ZooKeeper with cluster.zookeeper.auth",
                    tree.where(),
                    number,
                    number + 1);
        }
        toldVersion = epoch.version();
    }

    private Election election(Seen seen) {
        Fields last = seen.epoch().fields();
        boolean beganWithFiles = tree.read(SharedTree.IDENTITY)
                .filter(known -> known.fields().isSaid("files"))
                .isPresent();
        Election.Past past = new Election.Past(
                last.number("epoch"),
                seen.electors().map(known -> known.fields().electors()),
                last.isSaid("afresh"),
                beganWithFiles);
        return new Election(quorum, past, preferred(past.epoch()));
    }

    /** This node does not lead, and ZooKeeper says that it does: an answer of the election, or the end of a reign, was lost on the way. */
    private void endUnknown(long epoch) {
        LOG.info("ZooKeeper has this node as leader of epoch {}, which it is not: ends that", epoch);
        ZooKeeperReign.end(tree, epoch);
    }

    /**
     * Whether the newest reign, which nobody has ended, was this node's with these files: whoever holds them now, does so by a lock that the process
     * had that led, so it relies on nobody's word any more.
     */
    private static boolean isOfThisCopy(Fields epoch, Candidate ours) {
        return !epoch.isSaid("over")
                && epoch.text("node").filter(ours.node()::equals).isPresent()
                && epoch.text("copy").filter(ours.copy()::equals).isPresent();
    }

    /**
     * Shows it in a node of this session's, whatever an earlier one has left. All versions begin at 0, so that the parent's counts how often
     * that was done: who has read the earlier node learns by it that there was another since.
     */
    private void show(Candidate candidate) {
        String path = SharedTree.CANDIDATES + "/" + node;
        Optional<SharedTree.Node> shown = tree.read(path);
        boolean isShown = shown.isPresent()
                && shown.get().owner() == tree.session()
                && shown.get().fields().candidate(node).isAs(candidate);
        if (!isShown) {
            mayStand = true;
            shown.ifPresent(old -> tree.delete(path));
            tree.write(SharedTree.CANDIDATES, Fields.none());
            tree.create(path, Fields.of(candidate), true);
            LOG.info("stands for election with {}", candidate.position());
        }
    }

    void withdraw() {
        if (mayStand) {
            tree.delete(SharedTree.CANDIDATES + "/" + node);
            mayStand = false;
        }
        seenNanos.clear();
    }

    /** Where it is known who counts, only one that does not is too many: it ends, and the others elect. */
    private void requireNoMoreThanThereAre(List<Candidate> candidates, Optional<Electors> electors, Candidate ours) {
        Predicate<Candidate> counts = each ->
                electors.map(known -> known.counts(each.node(), each.copy())).orElse(true);
        boolean areTooMany = candidates.stream().filter(counts).count() > quorum.dumpers();
        boolean isOneTooMany = candidates.size() > quorum.dumpers() && !counts.test(ours);
        if (areTooMany || isOneTooMany) {
            throw new TributaryException(
                    ErrorCode.CLUSTER_MISMATCH,
                    "expected cluster.dumpers = " + quorum.dumpers() + " Dumpers at " + tree.where() + ", found "
                            + candidates.stream().map(Candidate::node).toList()
                            + ": set it to how many there are, on all of them, or stop the one that is too many");
        }
        candidates.stream()
                .filter(other -> !other.quorum().equals(quorum))
                .forEach(other -> LOG.warn(
                        "Dumper {} counts otherwise ({}, here {}): set cluster.dumpers and dumper.ack alike on all Dumpers",
                        other.node(),
                        other.quorum(),
                        quorum));
    }

    private Optional<String> preferred(long epoch) {
        return tree.read(SharedTree.MOVE)
                .map(node -> node.fields().move())
                .filter(move -> move.epoch() == epoch)
                .flatMap(Coordinator.Move::to);
    }

    /** Whether no leader before may still rely on what the candidates confirmed to it. */
    private boolean areFree(Seen seen, List<Candidate> counted) {
        long now = clock.nanoTime();
        seen.candidates().values().forEach(shown -> seenNanos.putIfAbsent(shown.born(), now));
        return seen.isLastOver()
                || counted.stream().allMatch(each -> {
                    long since =
                            seenNanos.get(seen.candidates().get(each.node()).born());
                    return now - since >= each.bound().toNanos();
                });
    }

    /** The winner stands no more from then on: what it shows is soon too old to be counted. */
    private Optional<Reign> lead(Election.Outcome outcome, Seen seen) {
        long asked = clock.nanoTime();
        if (!tree.change(changes(outcome, seen))) {
            LOG.debug("an election was overtaken");
            return Optional.empty();
        }
        LOG.info(
                "was elected to lead under epoch {} by {}, behind {}",
                outcome.epoch(),
                outcome.counted().stream().map(Candidate::node).toList(),
                CutEpoch.text(outcome.winner().position().epoch()));
        reign = new ZooKeeperReign(
                tree, outcome.epoch(), seen.epoch().version() + 1, seen.electors(), clock, lease, asked);
        return Optional.of(reign);
    }

    private List<SharedTree.Change> changes(Election.Outcome outcome, Seen seen) {
        List<SharedTree.Change> changes = new ArrayList<>();
        changes.add(new SharedTree.Change.Unchanged(SharedTree.CANDIDATES, seen.shownTimes()));
        seen.electors()
                .ifPresent(known -> changes.add(new SharedTree.Change.Unchanged(SharedTree.ELECTORS, known.version())));
        for (Candidate each : outcome.counted()) {
            String path = SharedTree.CANDIDATES + "/" + each.node();
            int version = seen.candidates().get(each.node()).version();
            changes.add(
                    each.node().equals(node)
                            ? new SharedTree.Change.Delete(path, version)
                            : new SharedTree.Change.Unchanged(path, version));
        }
        Fields epoch = Fields.none()
                .with("epoch", outcome.epoch())
                .with("node", node)
                .with("copy", outcome.winner().copy());
        changes.add(new SharedTree.Change.Write(
                SharedTree.EPOCH, seen.epoch().version(), outcome.isAfresh() ? epoch.saying("afresh") : epoch));
        changes.add(
                new SharedTree.Change.Create(SharedTree.LEADER, Fields.of(new Leader(node, outcome.epoch())), true));
        return changes;
    }
}
