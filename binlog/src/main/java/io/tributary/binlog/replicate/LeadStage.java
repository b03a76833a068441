package io.tributary.binlog.replicate;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.common.cluster.Lease;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.InboundQueue;
import io.tributary.common.pipeline.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's side of replication: it sends the files to the followers as they grow, and lets readers read what enough followers have
 * acknowledged. It lives for one leader term. It needs its own thread, because it reads files.
 */
public final class LeadStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(LeadStage.class);
    private static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int QUIET_PARTS = 8;
    private static final String ENDS = "the leader ends";

    private final LeaderSettings term;
    private final BinlogFiles files;
    private final Clock clock;
    private final LeaderView state;
    private final InboundQueue<FollowerChannel> opened = new InboundQueue<>();
    private final List<FollowerSession> sessions = new ArrayList<>();
    private final ByteBuffer chunk;
    private final Count bytes = new Count();
    private volatile List<FollowerCopy> followers = List.of();
    private FileOffset acknowledged = FileOffset.NONE;
    private long movedNanos;
    private volatile long receivedNanos; // when messages of enough followers were received last
    private boolean isLate;
    private volatile boolean isClosed;

    /**
     * The settings of one leader term.
     *
     * @param epoch above the epoch of every earlier leader
     * @param begins where this epoch begins in the files
     * @param needed how many followers must have what readers read; 0: none
     * @param countedVoters the followers whose acknowledgements count
     * @param lease checked before readers may read more
     * @param answered notified that enough followers have answered a message that was sent at a time of the clock or later, ns
     */
    public record LeaderSettings(
            long epoch,
            FileOffset begins,
            int needed,
            CountedVoters countedVoters,
            Lease lease,
            LongConsumer answered) {}

    /** Creates the stage. */
    public LeadStage(ReplicationTransport transport, LeaderLog log, LeaderSettings term, Metrics metrics, Clock clock) {
        this.term = term;
        this.files = log.files();
        this.clock = clock;
        this.movedNanos = clock.nanoTime();
        this.receivedNanos = movedNanos;
        this.chunk = ByteBuffer.allocate((int) transport.chunk().bytes());
        AckCount acks = new AckCount(Math.max(1, term.needed()), term.begins(), term.countedVoters());
        long quiet = transport.keepAlive().toNanos() / QUIET_PARTS;
        this.state = new LeaderView(log, term.epoch(), acks, quiet, bytes, clock);
        metrics.register(Metric.LEAD_FOLLOWERS, () -> followers.size());
        metrics.register(Metric.LEAD_NEEDED, term::needed);
        metrics.register(Metric.LEAD_BYTES, bytes::value);
        metrics.register(Metric.LEAD_WAITING, this::waitingBytes);
    }

    /** Accepts a follower's call; any thread. */
    void accept(FollowerChannel channel) {
        opened.add(channel);
        if (isClosed) {
            endOpened();
        }
    }

    /** The followers that copy now, and the place of each; any thread. */
    public List<FollowerCopy> followers() {
        return followers;
    }

    @Override
    public String name() {
        return "lead";
    }

    /**
     * Does one step.
     *
     * @throws TributaryException EPOCH_OVER when the lease has expired
     */
    @Override
    public int doWork() {
        int done = 0;
        for (FollowerChannel channel = opened.poll(); channel != null; channel = opened.poll()) {
            sessions.add(new FollowerSession(state, channel));
            done++;
        }
        for (FollowerSession session : List.copyOf(sessions)) {
            done += session.doWork(chunk);
            if (session.isOver()) {
                remove(session);
                done++;
            } else {
                endOlderCalls(session);
            }
        }
        if (done > 0) {
            updateFollowers();
            updateReceived();
        }
        synchronized (term.countedVoters()) {
            publishAcknowledged();
        }
        warnIfLate();
        return done;
    }

    private void remove(FollowerSession session) {
        sessions.remove(session);
        session.close();
        session.member().ifPresent(member -> {
            boolean isElsewhere =
                    sessions.stream().anyMatch(other -> other.member().equals(session.member()));
            if (!isElsewhere) {
                state.acks().remove(member);
                LOG.info("follower left: follower={} place={}", member, session.acknowledged());
            }
        });
    }

    /** Ends an older call of a follower that has reconnected before the leader noticed the broken call. */
    private void endOlderCalls(FollowerSession session) {
        sessions.stream()
                .filter(other -> other != session
                        && session.member().isPresent()
                        && other.member().equals(session.member())
                        && sessions.indexOf(other) < sessions.indexOf(session))
                .forEach(other -> other.end("expected one call of this follower, found a newer one"));
    }

    private void updateFollowers() {
        followers = sessions.stream()
                .filter(session -> session.member().isPresent() && !session.isOver())
                .map(FollowerSession::follower)
                .toList();
    }

    private void updateReceived() {
        long[] received = sessions.stream()
                .flatMapToLong(session -> session.receivedNanos().stream())
                .sorted()
                .toArray();
        if (received.length >= term.needed() && term.needed() > 0) {
            receivedNanos = Math.max(receivedNanos, received[received.length - term.needed()]);
        }
    }

    /** How long messages of fewer followers than needed have been received, ns; 0 when none are needed. Any thread. */
    public long silentNanos() {
        return term.needed() > 0 ? clock.nanoTime() - receivedNanos : 0;
    }

    private void publishAcknowledged() {
        FileOffset enough = state.acks().place();
        if (!enough.equals(acknowledged)) {
            if (!term.lease().holds()) {
                throw new TributaryException(
                        ErrorCode.EPOCH_OVER,
                        "expected the lease of epoch " + term.epoch() + ", found that it has expired");
            }
            acknowledged = enough;
            movedNanos = clock.nanoTime();
            if (term.needed() > 0) {
                files.acknowledge(enough);
            }
        }
        state.acks().newestAnswered().ifPresent(term.answered());
    }

    private void warnIfLate() {
        boolean waits = term.needed() > 0 && waitingBytes() > 0;
        long now = clock.nanoTime();
        if (!waits) {
            movedNanos = now;
            if (isLate) {
                LOG.info("followers acknowledged all: place={}", acknowledged);
                isLate = false;
            }
        } else if (!isLate && now - movedNanos >= WARN_NANOS) {
            isLate = true;
            LOG.warn(
                    "readers wait for followers: needed={} copying={} followers=\"{}\" acknowledged={}",
                    term.needed(),
                    followers.size(),
                    followers,
                    acknowledged);
        }
    }

    /** Bytes that are durable here and not acknowledged yet; any thread. */
    public long waitingBytes() {
        return distance(
                files, files.durableEnd().file().number(), files.durableEnd().offset());
    }

    /** Number of bytes from a place to the end of what is written. */
    static long distance(BinlogFiles files, int number, long offset) {
        long bytes = 0;
        for (BinlogFile file : files.written()) {
            if (file.number() >= number) {
                bytes += file.written() - (file.number() == number ? offset : 0);
            }
        }
        return Math.max(0, bytes);
    }

    /** Ends all calls, including those that have no session yet. */
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
        opened.drain(channel -> channel.end(new TributaryException(ErrorCode.STREAM_BROKEN, ENDS)));
    }
}
