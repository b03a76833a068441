package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CopiedFiles;
import io.tributary.dumper.Recovery;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.Reign;
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

    private final DumperParts parts;
    private final Coordinator coordinator;
    private final Quorum quorum;
    private final Duration lease;
    private final StopSignal stop;
    private final Runnable meanwhile;
    private final TaskChoice tasks;
    private final Supervisor supervisor;
    private volatile Reigning reigning; // null while it does not lead
    private volatile Following following; // null while it does not follow
    private Optional<LeaderPlace> heard = Optional.empty(); // who was copied last; empty since it has stood
    private long
            followedNanos; // when it last copied from a leader: an earlier process did so before this one began, if at
    // all
    private BinlogPlace shown = BinlogPlace.NONE; // what readers anywhere may have seen, as far as this process knows
    private boolean owesNothing; // whether the process that it copied last is known to be gone
    private long abstainsUntil;
    private boolean abstains;
    private volatile FailureSink current = cause -> {};

    /** @param meanwhile done by the same thread now and then */
    ClusterDumper(
            DumperParts parts,
            Coordinator coordinator,
            Quorum quorum,
            Duration lease,
            StopSignal stop,
            Runnable meanwhile) {
        this.parts = parts;
        this.coordinator = coordinator;
        this.quorum = quorum;
        this.lease = lease;
        this.stop = stop;
        this.meanwhile = meanwhile;
        this.followedNanos = parts.clock().nanoTime();
        this.tasks = new TaskChoice(coordinator);
        this.supervisor = new Supervisor(stop, new Pauses(), this::reached);
        boolean hasFiles = parts.directory().newestVersion().isPresent();
        UUID own = parts.directory().serverUuid();
        parts.directory().adopt(coordinator.identify(hasFiles ? Optional.of(own) : Optional.empty(), own));
    }

    Supervisor supervisor() {
        return supervisor;
    }

    void run() throws InterruptedException {
        supervisor.run(this::start, this::look);
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
            tasks.failed();
            return lead(failure);
        }
        LogPosition ours = position();
        while (!stop.isRequested()) {
            Optional<Leader> leader = newestLeader();
            if (leader.isPresent() && !leader.get().node().equals(parts.node())) {
                coordinator.withdraw();
                LeaderPlace place = place(leader.get());
                if (isHeard(place) || !place.isRefused()) { // one that has just been elected may not listen yet
                    return follow(place, failure);
                }
            } else if (leader.isPresent()) { // this node's own, from before: its folder's lock is held here
                coordinator.depose(leader.get().epoch());
            } else if (mayStand()) {
                forgetLeader();
                Optional<Reign> won = coordinator.stand(ours, parts.copyId(), bound(ours));
                if (won.isPresent()) {
                    reigning = new Reigning(parts, won.get(), quorum, coordinator.members());
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
            if (heard.isPresent() && e.code() == ErrorCode.CLUSTER_UNREACHABLE) {
                LOG.warn(
                        "{} | copies from {} again",
                        e.line(),
                        heard.get().leader().node());
                return heard.map(LeaderPlace::leader);
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

    /** What it confirmed last, it confirmed before it followed last, or before its process began; with nothing it never did. */
    private Duration bound(LogPosition ours) {
        if (owesNothing || ours.equals(LogPosition.NOTHING)) {
            return Duration.ZERO;
        }
        long since = parts.clock().nanoTime() - followedNanos;
        return Duration.ofNanos(Math.max(0, lease.toNanos() - since));
    }

    private boolean mayStand() {
        abstains = abstains && parts.clock().nanoTime() - abstainsUntil < 0;
        return !abstains;
    }

    private AutoCloseable lead(FailureSink failure) {
        return reigning.write(tasks::next, failure);
    }

    private LeaderPlace place(Leader leader) {
        return coordinator
                .members()
                .find(leader.node())
                .flatMap(Member::replicate)
                .map(at -> new LeaderPlace(leader, at))
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.STREAM_BROKEN,
                        "expected the leader " + leader.node() + " among the members, with an address; it has gone"));
    }

    private boolean isHeard(LeaderPlace place) {
        return heard.equals(Optional.of(place));
    }

    /** Copies from nobody from here on. Where the process that was copied last is gone, what was confirmed to it is no lease to wait for. */
    private void forgetLeader() {
        if (heard.isPresent() && heard.get().isRefused()) {
            owesNothing = true;
        }
        heard = Optional.empty();
    }

    private AutoCloseable follow(LeaderPlace place, FailureSink failure) throws InterruptedException {
        if (isHeard(place) && place.isRefused()) {
            coordinator.depose(place.leader().epoch());
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "nobody listens at " + place.at() + ", where "
                            + place.leader().node() + " led");
        }
        owesNothing = false;
        Following now = new Following(parts, place.leader(), place.at(), shown, coordinator.leadership(), failure);
        following = now;
        return () -> {
            following = null;
            now.close();
            shown = now.log().acknowledged();
            if (now.hasHeard()) {
                heard = Optional.of(place);
            }
            followedNanos = parts.clock().nanoTime();
        };
    }

    private void look() {
        meanwhile.run();
        Reigning leads = reigning;
        Following follows = following;
        try {
            if (leads != null) {
                leads.look();
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
        if (isAsked && !abstains) {
            LOG.info(
                    "an operator has the leadership moved{}",
                    move.get().to().map(to -> " to " + to).orElse(""));
            abstains = true;
            abstainsUntil = parts.clock().nanoTime() + 2 * lease.toNanos();
            current.failed(new TributaryException(
                    ErrorCode.EPOCH_OVER, "epoch " + leads.epoch() + " ends, as an operator wants"));
            leads.ends();
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
