package io.tributary.extractor;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeat row of one shard: to read it, to take it over, to write a round. Each may be repeated: it does nothing where it has been
 * done, so a lost acknowledgement does no harm.
 */
final class HeartbeatLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatLine.class);
    private static final String CLOCK = "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS UNSIGNED)";
    private static final long CLOCK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String shard;
    private final ShardConfig config;
    private final Clock clock;
    private final ControlLine line;
    private final Count clockErrorMicros = new Count();

    private Round newest;
    private boolean isSent; // a round, and there was no answer
    private boolean isUncertain; // an earlier one was sent to which there was no answer: it may still land
    private boolean isPassedOver;
    private boolean isNaming;
    private boolean isAnonymous;
    private long clockAskedAt;
    private long clockDueAt;
    private long seenEpoch;
    private long seenRound;
    private long seenClock;

    HeartbeatLine(String shard, ShardConfig config, MysqlClient client, Clock clock, Pause pause) {
        this.shard = shard;
        this.config = config;
        this.clock = clock;
        this.line = new ControlLine(shard, config, client, clock, pause, this::refused);
        this.clockDueAt = clock.nanoTime();
    }

    /** Reads the row, and makes it where it is missing. */
    void read() {
        line.begin(this::select);
    }

    private void select() {
        line.send(HeartbeatTable.SELECT_ROW, row -> {
            if (row.isEmpty()) {
                line.send(HeartbeatTable.INSERT_ROW, inserted -> select());
                return;
            }
            see(row);
            line.done();
        });
    }

    /**
     * Raises the row's epoch, and says who has; afterwards {@link #seenEpoch} tells whether another writer was faster.
     *
     * @param author who it is for those who come later
     */
    void takeOver(long epoch, long clockMicros, RoundAuthor author) {
        isPassedOver = false;
        line.begin(() -> {
            isNaming = false; // a lost connection repeats all of it
            line.send(
                    HeartbeatTable.takeover(epoch, clockMicros),
                    updated -> line.send(HeartbeatTable.SELECT_ROW, row -> {
                        see(row);
                        if (seenEpoch == epoch && seenClock == clockMicros && !isAnonymous) {
                            isNaming = true;
                            line.send(HeartbeatTable.author(author, clockMicros), named -> {
                                isNaming = false;
                                line.done();
                            });
                        } else {
                            line.done();
                        }
                    }));
        });
    }

    /** What a round says; {@code tso} as {@link HeartbeatTable#round} has it. */
    record Round(long epoch, long number, long clockMicros, long tso) {}

    /** Writes a round; to a shard that is passed over with its next try. */
    void round(Round next) {
        newest = next;
        if (!isPassedOver) {
            line.begin(() -> sendRound(newest));
        }
    }

    /**
     * Whether the shard has refused the newest round that was sent to it as it takes no writes, and nothing else may be under way to it: a round that others
     * get meanwhile is not overtaken by an older one there. It is tried again by itself.
     */
    boolean isPassedOver() {
        return isPassedOver;
    }

    private void sendRound(Round round) {
        isUncertain |= isSent;
        isSent = true;
        isPassedOver = false;
        line.send(HeartbeatTable.round(round.epoch(), round.number(), round.clockMicros(), round.tso()), updated -> {
            isSent = false;
            if (updated.affectedRows() == 1) {
                acknowledged();
            } else {
                line.send(HeartbeatTable.SELECT_ROW, row -> notUpdated(row, round));
            }
        });
    }

    private void notUpdated(QueryResult row, Round round) {
        see(row);
        if (seenEpoch > round.epoch()) {
            throw deposed(round.epoch());
        }
        if (seenEpoch == round.epoch() && seenRound >= round.number()) { // the acknowledgement had been lost
            acknowledged();
        } else { // the shard has lost the takeover: it failed over to a replica that was behind
            line.send(HeartbeatTable.takeover(round.epoch(), round.clockMicros()), taken -> sendRound(round));
        }
    }

    /** In a cluster another Task has been chosen, and this one may be again; without one somebody has started two. */
    TributaryException deposed(long epoch) {
        return new TributaryException(
                CutEpoch.leader(epoch) > 0 ? ErrorCode.EPOCH_OVER : ErrorCode.ROUNDS_DEPOSED,
                "shard " + shard + ": expected epoch " + CutEpoch.text(epoch) + " in tributary.heartbeat, found epoch "
                        + CutEpoch.text(seenEpoch) + " of another writer of rounds"
                        + (CutEpoch.leader(seenEpoch) > CutEpoch.leader(epoch)
                                ? "; if there is none, ZooKeeper's epoch is to be raised to "
                                        + CutEpoch.leader(seenEpoch) + " (docs/backup.md, In a cluster)"
                                : ""));
    }

    /** Now and then the shard's clock is looked at too, between what ours says before and after. */
    private void acknowledged() {
        isUncertain = false; // the row refuses older rounds
        if (clock.nanoTime() - clockDueAt < 0) {
            line.done();
            return;
        }
        clockDueAt = clock.nanoTime() + CLOCK_EVERY_NANOS;
        clockAskedAt = clock.epochMicros();
        line.send(CLOCK, now -> {
            long shardMicros = Long.parseLong(now.rows().get(0).text(0));
            long answeredAt = clock.epochMicros();
            boolean isWithin = shardMicros >= clockAskedAt && shardMicros <= answeredAt;
            clockErrorMicros.set(isWithin ? 0 : shardMicros - (clockAskedAt + answeredAt) / 2);
            line.done();
        });
    }

    private void see(QueryResult row) {
        if (row.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "shard " + shard + ": expected the row with id 1 in tributary.heartbeat, found none: "
                            + HeartbeatTable.INSERT_ROW);
        }
        seenEpoch = Long.parseUnsignedLong(row.rows().get(0).text(0));
        seenRound = Long.parseUnsignedLong(row.rows().get(0).text(1));
        seenClock = Long.parseUnsignedLong(row.rows().get(0).text(2));
    }

    /** A missing table or column is made; missing rights are told with the statements that an administrator has to run. */
    private boolean refused(Throwable failure) {
        if (isNaming) {
            return namingRefused(failure);
        }
        if (isSent && ShardErrors.isReadOnly(failure)) {
            isSent = false;
            isPassedOver = !isUncertain;
            return false;
        }
        if (ShardErrors.isMissingTable(failure)) {
            line.send(
                    HeartbeatTable.CREATE_SCHEMA, schema -> line.send(HeartbeatTable.CREATE_TABLE, table -> select()));
            return true;
        }
        if (ShardErrors.isMissingTso(failure)) { // a table of an earlier version
            line.send(HeartbeatTable.ADD_TSO, added -> line.repeat());
            return true;
        }
        if (ShardErrors.isDenied(failure)) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "shard " + shard + ": expected rights on tributary.heartbeat, "
                            + ShardErrors.unwrap(failure).getMessage() + "; an administrator runs: "
                            + HeartbeatTable.grant("'" + config.user() + "'@'%'") + "; "
                            + String.join("; ", HeartbeatTable.setup()),
                    failure);
        }
        return false;
    }

    /** The table is made; where that is refused, others cannot tell whose rounds these are, and nothing else is lost. */
    private boolean namingRefused(Throwable failure) {
        if (ShardErrors.isMissingTable(failure)) {
            line.send(HeartbeatTable.CREATE_WRITER, created -> line.repeat());
            return true;
        }
        isNaming = false;
        if (!ShardErrors.isDenied(failure)) {
            return false;
        }
        isAnonymous = true;
        LOG.warn(
                "shard {}: nobody can tell whose rounds these are: {}; an administrator runs: {}",
                shard,
                ShardErrors.unwrap(failure).getMessage(),
                HeartbeatTable.CREATE_WRITER);
        line.repeat();
        return true;
    }

    /** Goes on with what was begun, without blocking; how much was done. */
    int poll() {
        return line.poll();
    }

    /** For how long it need not be polled unless the shard answers, ns. */
    long restNanos() {
        return line.restNanos();
    }

    /** Whether the shard has acknowledged what was begun last. */
    boolean isDone() {
        return line.isDone();
    }

    String shard() {
        return shard;
    }

    long seenEpoch() {
        return seenEpoch;
    }

    long seenRound() {
        return seenRound;
    }

    /** The clock in the row: after a takeover it tells whose it was. */
    long seenClock() {
        return seenClock;
    }

    /** How far the shard's clock is ahead of ours, as far as it can be told; any thread. */
    double clockErrorSeconds() {
        return clockErrorMicros.value() / 1e6;
    }

    @Override
    public void close() {
        line.close();
    }
}
