package io.tributary.dumper.replicate;

import io.tributary.common.cluster.Lease;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Arrivals;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's side of the copying: sends the files to the followers as they grow, and lets readers have what enough of them have
 * acknowledged. It lives for one reign. Give it a thread of its own: it reads files.
 */
public final class LeadStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(LeadStage.class);
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int QUIET_PARTS = 8;
    private static final String ENDS = "the leader ends";

    private final Reign reign;
    private final BinlogFiles files;
    private final Clock clock;
    private final LeaderState state;
    private final Arrivals<FollowerLine> opened = new Arrivals<>();
    private final List<FollowerSession> sessions = new ArrayList<>();
    private final ByteBuffer chunk;
    private final Count bytes = new Count();
    private volatile List<FollowerCopy> followers = List.of();
    private BinlogPlace acknowledged = BinlogPlace.NONE;
    private long movedNanos;
    private volatile long saidNanos; // when enough followers had said something last
    private boolean isLate;
    private volatile boolean isClosed;

    /**
     * One time of leading.
     *
     * @param epoch above that of every leader before
     * @param begins where this epoch begins in the files
     * @param needed how many followers have to have what readers see; 0: none
     * @param witnesses whose acknowledgements count
     * @param lease asked before anything is let through to readers
     * @param heard told that enough followers have answered what was sent at a time of the clock or later, ns
     */
    public record Reign(
            long epoch, BinlogPlace begins, int needed, Witnesses witnesses, Lease lease, LongConsumer heard) {}

    /** @param files whose readable end is held back, where followers are needed */
    public LeadStage(
            ReplicateConfig config,
            LogIdentity identity,
            Reign reign,
            BinlogFiles files,
            Metrics metrics,
            Clock clock) {
        this.reign = reign;
        this.files = files;
        this.clock = clock;
        this.movedNanos = clock.nanoTime();
        this.saidNanos = movedNanos;
        this.chunk = ByteBuffer.allocate((int) config.chunk().bytes());
        AckCount acks = new AckCount(Math.max(1, reign.needed()), reign.begins(), reign.witnesses());
        long quiet = config.keepAlive().toNanos() / QUIET_PARTS;
        this.state = new LeaderState(identity, files, reign.epoch(), acks, quiet, bytes, clock);
        metrics.register(Metric.LEAD_FOLLOWERS, () -> followers.size());
        metrics.register(Metric.LEAD_BYTES, bytes::value);
        metrics.register(Metric.LEAD_WAITING, this::waitingBytes);
    }

    /** A follower calls; any thread. */
    void accept(FollowerLine line) {
        opened.add(line);
        if (isClosed) {
            endOpened();
        }
    }

    /** Who copies, and how far each is; any thread. */
    public List<FollowerCopy> followers() {
        return followers;
    }

    @Override
    public String name() {
        return "lead";
    }

    /** @throws TributaryException EPOCH_OVER when its lease has run out */
    @Override
    public int doWork() {
        int done = 0;
        for (FollowerLine line = opened.poll(); line != null; line = opened.poll()) {
            sessions.add(new FollowerSession(state, line));
            done++;
        }
        for (FollowerSession session : List.copyOf(sessions)) {
            done += session.doWork(chunk);
            if (session.isOver()) {
                forget(session);
                done++;
            } else {
                endOthersNamed(session);
            }
        }
        if (done > 0) {
            tellFollowers();
            noteWords();
        }
        synchronized (reign.witnesses()) {
            letThrough();
        }
        warnIfLate();
        return done;
    }

    private void forget(FollowerSession session) {
        sessions.remove(session);
        session.close();
        session.member().ifPresent(member -> {
            boolean isElsewhere =
                    sessions.stream().anyMatch(other -> other.member().equals(session.member()));
            if (!isElsewhere) {
                state.acks().left(member);
                LOG.info("follower {} has gone, it was at {}", member, session.acknowledged());
            }
        });
    }

    /** A follower that comes again, while its call before has not been seen to break. */
    private void endOthersNamed(FollowerSession session) {
        sessions.stream()
                .filter(other -> other != session
                        && session.member().isPresent()
                        && other.member().equals(session.member())
                        && sessions.indexOf(other) < sessions.indexOf(session))
                .forEach(other -> other.end("a newer call of this follower has taken over"));
    }

    private void tellFollowers() {
        followers = sessions.stream()
                .filter(session -> session.member().isPresent() && !session.isOver())
                .map(FollowerSession::follower)
                .toList();
    }

    private void noteWords() {
        long[] said = sessions.stream()
                .flatMapToLong(session -> session.saidNanos().stream())
                .sorted()
                .toArray();
        if (said.length >= reign.needed() && reign.needed() > 0) {
            saidNanos = Math.max(saidNanos, said[said.length - reign.needed()]);
        }
    }

    /** For how long fewer followers than are needed have said anything, ns; 0 where none are needed. Any thread. */
    public long silentNanos() {
        return reign.needed() > 0 ? clock.nanoTime() - saidNanos : 0;
    }

    private void letThrough() {
        BinlogPlace enough = state.acks().place();
        if (!enough.equals(acknowledged)) {
            if (!reign.lease().holds()) {
                throw new TributaryException(
                        ErrorCode.EPOCH_OVER, "the lease of epoch " + reign.epoch() + " has run out");
            }
            acknowledged = enough;
            movedNanos = clock.nanoTime();
            if (reign.needed() > 0) {
                files.acknowledge(enough);
            }
        }
        state.acks().heard().ifPresent(reign.heard());
    }

    private void warnIfLate() {
        boolean waits = reign.needed() > 0 && waitingBytes() > 0;
        long now = clock.nanoTime();
        if (!waits) {
            movedNanos = now;
            if (isLate) {
                LOG.info("readers have all again: the followers have acknowledged it");
                isLate = false;
            }
        } else if (!isLate && now - movedNanos >= WARN_NANOS) {
            isLate = true;
            LOG.warn(
                    "readers wait: {} follower(s) of {} that copy now ({}) have to have what lies behind {}; writing goes on",
                    reign.needed(),
                    followers.size(),
                    followers,
                    acknowledged);
        }
    }

    /** Bytes that are durable here and not acknowledged; any thread. */
    public long waitingBytes() {
        return distance(
                files, files.durableEnd().file().number(), files.durableEnd().offset());
    }

    /** From a place to the end of what is written. */
    static long distance(BinlogFiles files, int number, long offset) {
        long bytes = 0;
        for (BinlogFile file : files.written()) {
            if (file.number() >= number) {
                bytes += file.written() - (file.number() == number ? offset : 0);
            }
        }
        return Math.max(0, bytes);
    }

    /** Ends all calls, those too that nobody has looked at yet. */
    @Override
    public void close() {
        isClosed = true;
        sessions.forEach(session -> {
            session.end(ENDS);
            session.close();
        });
        endOpened();
    }

    private void endOpened() {
        opened.drain(line -> line.end(new TributaryException(ErrorCode.STREAM_BROKEN, ENDS)));
    }
}
