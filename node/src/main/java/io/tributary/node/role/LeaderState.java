package io.tributary.node.role;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.Severity;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.dumper.replicate.FollowerCopy;
import io.tributary.dumper.replicate.LeadStage;
import io.tributary.dumper.replicate.Witnesses;
import io.tributary.node.cluster.ElectorRoll;
import io.tributary.node.cluster.Reign;
import io.tributary.node.cluster.Resignation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A Dumper of a cluster while it leads: proves itself, has followers and readers. Pipelines that write come and go within it. */
final class Reigning implements AutoCloseable {
    private final DumperParts parts;
    private final Reign reign;
    private final Quorum quorum;
    private final Metrics metrics;
    private final StageRunner pulse;
    private final StageRunner roll;
    private final Witnesses witnesses = Witnesses.none();
    private final Members members;
    private final ReaderDesk desk;
    private volatile BinlogFiles files; // null before the first recovery
    private final Upkeep upkeep;
    private volatile Leading leading; // null without followers, and before
    private volatile TaskStream newest; // null before the first
    private volatile FailureSink current = cause -> {};
    private volatile TributaryException broken; // null while all that outlives the pipelines goes on

    /**
     * @param members who are there
     * @param resigning asked whether it is to resign
     */
    Reigning(DumperParts parts, Reign reign, Quorum quorum, Members members, Resigning resigning) {
        this.parts = parts;
        this.members = members;
        this.reign = reign;
        this.quorum = quorum;
        this.metrics = parts.metrics().child();
        this.upkeep = parts.upkeep(false, metrics, this::failed);
        this.desk = parts.desk(false, metrics);
        this.pulse = new StageRunner((stage, cause) -> broke(Failures.of(stage.name(), cause)));
        this.roll = new StageRunner((stage, cause) -> broke(Failures.of(stage.name(), cause)));
        pulse.onOneThread(List.of(reign.pulse(), new ResignStage(reign.epoch(), () -> resigning.resigns(this))));
        pulse.start();
    }

    /** What outlives the pipelines has failed, perhaps while none runs that could be told. */
    private void failed(TributaryException cause) {
        if (cause.code().severity() == Severity.RETRY) {
            current.failed(cause);
        } else {
            broke(cause);
        }
    }

    private void broke(TributaryException cause) {
        broken = cause;
        current.failed(cause);
    }

    boolean holds() {
        return reign.lease().holds();
    }

    long epoch() {
        return reign.epoch();
    }

