package io.tributary.node.cluster;

import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.CountedVoters;
import io.tributary.binlog.replicate.FollowerCopy;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's stage that maintains the voters. It makes sure that every Dumper whose acknowledgements count is a voter in the next election, and
 * that enough voters have everything that was acknowledged: a follower's acknowledgement counts only after the coordinator has stored it as a
 * voter. A follower that is new, or whose files were created again, becomes a voter when it has caught up. A change of {@code dumper.ack} or
 * {@code cluster.dumpers} takes effect when enough Dumpers have the data that it requires.
 * Needs its own thread, because it waits for the coordinator.
 */
public final class VoterRegistry implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(VoterRegistry.class);
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LeaderTerm term;
    private final Quorum quorum;
    private final ReplicatedLog log;
    private final Members members;
    private final Clock clock;
    private long nextNanos;
    private boolean isReadAllowed;
    private String refusedMember = "";

    /**
     * The leader's log and the copies of it.
     *
     * @param own the leader's copy, up to where its term begins
     * @param followers that copy now
     * @param readable position up to which readers may read
     * @param allowReads called once when readers may read everything that this node has, if no follower has to have it
     * @param countedVoters the voters whose acknowledgements count; still empty
     */
    public record ReplicatedLog(
            FollowerCopy own,
            Supplier<List<FollowerCopy>> followers,
            Supplier<FileOffset> readable,
            Runnable allowReads,
            CountedVoters countedVoters) {}

    /** @param quorum as this node is configured */
    public VoterRegistry(LeaderTerm term, Quorum quorum, ReplicatedLog log, Members members, Clock clock) {
        this.term = term;
        this.quorum = quorum;
        this.log = log;
        this.members = members;
        this.clock = clock;
        this.nextNanos = clock.nanoTime();
    }

    @Override
    public String name() {
        return "voters";
    }

    @Override
    public int doWork() {
        if (clock.nanoTime() - nextNanos < 0 || !term.lease().holds()) {
            return 0;
        }
        nextNanos = clock.nanoTime() + EVERY_NANOS;
        try {
            update();
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.CLUSTER_UNREACHABLE) {
                throw e;
            }
            LOG.debug("voters not updated: action=retry", e);
            nextNanos = clock.nanoTime() + RETRY_NANOS;
        }
        return 0;
    }

    private void update() {
        Optional<Voters> known = term.voters();
        Voters next = next(known);
        if (!known.equals(Optional.of(next))) {
            log.countedVoters.count(both(known, next)); // during the change only voters before and after it count
            if (!isSafe(known, next) || !term.change(next)) {
                count(term.voters());
                return;
            }
            LOG.info(
                    "voters changed: voters={} election.needs={} copies={}",
                    next.byNode().keySet(),
                    next.election(),
                    next.copies());
        }
        count(Optional.of(next));
    }

    private void count(Optional<Voters> now) {
        Optional<Voters> allowed = now.filter(known -> known.allow(quorum));
        log.countedVoters.count(allowed.map(Voters::byNode).orElse(Map.of()));
        if (allowed.isPresent() && quorum.followers() == 0 && !isReadAllowed) {
            isReadAllowed = true;
            log.allowReads.run();
        }
    }

    private Map<String, String> both(Optional<Voters> known, Voters next) {
        Map<String, String> both = new HashMap<>();
        known.filter(before -> before.allow(quorum))
                .ifPresent(before -> before.byNode().forEach((node, copy) -> {
                    if (next.counts(node, copy)) {
                        both.put(node, copy);
                    }
                }));
        return both;
    }

    /** The voters that should count: the current ones, this node, and each follower that has everything acknowledged, up to the number of Dumpers. */
    private Voters next(Optional<Voters> known) {
        if (known.isPresent() && !known.get().allow(quorum)) {
            return new Voters(quorum.copies(), known.get().byNode()); // fewer copies: an election needs more candidates
        }
        Map<String, String> nodes = new TreeMap<>(known.map(Voters::byNode).orElse(Map.of()));
        List<FollowerCopy> now = log.followers.get();
        add(log.own, nodes, now);
        now.stream().filter(this::isComplete).forEach(each -> add(each, nodes, now));
        while (nodes.size() > quorum.dumpers() && dropAbsent(nodes, now)) {
            LOG.debug(
                    "absent voter removed: reason=\"cluster.dumpers is lower than before\" voters={}", nodes.keySet());
        }
        return new Voters(quorum.copies(), nodes);
    }

    private void add(FollowerCopy follower, Map<String, String> nodes, List<FollowerCopy> now) {
        boolean hasRoom =
                nodes.containsKey(follower.member()) || nodes.size() < quorum.dumpers() || dropAbsent(nodes, now);
        if (hasRoom && !follower.copy().isEmpty()) {
            nodes.put(follower.member(), follower.copy());
        } else if (!refusedMember.equals(follower.member())) {
            refusedMember = follower.member();
            LOG.error(
                    "follower not counted: member={} reason=\"expected cluster.dumpers voters, found that many others\""
                            + " cluster.dumpers={} voters={}",
                    follower.member(),
                    quorum.dumpers(),
                    nodes.keySet());
        }
    }

    /** Removes one voter that is absent: enough others have all that it has. Returns whether there was one. */
    private boolean dropAbsent(Map<String, String> nodes, List<FollowerCopy> now) {
        List<String> there = members.list().stream().map(ClusterMember::id).toList();
        Optional<String> absent = nodes.keySet().stream()
                .filter(node -> !node.equals(log.own.member()) && !there.contains(node))
                .filter(node -> now.stream().noneMatch(each -> each.member().equals(node)))
                .findFirst();
        absent.ifPresent(nodes::remove);
        return absent.isPresent();
    }

    /** Whether the follower has everything that is acknowledged, and everything that this leader had when its term began. */
    private boolean isComplete(FollowerCopy follower) {
        return follower.place().compareTo(log.own.place()) >= 0
                && follower.place().compareTo(log.readable.get()) >= 0;
    }

    /** Whether everything that was acknowledged is on at least {@link Voters#copies} of the next voters. */
    private boolean isSafe(Optional<Voters> known, Voters next) {
        boolean isOnlyFewerCopies = known.isPresent()
                && known.get().byNode().equals(next.byNode())
                && next.copies() <= known.get().copies();
        long complete = log.followers.get().stream()
                .filter(each -> next.counts(each.member(), each.copy()) && isComplete(each))
                .count();
        return isOnlyFewerCopies || next.counts(log.own.member(), log.own.copy()) && complete >= next.copies() - 1;
    }

    @Override
    public long restNanos() {
        return EVERY_NANOS;
    }

    @Override
    public void close() {}
}
