package io.tributary.extractor;

import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of heartbeat rounds (ordering.md). First it takes over: it writes an epoch above every one seen to every shard, which
 * from then on refuses the writer before it. Then rounds: number n+1 begins only when every shard has acknowledged n.
 */
public final class RoundWriter implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(RoundWriter.class);

    private enum Phase {
        READ,
        TAKE_OVER,
        ROUNDS
    }

    private final List<HeartbeatLine> lines = new ArrayList<>();
    private final HeartbeatConfig config;
    private final RoundDemand demand;
    private final LongSupplier certainTso;
    private final Clock clock;
    private final Count acknowledged = new Count();
    private final Count rounds = new Count();
    private final Count epochInForce = new Count();

    private Phase phase = Phase.READ;
    private long epoch;
    private long takeoverClock;
    private long round;
    private boolean isUnderWay = true;
    private long startedAt;

    /** Writes rounds of `xa` order, which say nothing of TSOs. */
    public RoundWriter(
            ExtractorConfig shards,
            HeartbeatConfig config,
            long knownEpoch,
            long knownRound,
            RoundDemand demand,
            MysqlClient client,
            Clock clock,
            Metrics metrics) {
        this(shards, config, knownEpoch, knownRound, demand, () -> 0, client, clock, metrics);
    }

    /**
     * @param shards all shards
     * @param knownEpoch the newest epoch of the cut from which the node goes on; 0 for a new stream
     * @param knownRound the newest round that the cut knows of any shard; 0 for a new stream
     * @param demand asked for rounds by the stages that wait
     * @param certainTso the largest TSO that is known to have committed, 0 for none; asked as a round begins
     */
    public RoundWriter(
            ExtractorConfig shards,
            HeartbeatConfig config,
            long knownEpoch,
            long knownRound,
            RoundDemand demand,
            LongSupplier certainTso,
            MysqlClient client,
            Clock clock,
            Metrics metrics) {
        this.config = config;
        this.epoch = knownEpoch;
        this.round = knownRound;
        this.demand = demand;
        this.certainTso = certainTso;
        this.clock = clock;
        this.startedAt = clock.nanoTime() - config.interval().toNanos();
        shards.shards().forEach((name, shard) -> {
            Pause pause = new Pause(shards.reconnectMin(), shards.reconnectMax());
            HeartbeatLine line = new HeartbeatLine(name, shard, client, clock, pause);
            lines.add(line);
            metrics.register(Metric.SHARD_CLOCK_ERROR, line::clockErrorSeconds, "shard", name);
            line.read();
        });
        metrics.register(Metric.ROUNDS, rounds::value);
    }

    @Override
    public String name() {
        return "rounds";
    }

    /** The newest round that every shard has acknowledged, 0 before the first; any thread. */
    public long acknowledgedRound() {
        return acknowledged.value();
    }

    /** The epoch that every shard has acknowledged, 0 before the takeover; any thread. */
    public long epoch() {
        return epochInForce.value();
    }

    @Override
    public int doWork() {
        int done = 0;
        if (isUnderWay) {
            boolean all = true;
            for (HeartbeatLine line : lines) {
                done += line.poll();
                all &= line.isDone();
            }
            if (!all) {
                return done;
            }
            isUnderWay = false;
            done += switch (phase) {
                case READ -> takeOver();
                case TAKE_OVER -> takenOver();
                case ROUNDS -> roundAcknowledged();
            };
        }
        return phase == Phase.ROUNDS && !isUnderWay && isDue() ? done + beginRound() : done;
    }

    private int takeOver() {
        for (HeartbeatLine line : lines) {
            epoch = Math.max(epoch, line.seenEpoch());
        }
        epoch++;
        takeoverClock = clock.epochMicros();
        lines.forEach(line -> line.takeOver(epoch, takeoverClock));
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
        LOG.info("rounds: writes rounds above {} under epoch {}", round, epoch);
        return 1;
    }

    private int roundAcknowledged() {
        acknowledged.set(round);
        rounds.add(1);
        return 1;
    }

    private boolean isDue() {
        long since = clock.nanoTime() - startedAt;
        return since >= config.interval().toNanos() || (since >= config.min().toNanos() && demand.isWanted());
    }

    private int beginRound() {
        startedAt = clock.nanoTime();
        demand.clear();
        round++;
        long now = clock.epochMicros();
        long tso = certainTso.getAsLong();
        lines.forEach(line -> line.round(epoch, round, now, tso));
        isUnderWay = true;
        return 1;
    }

    @Override
    public void close() {
        lines.forEach(HeartbeatLine::close);
    }
}
