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
 * One Dumper's part in elections: publishes its position, and becomes leader by one ZooKeeper transaction. The transaction succeeds only if all
 * candidates that the result depends on are still candidates, and no other epoch was assigned meanwhile. For one thread.
 */
final class ZooKeeperElection {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperElection.class);

    private final SharedTree tree;
    private final String node;
    private final Quorum quorum;
    private final Duration lease;
    private final Clock clock;
    private final Map<Long, Long> seenNanos = new HashMap<>(); // by czxid: when each candidate's node was seen first
    private boolean mayBeCandidate = true; // whether a candidate's node may exist: an earlier process may have left one
    private int reportedVersion = -1; // of the newest epoch
    private LeaderTerm term; // the newest of this node; null before the first

    /** State in ZooKeeper before an election. The election succeeds only if none of it has changed. */
    private record Seen(
            SharedTree.Node epoch,
            Optional<SharedTree.Node> voters,
            int candidatesVersion,
            Map<String, SharedTree.Node> candidates) {
        boolean isLastOver() {
            return epoch.fields().flag("over");
        }
    }

    ZooKeeperElection(SharedTree tree, String node, Quorum quorum, Duration lease, Clock clock) {
        this.tree = tree;
        this.node = node;
        this.quorum = quorum;
        this.lease = lease;
        this.clock = clock;
    }

    /** @param ours this node's candidacy */
    Optional<LeaderTerm> campaign(Candidate ours) {
        if (term != null && term.lease().holds()) {
            return Optional.empty();
        }
        publish(ours);
        SharedTree.Node epoch =
                tree.createIfAbsent(SharedTree.EPOCH, NodeRecord.none().with("epoch", 0));
        warnUnlessElected(epoch);
        Optional<SharedTree.Node> leader = tree.read(SharedTree.LEADER);
        if (leader.isPresent()) {
            leader.filter(there -> there.owner() == tree.session())
                    .ifPresent(there -> endUnknownTerm(there.fields().number("epoch")));
            return Optional.empty();
        }
        if (isOfThisCopy(epoch.fields(), ours)) {
            LOG.info(
                    "earlier leader is gone: epoch={} reason=\"it used the files that this process has locked\"",
                    epoch.fields().number("epoch"));
            ZooKeeperLeaderTerm.end(tree, epoch.fields().number("epoch"));
            return Optional.empty();
        }
        Seen seen = new Seen(
                epoch,
                tree.read(SharedTree.VOTERS),
                tree.createIfAbsent(SharedTree.CANDIDATES, NodeRecord.none()).version(),
                tree.children(SharedTree.CANDIDATES));
        List<Candidate> candidates = new ArrayList<>();
        seen.candidates()
                .forEach((name, published) -> candidates.add(published.fields().candidate(name)));
        requireNotTooMany(candidates, seen.voters().map(known -> known.fields().voters()), ours);
        Optional<Election.Outcome> outcome = election(seen).decide(candidates);
        boolean isOurs = outcome.isPresent() && outcome.get().winner().node().equals(node);
        return isOurs && areFree(seen, outcome.get().counted()) ? lead(outcome.get(), seen) : Optional.empty();
    }

    /** Warns of an epoch that was written by hand. It counts, because it is above all earlier ones: a restore from a backup needs that. */
    private void warnUnlessElected(SharedTree.Node epoch) {
        long number = epoch.fields().epoch();
        boolean isElected = number == 0 || epoch.fields().text("node").isPresent();
        if (!isElected && reportedVersion != epoch.version()) {
            LOG.warn(
                    "epoch without an election found: zookeeper={} epoch={} next.epoch={} reason=\"written by an operator or by a stranger\""
                            + " action=\"if no operator wrote it, set cluster.zookeeper.auth\"",
                    tree.where(),
                    number,
                    number + 1);
        }
        reportedVersion = epoch.version();
    }

    private Election election(Seen seen) {
        NodeRecord last = seen.epoch().fields();
        boolean beganWithFiles = tree.read(SharedTree.IDENTITY)
                .filter(known -> known.fields().flag("files"))
                .isPresent();
        Election.Past past = new Election.Past(
                last.number("epoch"),
                seen.voters().map(known -> known.fields().voters()),
                last.flag("afresh"),
                beganWithFiles);
        return new Election(quorum, past, preferred(past.epoch()));
    }

    /** Ends a term that ZooKeeper assigns to this node, which is not leader: the answer to the election, or the end of the term, was lost. */
    private void endUnknownTerm(long epoch) {
        LOG.info(
                "unknown leader term ended: epoch={} reason=\"zookeeper names this node, which is not leader\"", epoch);
        ZooKeeperLeaderTerm.end(tree, epoch);
    }

    /**
     * Whether the newest term, which was not ended, was this node's with these files. This process now holds the lock on the files that the leading
     * process had, so that process is gone and relies on no acknowledgement any more.
     */
    private static boolean isOfThisCopy(NodeRecord epoch, Candidate ours) {
        return !epoch.flag("over")
                && epoch.text("node").filter(ours.node()::equals).isPresent()
                && epoch.text("copy").filter(ours.copy()::equals).isPresent();
    }

    /**
     * Publishes the candidate in a node of this session, and replaces a node of an earlier session. The version of a new node is always 0. So the
     * parent's version counts how often a node was created: it shows a reader of the earlier node that there was another since.
     */
    private void publish(Candidate candidate) {
        String path = SharedTree.CANDIDATES + "/" + node;
        Optional<SharedTree.Node> published = tree.read(path);
        boolean isPublished = published.isPresent()
                && published.get().owner() == tree.session()
                && published.get().fields().candidate(node).isAs(candidate);
        if (!isPublished) {
            mayBeCandidate = true;
            published.ifPresent(old -> tree.delete(path));
            tree.write(SharedTree.CANDIDATES, NodeRecord.none());
            tree.create(path, NodeRecord.of(candidate), true);
            LOG.info("candidate for leader: position={}", candidate.position());
        }
    }

    void withdraw() {
        if (mayBeCandidate) {
            tree.delete(SharedTree.CANDIDATES + "/" + node);
            mayBeCandidate = false;
        }
        seenNanos.clear();
    }

    /** If the voters are known, only a Dumper that is not one of them is too many: it fails, and the others elect. */
    private void requireNotTooMany(List<Candidate> candidates, Optional<Voters> voters, Candidate ours) {
        Predicate<Candidate> counts = each ->
                voters.map(known -> known.counts(each.node(), each.copy())).orElse(true);
        boolean areTooMany = candidates.stream().filter(counts).count() > quorum.dumpers();
        boolean isOneTooMany = candidates.size() > quorum.dumpers() && !counts.test(ours);
        if (areTooMany || isOneTooMany) {
            throw new TributaryException(
                    ErrorCode.CLUSTER_MISMATCH,
                    "expected cluster.dumpers = " + quorum.dumpers() + " Dumpers at " + tree.where() + ", found "
                            + candidates.stream().map(Candidate::node).toList()
                            + ": set it to the number of Dumpers, on all of them, or stop the one that is too many");
        }
        candidates.stream()
                .filter(other -> !other.quorum().equals(quorum))
                .forEach(other -> LOG.warn(
                        "candidate has another quorum: node={} quorum=\"{}\" own.quorum=\"{}\""
                                + " action=\"set cluster.dumpers and dumper.ack to the same values on all Dumpers\"",
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

    /** Whether no earlier leader may still rely on what the candidates confirmed to it. */
    private boolean areFree(Seen seen, List<Candidate> counted) {
        long now = clock.nanoTime();
        seen.candidates().values().forEach(published -> seenNanos.putIfAbsent(published.czxid(), now));
        return seen.isLastOver()
                || counted.stream().allMatch(each -> {
                    long since =
                            seenNanos.get(seen.candidates().get(each.node()).czxid());
                    return now - since >= each.bound().toNanos();
                });
    }

    /** Makes this node leader and ends its candidacy, since the position that it published is soon too old to count. */
    private Optional<LeaderTerm> lead(Election.Outcome outcome, Seen seen) {
        long asked = clock.nanoTime();
        if (!tree.change(changes(outcome, seen))) {
            LOG.debug("election failed: reason=\"state in zookeeper has changed\"");
            return Optional.empty();
        }
        LOG.info(
                "elected as leader: epoch={} candidates={} previous.epoch={}",
                outcome.epoch(),
                outcome.counted().stream().map(Candidate::node).toList(),
                CutEpoch.text(outcome.winner().position().epoch()));
        term = new ZooKeeperLeaderTerm(
                tree,
                new ZooKeeperLeaderTerm.WonElection(
                        outcome.epoch(), seen.epoch().version() + 1, seen.voters(), asked),
                clock,
                lease);
        return Optional.of(term);
    }

    private List<SharedTree.Change> changes(Election.Outcome outcome, Seen seen) {
        List<SharedTree.Change> changes = new ArrayList<>();
        changes.add(new SharedTree.Change.HasVersion(SharedTree.CANDIDATES, seen.candidatesVersion()));
        seen.voters()
                .ifPresent(known -> changes.add(new SharedTree.Change.HasVersion(SharedTree.VOTERS, known.version())));
        for (Candidate each : outcome.counted()) {
            String path = SharedTree.CANDIDATES + "/" + each.node();
            int version = seen.candidates().get(each.node()).version();
            changes.add(
                    each.node().equals(node)
                            ? new SharedTree.Change.Delete(path, version)
                            : new SharedTree.Change.HasVersion(path, version));
        }
        NodeRecord epoch = NodeRecord.none()
                .with("epoch", outcome.epoch())
                .with("node", node)
                .with("copy", outcome.winner().copy());
        changes.add(new SharedTree.Change.Write(
                SharedTree.EPOCH, seen.epoch().version(), outcome.beganEmpty() ? epoch.withFlag("afresh") : epoch));
        changes.add(new SharedTree.Change.Create(
                SharedTree.LEADER, NodeRecord.of(new Leader(node, outcome.epoch())), true));
        return changes;
    }
}
