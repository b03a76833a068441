package io.tributary.extractor.rounds;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.HeartbeatTable;
import io.tributary.extractor.RoundAuthor;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session for the heartbeat row of one shard: it reads the row, takes it over, and writes rounds. Each operation can be repeated without
 * a further effect, so a lost acknowledgement does no harm.
 */
final class HeartbeatSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSession.class);
    private static final String CLOCK = "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS UNSIGNED)";
    private static final long CLOCK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String shard;
    private final ShardConfig config;
    private final Clock clock;
    private final ShardControlConnection control;
    private final Count clockErrorMicros = new Count();

    private Round newest;
    private boolean isSent; // a round was sent and not answered
    private boolean isUncertain; // an earlier round was sent and not answered: it may still be executed
    private boolean isPassedOver;
    private boolean isRecordingAuthor;
    private boolean hasNoAuthor;
    private long clockAskedAt;
    private long clockDueAt;
    private long seenEpoch;
    private long seenRound;
    private long seenClock;

    HeartbeatSession(RoundTarget target, MysqlClient client, Clock clock, Backoff pause) {
        this.shard = target.shard();
        this.config = target.config();
        this.clock = clock;
        this.control = new ShardControlConnection(target, client, clock, pause, this::refused);
        this.clockDueAt = clock.nanoTime();
    }

    /** Reads the row, and inserts it if it is missing. */
    void read() {
        control.begin(this::select);
    }

    private void select() {
        control.send(HeartbeatTable.SELECT_ROW, row -> {
            if (row.isEmpty()) {
                control.send(HeartbeatTable.INSERT_ROW, inserted -> select());
                return;
            }
            readRow(row);
            control.done();
        });
    }

    /**
     * Increases the row's epoch and records the author; afterwards {@link #seenEpoch} shows whether another writer was faster.
     *
     * @param author recorded for later writers
     */
    void takeOver(long epoch, long clockMicros, RoundAuthor author) {
        isPassedOver = false;
        control.begin(() -> {
            isRecordingAuthor = false; // a lost connection repeats the whole task
            control.send(
                    HeartbeatTable.takeover(epoch, clockMicros),
                    updated -> control.send(HeartbeatTable.SELECT_ROW, row -> {
                        readRow(row);
                        if (seenEpoch == epoch && seenClock == clockMicros && !hasNoAuthor) {
                            isRecordingAuthor = true;
                            control.send(HeartbeatTable.author(author, clockMicros), recorded -> {
                                isRecordingAuthor = false;
                                control.done();
                            });
                        } else {
                            control.done();
                        }
                    }));
        });
    }

    /** The content of a round; {@code tso} as in {@link HeartbeatTable#round}. */
    record Round(long epoch, long number, long clockMicros, long tso) {}

    /** Writes a round; a shard that is passed over gets it with its next attempt. */
    void round(Round next) {
        newest = next;
        if (!isPassedOver) {
            control.begin(() -> sendRound(newest));
        }
    }

    /**
     * Whether the shard is read-only and has refused the newest round that was sent to it, and no earlier round can still be executed there: so a
     * later round is not followed by an older one. The round is sent again automatically.
     */
    boolean isPassedOver() {
        return isPassedOver;
    }

    private void sendRound(Round round) {
        isUncertain |= isSent;
        isSent = true;
        isPassedOver = false;
        control.send(HeartbeatTable.round(round.epoch(), round.number(), round.clockMicros(), round.tso()), updated -> {
            isSent = false;
            if (updated.affectedRows() == 1) {
                acknowledged();
            } else {
                control.send(HeartbeatTable.SELECT_ROW, row -> notUpdated(row, round));
            }
        });
    }

    private void notUpdated(QueryResult row, Round round) {
        readRow(row);
        if (seenEpoch > round.epoch()) {
            throw superseded(round.epoch());
        }
        if (seenEpoch == round.epoch() && seenRound >= round.number()) { // the acknowledgement was lost
            acknowledged();
        } else { // the shard has lost the takeover: it failed over to a replica that lagged
            control.send(HeartbeatTable.takeover(round.epoch(), round.clockMicros()), taken -> sendRound(round));
        }
    }

    /**
     * The error if another writer has taken over. In a cluster another Task was chosen, and this one may be chosen again. Without a cluster two
     * nodes were started.
     */
    TributaryException superseded(long epoch) {
        return new TributaryException(
                CutEpoch.leader(epoch) > 0 ? ErrorCode.EPOCH_OVER : ErrorCode.ROUNDS_SUPERSEDED,
                "shard " + shard + ": expected epoch " + CutEpoch.text(epoch) + " in tributary.heartbeat, found epoch "
                        + CutEpoch.text(seenEpoch) + " of another writer of rounds"
                        + (CutEpoch.leader(seenEpoch) > CutEpoch.leader(epoch)
                                ? "; if there is none, raise ZooKeeper's epoch to " + CutEpoch.leader(seenEpoch)
                                        + " (docs/backup.md, In a cluster)"
                                : ""));
    }

    /** Completes a round. Every 10 s it also reads the shard's clock and compares it with the node's clock before and after. */
    private void acknowledged() {
        isUncertain = false; // the row refuses older rounds
        if (clock.nanoTime() - clockDueAt < 0) {
            control.done();
            return;
        }
        clockDueAt = clock.nanoTime() + CLOCK_EVERY_NANOS;
        clockAskedAt = clock.epochMicros();
        control.send(CLOCK, now -> {
            long shardMicros = Long.parseLong(now.rows().get(0).text(0));
            long answeredAt = clock.epochMicros();
            boolean isWithin = shardMicros >= clockAskedAt && shardMicros <= answeredAt;
            clockErrorMicros.set(isWithin ? 0 : shardMicros - (clockAskedAt + answeredAt) / 2);
            control.done();
        });
    }

    private void readRow(QueryResult row) {
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

    /** Creates a missing table or column; reports missing rights with the statements that an administrator has to run. */
    private boolean refused(Throwable failure) {
        if (isRecordingAuthor) {
            return authorRefused(failure);
        }
        if (isSent && ShardErrors.isReadOnly(failure)) {
            isSent = false;
            isPassedOver = !isUncertain;
            return false;
        }
        if (ShardErrors.isMissingTable(failure)) {
            control.send(
                    HeartbeatTable.CREATE_SCHEMA,
                    schema -> control.send(HeartbeatTable.CREATE_TABLE, table -> select()));
            return true;
        }
        if (ShardErrors.isMissingTso(failure)) { // a table of an earlier version
            control.send(HeartbeatTable.ADD_TSO, added -> control.repeat());
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

    /** Creates the table. If that is refused, other nodes cannot find out who writes the rounds; nothing else is lost. */
    private boolean authorRefused(Throwable failure) {
        if (ShardErrors.isMissingTable(failure)) {
            control.send(HeartbeatTable.CREATE_WRITER, created -> control.repeat());
            return true;
        }
        isRecordingAuthor = false;
        if (!ShardErrors.isDenied(failure)) {
            return false;
        }
        hasNoAuthor = true;
        LOG.warn(
                "writer of rounds not recorded: shard={} reason=\"{}\" action=\"an administrator runs: {}\"",
                shard,
                ShardErrors.unwrap(failure).getMessage(),
                HeartbeatTable.CREATE_WRITER);
        control.repeat();
        return true;
    }

    /** Continues the current task without blocking; returns how much was done. */
    int poll() {
        return control.poll();
    }

    /** Time until the next poll unless the shard answers before, ns. */
    long restNanos() {
        return control.restNanos();
    }

    /** Whether the shard has acknowledged the last task. */
    boolean isDone() {
        return control.isDone();
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

    /** The clock in the row: after a takeover it identifies the writer. */
    long seenClock() {
        return seenClock;
    }

    /** How far the shard's clock is ahead of the node's clock, s, as far as it can be measured; any thread. */
    double clockErrorSeconds() {
        return clockErrorMicros.value() / 1e6;
    }

    @Override
    public void close() {
        control.close();
    }
}
