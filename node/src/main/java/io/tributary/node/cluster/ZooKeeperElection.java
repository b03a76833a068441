package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
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
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Dumper's part in elections: shows its position, and takes the lead in one transaction that holds only if all those that make
 * it the winner still stand, and no other epoch was given out meanwhile. One thread uses it.
 */
final class ZooKeeperElection {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperElection.class);

    private final ZooKeeperTree tree;
    private final String node;
    private final Quorum quorum;
    private final Duration lease;
    private final Clock clock;
    private final Map<Long, Long> seenNanos = new HashMap<>(); // when each candidate's node was seen first
    private boolean mayStand; // whether a candidate's node may be there
    private Reign reign; // the newest of this node; null before the first

    ZooKeeperElection(ZooKeeperTree tree, String node, Quorum quorum, Duration lease, Clock clock) {
        this.tree = tree;
        this.node = node;
        this.quorum = quorum;
        this.lease = lease;
        this.clock = clock;
    }

    Optional<Reign> stand(LogPosition ours, Duration bound) {
        if (reign != null && reign.lease().holds()) {
            return Optional.empty();
        }
        show(new Candidate(node, ours, quorum, bound));
        Optional<ZooKeeperTree.Node> leader = tree.read(ZooKeeperTree.LEADER);
        if (leader.isPresent()) {
            leader.filter(there -> there.stat().getEphemeralOwner() == tree.session())
                    .ifPresent(there -> endUnknown(there.fields().number("epoch")));
            return Optional.empty();
        }
        int shownTimes =
                tree.createdOnce(ZooKeeperTree.CANDIDATES, Fields.none()).stat().getVersion();
        ZooKeeperTree.Node last =
                tree.createdOnce(ZooKeeperTree.EPOCH, Fields.none().with("epoch", 0));
        long epoch = last.fields().number("epoch");
        Map<String, ZooKeeperTree.Node> nodes = tree.children(ZooKeeperTree.CANDIDATES);
        List<Candidate> candidates = new ArrayList<>();
        nodes.forEach((name, shown) -> candidates.add(shown.fields().candidate(name)));
        requireNoMoreThanThereAre(candidates);
        Optional<Election.Outcome> outcome = new Election(quorum, epoch, preferred(epoch)).decide(candidates);
        boolean isOurs = outcome.isPresent() && outcome.get().winner().node().equals(node);
        return isOurs && areFree(nodes, outcome.get().counted())
                ? lead(outcome.get(), last, nodes, shownTimes)
                : Optional.empty();
    }

    /** This node does not lead, and ZooKeeper says that it does: an answer of the election, or the end of a reign, was lost on the way. */
    private void endUnknown(long epoch) {
        LOG.info("ZooKeeper has this node as leader of epoch {}, which it is not: ends that", epoch);
        tree.read(ZooKeeperTree.EPOCH)
                .filter(last -> last.fields().number("epoch") == epoch)
                .ifPresent(last -> ZooKeeperReign.end(tree, epoch, last.stat().getVersion()));
    }

    /**
     * Shows it in a node of this session's, whatever an earlier one has left. All versions begin at 0, so that the parent's counts how often
     * that was done: who has read the earlier node learns by it that there was another since.
     */
    private void show(Candidate candidate) {
        String path = ZooKeeperTree.CANDIDATES + "/" + node;
        Fields fields = Fields.of(candidate);
        Optional<ZooKeeperTree.Node> shown = tree.read(path);
        boolean isShown = shown.isPresent()
                && shown.get().stat().getEphemeralOwner() == tree.session()
                && shown.get().fields().candidate(node).position().equals(candidate.position());
        if (!isShown) {
            mayStand = true;
            shown.ifPresent(old -> tree.delete(path));
            tree.write(ZooKeeperTree.CANDIDATES, Fields.none());
            tree.create(path, fields, CreateMode.EPHEMERAL);
            LOG.info(
                    "stands for election with {}; {} of {} Dumpers have to",
                    candidate.position(),
                    quorum.election(),
                    quorum.dumpers());
        }
    }

    void withdraw() {
        if (mayStand) {
            tree.delete(ZooKeeperTree.CANDIDATES + "/" + node);
            mayStand = false;
        }
        seenNanos.clear();
    }

    private void requireNoMoreThanThereAre(List<Candidate> candidates) {
        if (candidates.size() > quorum.dumpers()) {
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
        return tree.read(ZooKeeperTree.MOVE)
                .map(node -> node.fields().move())
                .filter(move -> move.epoch() == epoch)
                .flatMap(Coordinator.Move::to);
    }

    /** Whether no leader before may still rely on what the candidates confirmed to it. */
    private boolean areFree(Map<String, ZooKeeperTree.Node> nodes, List<Candidate> counted) {
        long now = clock.nanoTime();
        nodes.values().forEach(shown -> seenNanos.putIfAbsent(shown.stat().getCzxid(), now));
        return counted.stream().allMatch(each -> {
            long seen = seenNanos.get(nodes.get(each.node()).stat().getCzxid());
            return now - seen >= each.bound().toNanos();
        });
    }

    /** The winner stands no more from then on: what it shows is soon too old to be counted. */
    private Optional<Reign> lead(
            Election.Outcome outcome, ZooKeeperTree.Node last, Map<String, ZooKeeperTree.Node> nodes, int shownTimes) {
        long asked = clock.nanoTime();
        CuratorFramework client = tree.client();
        boolean isElected = tree.ask(() -> {
            List<CuratorOp> operations = new ArrayList<>();
            operations.add(
                    client.transactionOp().check().withVersion(shownTimes).forPath(ZooKeeperTree.CANDIDATES));
            for (Candidate each : outcome.counted()) {
                String path = ZooKeeperTree.CANDIDATES + "/" + each.node();
                int version = nodes.get(each.node()).stat().getVersion();
                operations.add(
                        each.node().equals(node)
                                ? client.transactionOp()
                                        .delete()
                                        .withVersion(version)
                                        .forPath(path)
                                : client.transactionOp()
                                        .check()
                                        .withVersion(version)
                                        .forPath(path));
            }
            operations.add(client.transactionOp()
                    .setData()
                    .withVersion(last.stat().getVersion())
                    .forPath(
                            ZooKeeperTree.EPOCH,
                            Fields.none().with("epoch", outcome.epoch()).bytes()));
            operations.add(client.transactionOp()
                    .create()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(
                            ZooKeeperTree.LEADER,
                            Fields.of(new Leader(node, outcome.epoch())).bytes()));
            try {
                client.transaction().forOperations(operations);
                return true;
            } catch (KeeperException.BadVersionException
                    | KeeperException.NodeExistsException
                    | KeeperException.NoNodeException e) {
                LOG.debug("an election was overtaken", e);
                return false;
            }
        });
        if (!isElected) {
            return Optional.empty();
        }
        LOG.info(
                "was elected to lead under epoch {} by {}, behind {}",
                outcome.epoch(),
                outcome.counted().stream().map(Candidate::node).toList(),
                CutEpoch.text(outcome.winner().position().epoch()));
        reign = new ZooKeeperReign(tree, outcome.epoch(), last.stat().getVersion() + 1, clock, lease, asked);
        return Optional.of(reign);
    }
}
