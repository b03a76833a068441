package io.tributary.extractor;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageCalls;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of heartbeat rounds (ordering.md). First it takes over: it writes an epoch above every one seen to every shard, which
 * from then on refuses the writer before it. Then rounds: number n+1 begins only when every shard has acknowledged n, or has refused it because it
 * takes no writes; that one gets the newest round once it does. A shard that is
 * included later is read and taken over alone, beside the rounds of the others; then all are taken over again, and the next round is its
 * first.
 */
public final class RoundWriter implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(RoundWriter.class);

    private enum Phase {
        READ,
        TAKE_OVER,
        ROUNDS
    }

    private final List<HeartbeatLine> lines = new ArrayList<>();
    private final Map<String, Metrics> metricsOfLines = new HashMap<>();
    private final StageCalls calls = new StageCalls();
    private final ExtractorConfig extract;
    private final MysqlClient client;
    private final Metrics metrics;
    private final HeartbeatConfig config;
    private final RoundDemand demand;
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
    private int open; // shards that have not acknowledged what was begun
    private int passedOver; // those of them that refuse rounds
    private PassedOver silence = PassedOver.NOBODY;
    private long startedAt;
    private Arrival arrival;

    /**
     * @param shards all shards
     * @param knownEpoch the newest epoch of the cut from which the node continues; 0 for a new stream
     * @param knownRound the newest round that the cut knows of any shard; 0 for a new stream
     * @param demand asked for rounds by the stages that wait; each round carries the newest committed TSO that it was told of
     * @param author who writes them
     */
    public RoundWriter(
            ExtractorConfig shards,
            HeartbeatConfig config,
            long knownEpoch,
            long knownRound,
            RoundDemand demand,
            RoundAuthor author,
            MysqlClient client,
            Clock clock,
            Metrics metrics) {
        this.config = config;
        this.epoch = knownEpoch;
        this.round = knownRound;
        this.demand = demand;
        this.author = author;
        this.clock = clock;
        this.startedAt = clock.nanoTime() - config.interval().toNanos();
        this.extract = shards;
        this.client = client;
        this.metrics = metrics;
        shards.shards().forEach((name, shard) -> lines.add(newLine(name, shard)));
        metrics.register(Metric.ROUNDS, rounds::value);
    }

    private HeartbeatLine newLine(String name, ShardConfig shard) {
        Pause pause = new Pause(extract.reconnectMin(), extract.reconnectMax());
        HeartbeatLine line = new HeartbeatLine(name, shard.forRounds(), client, clock, pause);
        Metrics own = metrics.child();
        own.register(Metric.SHARD_CLOCK_ERROR, line::clockErrorSeconds, "shard", name);
        metricsOfLines.put(name, own);
        line.read();
        return line;
    }

    @Override
    public String name() {
        return "rounds";
    }

    /**
     * Has the others get rounds while a shard takes no writes; before it runs. Without it all wait for such a shard.
     *
     * @param silenced told of a shard that is passed over for a second, and when it takes rounds again
     */
    public void passOver(Silenced silenced) {
        silence = new PassedOver(silenced, clock);
    }

    /** Told whether to wait for a shard where others would be held back. */
    @FunctionalInterface
    public interface Silenced {
        /** By the thread of the writer of rounds. */
        void tell(String shard, boolean isSilent);
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
     * Has rounds go to one more shard, one at a time; any thread.
     *
     * @return completed when every writer before has been shut out there; the next round is the shard's first. Fails, and the others go
     *     on, with what the shard refused
     */
    public CompletableFuture<Void> include(String name, ShardConfig shard) {
        CompletableFuture<Void> included = new CompletableFuture<>();
        var unused = calls.tell(() -> {
                    if (arrival != null) {
                        throw new IllegalStateException("shard " + arrival.shard() + " is being included");
                    }
                    arrival = new Arrival(newLine(name, shard), included);
                })
                .whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        included.completeExceptionally(failure);
                    }
                });
        return included;
    }

    /** No further round goes to a shard, and none waits for it; any thread. */
    public CompletableFuture<Void> exclude(String name) {
        return calls.tell(() -> {
            if (arrival != null && arrival.shard().equals(name)) {
                arrival.cancel();
                arrival = null;
            }
            lines.stream().filter(line -> line.shard().equals(name)).forEach(HeartbeatLine::close);
            lines.removeIf(line -> line.shard().equals(name));
            silence.forget(name);
            forget(name);
        });
    }

    private void forget(String name) {
        Metrics own = metricsOfLines.remove(name);
        if (own != null) {
            own.close();
        }
    }

    @Override
    public int doWork() {
        int done = calls.run() + arrive();
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
        if (phase == Phase.ROUNDS && arrival != null && arrival.isOurs()) {
            return done + includeArrival();
        }
        return phase == Phase.ROUNDS && isDue() ? done + beginRound() : done;
    }

    private int poll() {
        int done = 0;
        open = 0;
        passedOver = 0;
        for (HeartbeatLine line : lines) {
            done += line.poll();
            if (!line.isDone()) {
                open++;
                passedOver += phase == Phase.ROUNDS && silence.isPassedOver(line) ? 1 : 0;
            }
        }
        silence.tell(lines, passedOver > 0);
        return done;
    }

    /** What the shard that is to be included refuses is no failure of the others. */
    private int arrive() {
        if (arrival == null) {
            return 0;
        }
        try {
            return arrival.poll(epoch, clock, author);
        } catch (TributaryException e) {
            arrival.failed(e);
            forget(arrival.shard());
            arrival = null;
            return 1;
        }
    }

    private int includeArrival() {
        lines.add(arrival.joinAll());
        return takeOver();
    }

    private int takeOver() {
        for (HeartbeatLine line : lines) {
            if (CutEpoch.leader(line.seenEpoch()) > CutEpoch.leader(epoch) && CutEpoch.leader(epoch) > 0) {
                throw line.deposed(epoch); // above it would be an epoch of a newer leader
            }
            epoch = Math.max(epoch, line.seenEpoch());
        }
        epoch++;
        takeoverClock = clock.epochMicros();
        lines.forEach(line -> line.takeOver(epoch, takeoverClock, author));
        phase = Phase.TAKE_OVER;
        isUnderWay = true;
        return 1;
    }

    private int takenOver() {
        for (HeartbeatLine line : lines) {
            boolean isOurs = line.seenEpoch() == epoch && line.seenClock() == takeoverClock;
            if (!isOurs) { // another writer was faster there: above it
                LOG.warn(
                        "shard {}: another writer of rounds has taken epoch {} while we took {}; takes over from it",
                        line.shard(),
                        line.seenEpoch(),
                        epoch);
                return takeOver();
            }
            round = Math.max(round, line.seenRound());
        }
        epochInForce.set(epoch);
        phase = Phase.ROUNDS;
        if (arrival != null && arrival.isOneOfAll()) {
            arrival.completed();
            arrival = null;
        }
        LOG.info("rounds: writes rounds above {} under epoch {}", round, epoch);
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
        Duration between = demand.isWanted() ? config.min() : config.interval();
        return startedAt + between.toNanos() - clock.nanoTime();
    }

    private int beginRound() {
        startedAt = clock.nanoTime();
        demand.clear();
        round++;
        begun.set(round);
        long now = clock.epochMicros();
        long tso = demand.committedTso();
        HeartbeatLine.Round next = new HeartbeatLine.Round(epoch, round, now, tso);
        lines.forEach(line -> line.round(next));
        isUnderWay = true;
        return 1;
    }

    /** A shard that is on its way into the rounds is looked at often: that takes a moment. */
    @Override
    public long restNanos() {
        long rest = arrival == null ? LONGEST_REST_NANOS : UNTOLD_REST_NANOS;
        if (open > 0) {
            for (HeartbeatLine line : lines) {
                rest = Math.min(rest, line.restNanos());
            }
        }
        if (isUnderWay) {
            for (HeartbeatLine line : lines) {
                rest = Math.min(rest, line.restNanos());
            }
            return rest;
        }
        return Math.max(0, Math.min(rest, nanosToNext()));
    }

    @Override
    public void close() {
        calls.close();
        if (arrival != null) {
            arrival.cancel();
        }
        lines.forEach(HeartbeatLine::close);
        metricsOfLines.values().forEach(Metrics::close);
    }
}
