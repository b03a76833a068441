package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CopiedFiles;
import io.tributary.dumper.Recovery;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.LastLeader;
import io.tributary.node.cluster.Reign;
import io.tributary.node.cluster.Resignation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Dumper that finds the others by itself: copies the leader while there is one, stands for election while there is none, and leads when
 * it is elected. It never copies and stands at once.
 */
final class ClusterDumper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterDumper.class);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1); // readers wait

    private final DumperParts parts;
    private final Coordinator coordinator;
    private final Quorum quorum;
    private final StopSignal stop;
    private final Runnable meanwhile;
    private final TaskChoice tasks;
    private final Supervisor supervisor;
    private volatile Reigning reigning; // null while it does not lead
    private volatile Following following; // null while it does not follow
    private final LastLeader last;
    private final Resigning resigning;
    private BinlogPlace shown = BinlogPlace.NONE; // what readers anywhere may have seen, as far as this process knows
    private volatile FailureSink current = cause -> {};

    /**
     * @param patience with which it leads where it cannot do its work
     * @param meanwhile done by the same thread now and then
     */
    ClusterDumper(
            DumperParts parts,
            Coordinator coordinator,
            Quorum quorum,
            Duration lease,
            Duration patience,
            StopSignal stop,
            Runnable meanwhile) {
        this.parts = parts;
        this.coordinator = coordinator;
        this.quorum = quorum;
        this.stop = stop;
        this.meanwhile = meanwhile;
        this.last = new LastLeader(lease, parts.clock());
        this.tasks = new TaskChoice(coordinator.members(), coordinator::claims, lease, parts.clock()::nanoTime);
        this.resigning = new Resigning(
                coordinator,
                new Resignation(parts.node(), quorum, coordinator.members(), patience, parts.clock()),
                tasks::unreachedNanos,
                lease,
                parts.clock());
        this.supervisor = new Supervisor(stop, new Pauses(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS), this::reached);
        boolean hasFiles = parts.directory().newestVersion().isPresent();
        UUID own = parts.directory().serverUuid();
        parts.directory().adopt(coordinator.identify(hasFiles ? Optional.of(own) : Optional.empty(), own));
        parts.backup().begin(parts.directory().serverUuid());
    }

    Supervisor supervisor() {
        return supervisor;
    }

    /** However it ends, the lead is given up at once: what else the node has to end may take a while. */
    void run() throws InterruptedException {
        try {
            supervisor.run(this::start, this::look);
        } finally {
            if (reigning != null) {
                LOG.info("gives up the lead of epoch {}: {}", reigning.epoch(), supervisor.state());
                leave();
            }
        }
    }

    private long reached() {
        Following now = following;
        Reigning leads = reigning;
        return leads != null ? leads.durableCut() : now == null ? 0 : now.reached();
    }

    private AutoCloseable start(FailureSink failure) throws InterruptedException {
        current = failure;
        if (reigning != null && !reigning.holds()) {
            leave();
        }
        if (reigning != null) {
            return lead(failure);
        }
        LogPosition ours = position();
        while (!stop.isRequested()) {
            Optional<Leader> leader = newestLeader();
            if (leader.isPresent() && !leader.get().node().equals(parts.node())) {
                coordinator.withdraw();
                LeaderPlace place = LeaderPlace.of(leader.get(), coordinator.members());
                if (last.is(place) || !place.isRefused()) { // one that has just been elected may not listen yet
                    return follow(place, failure);
                }
            } else if (leader.isPresent()) { // this node's own, from before: its folder's lock is held here
                coordinator.depose(leader.get().epoch());
            } else if (resigning.mayStand()) {
                last.forget();
                boolean hasConfirmed = !ours.equals(LogPosition.NOTHING);
                Duration bound = hasConfirmed ? last.bound() : Duration.ZERO;
                Optional<Reign> won = coordinator.stand(ours, parts.copyId(), bound);
                if (won.isPresent()) {
                    resigning.leads();
                    tasks.leads();
                    reigning = new Reigning(parts, won.get(), quorum, coordinator.members(), resigning);
                    return lead(failure);
                }
            }
            meanwhile.run();
            stop.await(STEP_NANOS);
        }
        return () -> {};
    }

    /** While the coordinator does not answer, the one that was copied before: this node has not stood since, so nobody was elected by it. */
    private Optional<Leader> newestLeader() {
        try {
            return coordinator.askLeader();
        } catch (TributaryException e) {
            Optional<Leader> before = last.leader();
            if (before.isPresent() && e.code() == ErrorCode.CLUSTER_UNREACHABLE) {
                LOG.warn("{} | copies from {} again", e.line(), before.get().node());
                return before;
            }
            throw e;
        }
    }

    /** Where the files end; nothing is made. Where there are none, what will be there is another copy than what may have been. */
    private LogPosition position() {
        CopiedFiles found = Recovery.runForCopies(parts.directory(), parts.binlog(), parts.clock());
        if (found.files().isEmpty()) {
            parts.directory().renewCopyId(parts.clock());
            return LogPosition.NOTHING;
        }
        List<BinlogFile> files = found.files().get().written();
        BinlogFile last = files.get(files.size() - 1);
        long epoch = found.tail().cut().epoch();
        return new LogPosition(
                epoch, last.number(), last.written(), found.tail().cut().number());
    }

    private AutoCloseable lead(FailureSink failure) {
        try {
            return reigning.write(tasks::next, cause -> {
                tasks.failed(cause);
                failure.failed(cause);
            });
        } catch (TributaryException e) {
            if (!reigning.holds()) { // it could not begin, and by its first cut it would win again
                resigning.standAside(reigning);
            }
            throw e;
        }
    }

    private AutoCloseable follow(LeaderPlace place, FailureSink failure) throws InterruptedException {
        if (last.is(place) && place.isRefused()) {
            coordinator.depose(place.leader().epoch());
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "nobody listens at " + place.at() + ", where "
                            + place.leader().node() + " led");
        }
        last.begins();
        Following now = new Following(parts, place.leader(), place.at(), shown, coordinator.leadership(), failure);
        following = now;
        return () -> {
            following = null;
            now.close();
            shown = now.log().acknowledged();
            now.heardNanos().ifPresent(nanos -> last.confirmed(place, nanos));
        };
    }

    private void look() {
        Reigning leads = reigning;
        Following follows = following;
        try {
            meanwhile.run();
            if (leads != null) {
                leads.look();
                tasks.lost(leads.chunks()).ifPresent(current::failed);
                moveIfAsked(leads);
            } else if (follows != null) {
                follows.look();
            }
        } catch (TributaryException e) {
            current.failed(e);
        }
    }

    /** An operator wants another leader: this one resigns, and does not stand for a while. */
    private void moveIfAsked(Reigning leads) {
        Optional<Coordinator.Move> move = coordinator.move().filter(wish -> wish.epoch() == leads.epoch());
        boolean isAsked = move.isPresent()
                && !move.get().to().filter(parts.node()::equals).isPresent();
        if (isAsked && leads.holds()) {
            LOG.info(
                    "an operator has the leadership moved{}",
                    move.get().to().map(to -> " to " + to).orElse(""));
            current.failed(new TributaryException(
                    ErrorCode.EPOCH_OVER, "epoch " + leads.epoch() + " ends, as an operator wants"));
            resigning.standAside(leads);
        }
    }

    private void leave() {
        Reigning ended = reigning;
        reigning = null;
        shown = ended.shown().compareTo(shown) > 0 ? ended.shown() : shown;
        ended.close();
    }

    Optional<ReaderDesk> desk() {
        Reigning leads = reigning;
        Following follows = following;
        return leads != null
                ? Optional.of(leads.desk())
                : Optional.ofNullable(follows).flatMap(Following::desk);
    }

    void addTo(Map<String, String> facts) {
        Reigning leads = reigning;
        Following follows = following;
        if (leads != null) {
            leads.addTo(facts);
        } else if (follows != null) {
            follows.addTo(facts);
        } else {
            facts.put("state.in.cluster", "stands for election");
        }
        facts.put(
                "quorum",
                quorum.election() + " of " + quorum.dumpers() + " Dumpers elect, " + quorum.copies()
                        + " have what readers see");
    }

    @Override
    public void close() {
        if (reigning != null) {
            leave();
        }
        parts.directory().close();
    }
}