    /**
     * Recovers, takes followers and readers, and writes what the Task sends from there on.
     *
     * @param choice asked for the Task then: without one followers still come to have all, and readers read
     */
    AutoCloseable write(Supplier<HostPort> choice, FailureSink failure) {
        current = failure;
        if (broken != null) {
            reign.lease().end();
            throw broken;
        }
        if (leading != null && leading.hasFailed()) {
            reign.lease().end();
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "resigns from epoch " + reign.epoch() + ", under which it can have no followers any more");
        }
        BinlogConfig binlog = parts.binlog();
        Optional<HostPort> chosen = Optional.empty();
        if (files != null) { // without a Task the last file need not be read once a second
            upkeep.keep(files);
            chosen = Optional.of(choice.get());
        }
        Recovered recovered = recover(binlog);
        upkeep.keep(files);
        desk.open(files, binlog.version());
        HostPort task = chosen.orElseGet(choice);
        BinlogFiles now = files;
        TaskStream stream = new TaskStream(
                parts, reign, recovered, task, () -> now.durableEnd().cut(), metrics.child(), failure);
        newest = stream;
        stream.start();
        return stream;
    }

    /** The first time the files get a first cut of this epoch. */
    private Recovered recover(BinlogConfig binlog) {
        if (files != null) {
            return Recovery.run(parts.directory(), binlog, parts.clock()).into(files);
        }
        long first = CutEpoch.of(reign.epoch());
        Recovered recovered =
                Recovery.runForLeader(parts.directory(), binlog, last -> Math.max(last, first), parts.clock());
        files = recovered.files();
        boolean hasBegun = false;
        try {
            lead();
            hasBegun = true;
        } finally {
            if (!hasBegun) {
                reign.lease().end(); // it would go on without followers
            }
        }
        return recovered;
    }

    /** Takes followers; readers see what enough of them have. */
    private void lead() {
        BinlogPlace begins = BinlogPlace.of(files.writtenEnd());
        files.holdBackAll();
        if (quorum.dumpers() > 1) {
            leading = new Leading(
                    parts.replicate(),
                    parts.identity(),
                    new LeadStage.Reign(
                            reign.epoch(),
                            begins,
                            quorum.followers(),
                            witnesses,
                            reign.lease(),
                            quorum.followers() > 0 ? reign.lease()::prove : asked -> {}),
                    files,
                    metrics.child(),
                    parts.clock(),
                    cause -> current.failed(cause));
        }
        roll.onOneThread(List.of(new ElectorRoll(
                reign,
                quorum,
                new FollowerCopy(parts.node(), parts.copyId(), begins),
                () -> BinlogPlace.of(files.durableEnd()),
                () -> leading == null ? List.of() : leading.followers(),
                members,
                witnesses,
                files::letThrough,
                parts.clock())));
        roll.start();
    }

    /** Opens for readers once enough followers have something. */
    void look() {
        BinlogFiles now = files;
        if (now != null && !desk.isOpen()) {
            desk.open(now, parts.binlog().version());
        }
    }

    /** How many chunks the newest stream has brought. */
    long chunks() {
        TaskStream stream = newest;
        return stream == null ? 0 : stream.chunks();
    }

    /** Up to where readers may have read; {@link BinlogPlace#NONE} for nothing. */
    BinlogPlace shown() {
        BinlogFiles now = files;
        return now == null || !now.isReadable() ? BinlogPlace.NONE : BinlogPlace.of(now.durableEnd());
    }

    /** Number of the newest cut that readers see. */
    long durableCut() {
        BinlogFiles now = files;
        return now == null ? 0 : now.durableEnd().cut();
    }

    ReaderDesk desk() {
        return desk;
    }

    /**
     * Why it should resign; any thread.
     *
     * @param unreachedNanos for how long it has reached no Task
     */
    Optional<String> reason(Resignation resignation, long unreachedNanos) {
        Leading followed = leading;
        TaskStream stream = newest;
        return resignation.reason(
                durableCut(),
                followed == null ? 0 : followed.silentNanos(),
                stream == null ? 0 : stream.diskNanos(),
                unreachedNanos,
                witnesses.names());
    }

    void addTo(Map<String, String> facts) {
        facts.put("state.in.cluster", "leads");
        facts.put("epoch", Long.toString(reign.epoch()));
        facts.put("leader", parts.node());
        facts.put("lease.left.ms", Long.toString(reign.lease().leftNanos() / 1_000_000));
        desk.addTo(facts);
        BinlogFiles now = files;
        if (now != null) {
            DurableEnd end = now.durableEnd();
            facts.put("server.uuid", now.serverUuid().toString());
            facts.put("binlog", end.file() + ":" + end.offset());
            facts.put("gtid.executed", now.executed().line());
            facts.put("gtid.purged", now.purged().line());
        }
        TaskStream stream = newest;
        if (stream != null) {
            stream.addTo(facts);
        }
        if (leading != null) {
            leading.addTo(facts);
        }
    }

    /** Writes and acknowledges nothing any more, before it is closed; any thread. */
    void ends() {
        reign.lease().end();
    }

    /** They look for the next leader; before it is closed, any thread. */
    void letReadersGo() {
        desk.end();
    }

    /** Ends all that it began, and resigns; nothing may be writing. */
    @Override
    public void close() {
        reign.lease().end();
        desk.end(); // readers look for the next leader
        if (leading != null) {
            leading.close();
        }
        roll.close();
        pulse.close();
        reign.close(); // the others need not wait for the desk's threads to end
        desk.close();
        upkeep.close();
        metrics.close();
    }
}
