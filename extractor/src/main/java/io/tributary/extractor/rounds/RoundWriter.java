package io.tributary.extractor.rounds;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.extractor.RoundAuthor;
import io.tributary.extractor.ShardConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that writes heartbeat rounds (ordering.md); there is one writer. First it takes over: it writes to every shard an epoch above all
 * that it has read, and from then on the shard refuses the previous writer. Then it writes rounds. Round n+1 begins only when every shard has
 * acknowledged round n, or has refused it because it is read-only; such a shard gets the newest round when it accepts writes again. A shard
 * that is included later is read and taken over alone, while the rounds of the others continue; then all shards are taken over again, and the
 * next round is its first.
 */
public final class RoundWriter implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(RoundWriter.class);

    private enum Phase {
        READ,
        TAKE_OVER,
        ROUNDS
    }

    private final HeartbeatSessions shards;
    private final List<HeartbeatSession> sessions;
    private final StageCalls calls = new StageCalls();
    private final HeartbeatConfig config;
    private final RoundRequest demand;
    private final RoundAuthor author;
    private final Clock clock;
    private final Count acknowledged = new Count();
    private final Count rounds = new Count();
    private final Count epochInForce = new Count();
    private final Count begun = new Count();

    private Phase phase = Phase.READ;
    private long epoch;
    private long takeoverClock;
    private long round;
    private boolean isUnderWay = true;
    private int open; // shards that have not acknowledged the current step
    private int passedOver; // those of them that refuse rounds
    private ReadOnlyShards readOnlyShards = ReadOnlyShards.NONE;
    private long startedAt;
    private JoiningShardState joining;

    /**
     * @param shards sessions with all shards; owned by this writer
     * @param known the newest round of the cut from which the node continues
     * @param demand the requests for rounds of the stages that wait; each round carries the newest committed TSO that the demand contains
     * @param author the writer
     */
    public RoundWriter(
            HeartbeatSessions shards,
            HeartbeatConfig config,
            NewestRound known,
            RoundRequest demand,
            RoundAuthor author) {
        this.shards = shards;
        this.sessions = shards.all();
        this.config = config;
        this.epoch = known.epoch();
        this.round = known.number();
        this.demand = demand;
        this.author = author;
        this.clock = shards.clock();
        this.startedAt = clock.nanoTime() - config.interval().toNanos();
        shards.metrics().register(Metric.ROUNDS, rounds::value);
    }

    @Override
    public String name() {
        return "rounds";
    }

    /**
     * Passes over read-only shards: the others continue to get rounds. Called before the stage runs. Without this call all shards wait for a
     * read-only one.
     *
     * @param listener notified of a shard that is passed over for a second, and when it accepts rounds again
     */
    public void passOver(ReadOnlyListener listener) {
        readOnlyShards = new ReadOnlyShards(listener, clock);
    }

    /** The listener that learns whether the merge of tokens must wait for a shard. */
    @FunctionalInterface
    public interface ReadOnlyListener {
        /** Called by the thread of the writer of rounds. */
        void changed(String shard, boolean isSilent);
    }

    /** The newest round that every shard has acknowledged, 0 before the first; any thread. */
    public long acknowledgedRound() {
        return acknowledged.value();
    }

    /** The newest round that was begun, 0 before the first; any thread. */
    public long begunRound() {
        return begun.value();
    }

    /** The epoch that every shard has acknowledged, 0 before the takeover; any thread. */
    public long epoch() {
        return epochInForce.value();
    }

    /**
     * Includes one more shard in the rounds, one at a time; any thread.
     *
     * @return completes when the shard refuses all earlier writers; the next round is the shard's first. Fails with the shard's refusal; then the
     *     others continue
     */
    public CompletableFuture<Void> include(String name, ShardConfig shard) {
        CompletableFuture<Void> included = new CompletableFuture<>();
        var unused = calls.submit(() -> {
                    if (joining != null) {
                        throw new IllegalStateException("shard " + joining.shard() + " is being included now");
                    }
                    joining = new JoiningShardState(shards.begin(name, shard), included);
                })
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        included.completeExceptionally(failure);
                    }
                });
        return included;
    }

    /** Excludes a shard: no further round is written to it, and none waits for it; any thread. */
    public CompletableFuture<Void> exclude(String name) {
        return calls.submit(() -> {
            if (joining != null && joining.shard().equals(name)) {
                joining.cancel();
                joining = null;
            }
            shards.remove(name);
            readOnlyShards.remove(name);
        });
    }

    @Override
    public int doWork() {
        int done = calls.run() + pollJoining();
        if (isUnderWay || open > 0) {
            done += poll();
            if (open > passedOver) {
                return done;
            }
        }
        if (isUnderWay) {
            isUnderWay = false;
            done += switch (phase) {
                case READ -> takeOver();
                case TAKE_OVER -> takenOver();
                case ROUNDS -> roundAcknowledged();
            };
        }
        if (phase == Phase.ROUNDS && joining != null && joining.isTakenOverAlone()) {
            return done + includeJoining();
        }
        return phase == Phase.ROUNDS && isDue() ? done + beginRound() : done;
    }

    private int poll() {
        int done = 0;
        open = 0;
        passedOver = 0;
        for (HeartbeatSession session : sessions) {
            done += session.poll();
            if (!session.isDone()) {
                open++;
                passedOver += phase == Phase.ROUNDS && readOnlyShards.isPassedOver(session) ? 1 : 0;
            }
        }
        readOnlyShards.report(sessions, passedOver > 0);
        return done;
    }

    /** Continues with the shard that is being included. A failure there does not affect the other shards. */
    private int pollJoining() {
        if (joining == null) {
            return 0;
        }
        try {
            return joining.poll(epoch, clock, author);
        } catch (TributaryException e) {
            joining.failed(e);
            shards.forgetMetrics(joining.shard());
            joining = null;
            return 1;
        }
    }

    private int includeJoining() {
        shards.add(joining.join());
        return takeOver();
    }

    private int takeOver() {
        for (HeartbeatSession session : sessions) {
            if (CutEpoch.leader(session.seenEpoch()) > CutEpoch.leader(epoch) && CutEpoch.leader(epoch) > 0) {
                throw session.superseded(epoch); // the next epoch would be one of a newer leader
            }
            epoch = Math.max(epoch, session.seenEpoch());
        }
        epoch++;
        takeoverClock = clock.epochMicros();
        sessions.forEach(session -> session.takeOver(epoch, takeoverClock, author));
        phase = Phase.TAKE_OVER;
        isUnderWay = true;
        return 1;
    }

    private int takenOver() {
        for (HeartbeatSession session : sessions) {
            boolean isOurs = session.seenEpoch() == epoch && session.seenClock() == takeoverClock;
            if (!isOurs) { // another writer was faster there: take over with a higher epoch
                LOG.warn(
                        "another writer of rounds was faster, taking over again: shard={} found.epoch={} own.epoch={}",
                        session.shard(),
                        session.seenEpoch(),
                        epoch);
                return takeOver();
            }
            round = Math.max(round, session.seenRound());
        }
        epochInForce.set(epoch);
        phase = Phase.ROUNDS;
        if (joining != null && joining.isJoined()) {
            joining.completed();
            joining = null;
        }
        LOG.info("writing rounds: above={} epoch={}", round, epoch);
        return 1;
    }

    private int roundAcknowledged() {
        if (passedOver == 0) {
            acknowledged.set(round);
        }
        rounds.add(1);
        return 1;
    }

    private boolean isDue() {
        return nanosToNext() <= 0;
    }

    private long nanosToNext() {
        Duration between = demand.isRequested() ? config.min() : config.interval();
        return startedAt + between.toNanos() - clock.nanoTime();
    }

    private int beginRound() {
        startedAt = clock.nanoTime();
        demand.clear();
        round++;
        begun.set(round);
        long now = clock.epochMicros();
        long tso = demand.committedTso();
        HeartbeatSession.Round next = new HeartbeatSession.Round(epoch, round, now, tso);
        sessions.forEach(session -> session.round(next));
        isUnderWay = true;
        return 1;
    }

    /** A shard that is being included is polled often; that does not take long. */
    @Override
    public long restNanos() {
        long rest = joining == null ? LONGEST_REST_NANOS : POLL_REST_NANOS;
        if (open > 0) {
            for (HeartbeatSession session : sessions) {
                rest = Math.min(rest, session.restNanos());
            }
        }
        if (isUnderWay) {
            for (HeartbeatSession session : sessions) {
                rest = Math.min(rest, session.restNanos());
            }
            return rest;
        }
        return Math.max(0, Math.min(rest, nanosToNext()));
    }

    @Override
    public void close() {
        calls.close();
        if (joining != null) {
            joining.cancel();
        }
        shards.close();
    }
}
