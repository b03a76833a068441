package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
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

    ZooKeeperElection(ZooKeeperTree tree, String node, Quorum quorum, Duration lease, Clock clock) {
        this.tree = tree;
        this.node = node;
        this.quorum = quorum;
        this.lease = lease;
        this.clock = clock;
    }

    Optional<Reign> stand(LogPosition ours, Duration bound) {
        show(new Candidate(node, ours, quorum, bound));
        if (tree.read(ZooKeeperTree.LEADER).isPresent()) {
            return Optional.empty();
        }
        ZooKeeperTree.Node last =
                tree.createdOnce(ZooKeeperTree.EPOCH, Fields.none().with("epoch", 0));
        long epoch = last.fields().number("epoch");
        Map<String, ZooKeeperTree.Node> nodes = tree.children(ZooKeeperTree.CANDIDATES);
        List<Candidate> candidates = new ArrayList<>();
        nodes.forEach((name, shown) -> candidates.add(shown.fields().candidate(name)));
        requireNoMoreThanThereAre(candidates);
        Optional<Election.Outcome> outcome = new Election(quorum, epoch, preferred(epoch)).decide(candidates);
        boolean isOurs = outcome.isPresent() && outcome.get().winner().node().equals(node);
        return isOurs && areFree(nodes, outcome.get().counted()) ? lead(outcome.get(), last, nodes) : Optional.empty();
    }

    /** Shows it in a node of this session's, whatever an earlier one has left. */
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
        return ZooKeeperCoordinator.move(tree)
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

    private Optional<Reign> lead(
            Election.Outcome outcome, ZooKeeperTree.Node last, Map<String, ZooKeeperTree.Node> nodes) {
        long asked = clock.nanoTime();
        CuratorFramework client = tree.client();
        boolean isElected = tree.ask(() -> {
            List<CuratorOp> operations = new ArrayList<>();
            for (Candidate each : outcome.counted()) {
                operations.add(client.transactionOp()
                        .check()
                        .withVersion(nodes.get(each.node()).stat().getVersion())
                        .forPath(ZooKeeperTree.CANDIDATES + "/" + each.node()));
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
                            Fields.of(new io.tributary.common.cluster.Leader(node, outcome.epoch()))
                                    .bytes()));
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
        return Optional.of(
                new ZooKeeperReign(tree, outcome.epoch(), last.stat().getVersion() + 1, clock, lease, asked));
    }
}
