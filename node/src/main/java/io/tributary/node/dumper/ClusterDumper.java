package io.tributary.node.dumper;

import io.tributary.binlog.CopiedFiles;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.cluster.LeaderTerm;
import io.tributary.node.cluster.ResignPolicy;
import io.tributary.node.process.FailureSink;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.Supervisor;
import io.tributary.node.status.QuorumStatus;
import io.tributary.node.status.StatusPart;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Dumper of a cluster with a coordinator: copies the leader while there is one, is a candidate while there is none, and leads when it is
 * elected. It never copies while it is a candidate.
 */
public final class ClusterDumper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterDumper.class);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1); // readers wait

    private final DumperServices services;
    private final Coordinator coordinator;
    private final Quorum quorum;
    private final StopSignal stop;
    private final Runnable meanwhile;
    private final TaskChoice tasks;
    private final Supervisor supervisor;
    private final DumperStateMachine machine;
    private final LeaderHistory last;
    private final LeaderResigner resigner;

    private volatile FailureSink current = cause -> {};

    /** @param meanwhile run repeatedly by the same thread */
    public ClusterDumper(DumperServices services, Coordinator coordinator, StopSignal stop, Runnable meanwhile) {
        this.services = services;
        this.coordinator = coordinator;
        this.quorum = services.quorum();
        this.stop = stop;
        this.meanwhile = meanwhile;
        Duration lease = services.config().get(CoordinationConfig.class).lease();
        this.last = new LeaderHistory(lease, services.clock());
        this.tasks = new TaskChoice(coordinator.members(), coordinator::claims, lease, services.clock()::nanoTime);
        this.resigner = new LeaderResigner(
                coordinator,
                new ResignPolicy(
                        services.node(), quorum, coordinator.members(), services.resignTimeout(), services.clock()),
                tasks::unreachedNanos,
                lease,
                services.clock());
        this.machine = new DumperStateMachine(services, coordinator);
        this.supervisor = new Supervisor(
                stop,
                new Backoff(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS),
                () -> machine.state().progress());
        boolean hasFiles = services.directory().newestVersion().isPresent();
        UUID own = services.directory().serverUuid();
        services.directory().adopt(coordinator.identify(hasFiles ? Optional.of(own) : Optional.empty(), own));
        services.backup().begin(services.directory().serverUuid());
    }

    public Supervisor supervisor() {
        return supervisor;
    }

    /** Runs until the node stops or fails. A leader resigns at once then, because closing the rest of the node may take some time. */
    public void run() throws InterruptedException {
        try {
            supervisor.run(this::start, this::poll);
        } finally {
            if (machine.leading().isPresent()) {
                LOG.info(
                        "leader term ends with the node: epoch={} state=\"{}\"",
                        machine.leading().get().epoch(),
                        supervisor.state());
                machine.endTerm();
            }
        }
    }

    private AutoCloseable start(FailureSink failure) throws InterruptedException {
        current = failure;
        if (machine.leading().filter(leader -> !leader.holds()).isPresent()) {
            machine.endTerm();
        }
        Optional<LeaderState> leading = machine.leading();
        if (leading.isPresent()) {
            return lead(leading.get(), failure);
        }
        LogPosition ours = position();
        while (!stop.isRequested()) {
            Optional<Leader> leader = newestLeader();
            if (leader.isPresent() && !leader.get().node().equals(services.node())) {
                coordinator.withdraw();
                LeaderAddress place = LeaderAddress.of(leader.get(), coordinator.members());
                if (last.is(place) || !place.isRefused()) { // a leader that was just elected may not listen yet
                    return follow(place, failure);
                }
            } else if (leader.isPresent()) { // an earlier term of this node: this process holds the lock on its folder
                coordinator.supersede(leader.get().epoch());
            } else if (resigner.mayBeCandidate()) {
                last.forget();
                boolean hasConfirmed = !ours.equals(LogPosition.NOTHING);
                Duration bound = hasConfirmed ? last.bound() : Duration.ZERO;
                Optional<LeaderTerm> won = coordinator.campaign(ours, services.copyId(), bound);
                if (won.isPresent()) {
                    resigner.leads();
                    tasks.leads();
                    return lead(machine.lead(won.get(), quorum, resigner), failure);
                }
            }
            meanwhile.run();
            stop.await(STEP_NANOS);
        }
        return () -> {};
    }

    /** The newest leader; while the coordinator does not answer, the one that was copied last: this node was no candidate since then. */
    private Optional<Leader> newestLeader() {
        try {
            return coordinator.readLeader();
        } catch (TributaryException e) {
            Optional<Leader> before = last.leader();
            if (before.isPresent() && e.code() == ErrorCode.CLUSTER_UNREACHABLE) {
                LOG.warn(
                        "coordinator does not answer: leader={} effect=\"copies from the last known leader\" error=\"{}\"",
                        before.get().node(),
                        e.line());
                return before;
            }
            throw e;
        }
    }

    /** The end of the files; creates none. Without files the folder gets a new copy id, because its files were possibly lost. */
    private LogPosition position() {
        CopiedFiles found = Recovery.runForCopies(services.directory(), services.binlog(), services.clock());
        if (found.files().isEmpty()) {
            services.directory().renewCopyId(services.clock());
            return LogPosition.NOTHING;
        }
        List<BinlogFile> files = found.files().get().written();
        BinlogFile last = files.get(files.size() - 1);
        long epoch = found.tail().cut().epoch();
        return new LogPosition(
                epoch, last.number(), last.written(), found.tail().cut().number());
    }

    private AutoCloseable lead(LeaderState leads, FailureSink failure) {
        try {
            return leads.write(tasks::next, cause -> {
                tasks.failed(cause);
                failure.failed(cause);
            });
        } catch (TributaryException e) {
            if (!leads.holds()) { // it could not start, and its first cut would make it win again
                resigner.resign(leads);
            }
            throw e;
        }
    }

    private AutoCloseable follow(LeaderAddress place, FailureSink failure) throws InterruptedException {
        if (last.is(place) && place.isRefused()) {
            coordinator.supersede(place.leader().epoch());
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected leader " + place.leader().node() + " to listen at " + place.at()
                            + ", found that the connection is refused");
        }
        last.copyBegins();
        FollowerState follows = machine.follow(place, failure);
        return () -> {
            machine.unfollow();
            follows.confirmedNanos().ifPresent(nanos -> last.confirmed(place, nanos));
        };
    }

    private void poll() {
        DumperState now = machine.state();
        try {
            meanwhile.run();
            now.poll();
            if (now instanceof LeaderState leads) {
                tasks.lost(leads.chunks()).ifPresent(current::failed);
                resignIfRequested(leads);
            }
        } catch (TributaryException e) {
            current.failed(e);
        }
    }

    /** If an operator requests another leader, this one resigns, and is no candidate for some time. */
    private void resignIfRequested(LeaderState leads) {
        Optional<Coordinator.Move> move = coordinator.move().filter(request -> request.epoch() == leads.epoch());
        boolean isRequested = move.isPresent()
                && !move.get().to().filter(services.node()::equals).isPresent();
        if (isRequested && leads.holds()) {
            LOG.info(
                    "leader resigns: epoch={} reason=\"requested by an operator\" next={}",
                    leads.epoch(),
                    move.get().to().orElse("any"));
            current.failed(new TributaryException(
                    ErrorCode.EPOCH_OVER, "epoch " + leads.epoch() + " ends: an operator requested another leader"));
            resigner.resign(leads);
        }
    }

    /** The server of readers of the current state, if readers may connect to this node. */
    public Optional<ReaderService> readerService() {
        return machine.state().readerService();
    }

    /** Whether this Dumper leads, and readers may connect to it; any thread. */
    public boolean isServingAsLeader() {
        return machine.leading()
                .filter(LeaderState::holds)
                .flatMap(LeaderState::readerService)
                .filter(ReaderService::isOpen)
                .isPresent();
    }

    /** The status of the current state, and the numbers of Dumpers that elections need. */
    public List<StatusPart> parts() {
        return Stream.concat(machine.state().status().stream(), Stream.of(new QuorumStatus(quorum)))
                .toList();
    }

    @Override
    public void close() {
        if (machine.leading().isPresent()) {
            machine.endTerm();
        }
        services.directory().close();
    }
}
