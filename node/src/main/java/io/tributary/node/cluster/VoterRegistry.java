package io.tributary.node.cluster;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.replicate.FollowerCopy;
import io.tributary.dumper.replicate.Witnesses;
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
 * The leader's care that whoever acknowledges counts in the next election, and that enough of those who count there have all that was
 * acknowledged: a follower's word counts once the coordinator knows of it. A follower that is new, or whose files began anew, becomes one of them
 * when it has caught up; a change of {@code dumper.ack} or {@code cluster.dumpers} takes effect when enough have what it asks for.
 * Give it a thread of its own: it waits for the coordinator.
 */
public final class ElectorRoll implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(ElectorRoll.class);
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Reign reign;
    private final Quorum quorum;
    private final FollowerCopy self;
    private final Supplier<BinlogPlace> shown;
    private final Supplier<List<FollowerCopy>> followers;
    private final Members members;
    private final Witnesses witnesses;
    private final Runnable letThrough;
    private final Clock clock;
    private long nextNanos;
    private boolean isLetThrough;
    private String refused = "";

    /**
     * @param quorum as this node is configured
     * @param self this node, and where its reign begins
     * @param shown up to where readers may read
     * @param followers who copy now
     * @param witnesses counts nobody yet
     * @param letThrough run once readers may read all that this node has, where no follower has to have it
     */
    public ElectorRoll(
            Reign reign,
            Quorum quorum,
            FollowerCopy self,
            Supplier<BinlogPlace> shown,
            Supplier<List<FollowerCopy>> followers,
            Members members,
            Witnesses witnesses,
            Runnable letThrough,
            Clock clock) {
        this.reign = reign;
        this.quorum = quorum;
        this.self = self;
        this.shown = shown;
        this.followers = followers;
        this.members = members;
        this.witnesses = witnesses;
        this.letThrough = letThrough;
        this.clock = clock;
        this.nextNanos = clock.nanoTime();
    }

    @Override
    public String name() {
        return "electors";
    }

    @Override
    public int doWork() {
        if (clock.nanoTime() - nextNanos < 0 || !reign.lease().holds()) {
            return 0;
        }
        nextNanos = clock.nanoTime() + EVERY_NANOS;
        try {
            look();
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.CLUSTER_UNREACHABLE) {
                throw e;
            }
            LOG.debug("asks again", e);
            nextNanos = clock.nanoTime() + AGAIN_NANOS;
        }
        return 0;
    }

    private void look() {
        Optional<Electors> known = reign.electors();
        Electors next = next(known);
        if (!known.equals(Optional.of(next))) {
            witnesses.count(both(known, next)); // while it changes, only who counts before and after
            if (!isSafe(known, next) || !reign.change(next)) {
                count(reign.electors());
                return;
            }
            LOG.info(
                    "of {} {} have to stand in an election; {} of them have what readers see",
                    next.byNode().keySet(),
                    next.election(),
                    next.copies());
        }
        count(Optional.of(next));
    }

    private void count(Optional<Electors> now) {
        Optional<Electors> allowed = now.filter(known -> known.allow(quorum));
        witnesses.count(allowed.map(Electors::byNode).orElse(Map.of()));
        if (allowed.isPresent() && quorum.followers() == 0 && !isLetThrough) {
            isLetThrough = true;
            letThrough.run();
        }
    }

    private Map<String, String> both(Optional<Electors> known, Electors next) {
        Map<String, String> both = new HashMap<>();
        known.filter(before -> before.allow(quorum))
                .ifPresent(before -> before.byNode().forEach((node, copy) -> {
                    if (next.counts(node, copy)) {
                        both.put(node, copy);
                    }
                }));
        return both;
    }

    /** Who should count: those who do, this node, and whoever has all that is acknowledged, as far as there is room. */
    private Electors next(Optional<Electors> known) {
        if (known.isPresent() && !known.get().allow(quorum)) {
            return new Electors(quorum.copies(), known.get().byNode()); // of fewer copies more have to stand
        }
        Map<String, String> nodes = new TreeMap<>(known.map(Electors::byNode).orElse(Map.of()));
        List<FollowerCopy> now = followers.get();
        add(self, nodes, now);
        now.stream().filter(this::isComplete).forEach(each -> add(each, nodes, now));
        while (nodes.size() > quorum.dumpers() && dropAbsent(nodes, now)) {
            LOG.debug("fewer Dumpers than before: {}", nodes.keySet());
        }
        return new Electors(quorum.copies(), nodes);
    }

    private void add(FollowerCopy follower, Map<String, String> nodes, List<FollowerCopy> now) {
        boolean hasRoom =
                nodes.containsKey(follower.member()) || nodes.size() < quorum.dumpers() || dropAbsent(nodes, now);
        if (hasRoom && !follower.copy().isEmpty()) {
            nodes.put(follower.member(), follower.copy());
        } else if (!refused.equals(follower.member())) {
            refused = follower.member();
            LOG.error(
                    "what {} acknowledges does not count: expected cluster.dumpers = {} Dumpers, there are {} already",
                    follower.member(),
                    quorum.dumpers(),
                    nodes.keySet());
        }
    }

    /** Makes room: one that is not there now has nothing that enough others do not have. */
    private boolean dropAbsent(Map<String, String> nodes, List<FollowerCopy> now) {
        List<String> there = members.list().stream().map(Member::id).toList();
        Optional<String> absent = nodes.keySet().stream()
                .filter(node -> !node.equals(self.member()) && !there.contains(node))
                .filter(node -> now.stream().noneMatch(each -> each.member().equals(node)))
                .findFirst();
        absent.ifPresent(nodes::remove);
        return absent.isPresent();
    }

    /** Whether it has all that is acknowledged, and all that this leader found. */
    private boolean isComplete(FollowerCopy follower) {
        return follower.place().compareTo(self.place()) >= 0 && follower.place().compareTo(shown.get()) >= 0;
    }

    /** Whether all that was acknowledged is on as many of the next ones as they say. */
    private boolean isSafe(Optional<Electors> known, Electors next) {
        boolean isOnlyFewerCopies = known.isPresent()
                && known.get().byNode().equals(next.byNode())
                && next.copies() <= known.get().copies();
        long complete = followers.get().stream()
                .filter(each -> next.counts(each.member(), each.copy()) && isComplete(each))
                .count();
        return isOnlyFewerCopies || next.counts(self.member(), self.copy()) && complete >= next.copies() - 1;
    }

    @Override
    public long restNanos() {
        return EVERY_NANOS;
    }

    @Override
    public void close() {}
}
