package io.tributary.apply;

import io.tributary.apply.row.TargetKeys;
import io.tributary.apply.row.TargetTables;
import io.tributary.apply.schedule.ApplyBatch;
import io.tributary.apply.schedule.ApplySchedule;
import io.tributary.apply.schedule.ScheduleFigures;
import io.tributary.apply.server.AloneSession;
import io.tributary.apply.server.ApplyStatement;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.replay.stream.TransactionHandler;
import io.tributary.replay.stream.TransactionInput;
import io.tributary.schema.keys.WriteSets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes batches of the transactions of the stream, and applies alone what cannot run beside others. For the thread that reads the stream. */
final class ApplyInput implements TransactionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ApplyInput.class);
    private static final long MOST_BYTES_TOGETHER = 256 << 10;

    private final Sid sid;
    private final ApplyPlan plan;
    private final Work work;
    private final boolean isOldTarget;
    private final WriteSets keys = new WriteSets();
    private final List<ReplayTransaction> pending = new ArrayList<>();
    private long pendingBytes;
    private long batches;
    private long previous;
    private long ungrouped;

    /** Whether a CREATE TABLE ... SELECT has locked its table, so that nothing can be asked about it. */
    private boolean locksTable;

    private volatile ReplayTransaction newest;

    /**
     * What it works with.
     *
     * @param alone applies while the schedule is idle
     * @param figures counts statements that are left out
     */
    record Work(
            ApplySchedule schedule,
            AloneSession alone,
            TargetTables tables,
            TargetKeys keys,
            ScheduleFigures figures) {}

    /**
     * Begins a run.
     *
     * @param sid of the stream's transactions
     * @param previous number of the transaction that was applied last, in strict order; 0 if it is not known
     */
    ApplyInput(Sid sid, ApplyPlan plan, Work work, boolean isOldTarget, long previous) {
        this.sid = sid;
        this.plan = plan;
        this.work = work;
        this.isOldTarget = isOldTarget;
        this.previous = previous;
    }

    /** The last transaction that was passed on to the sessions, or applied alone; null if there is none. Any thread. */
    ReplayTransaction newest() {
        return newest;
    }

    @Override
    public void begins(Gtid gtid) {
        if (!gtid.sid().equals(sid)) {
            throw TransactionInput.unexpected("transactions of the UUID " + sid, "transaction " + gtid);
        }
    }

    @Override
    public boolean isOldTarget() {
        return isOldTarget;
    }

    @Override
    public RowTreatment treatment(TableName table, ReplayTransaction transaction) {
        if (!plan.names().applies(table)) {
            return RowTreatment.PASS_OVER;
        }
        if (!locksTable) {
            var unused = work.tables().require(plan.names().onTarget(table));
        }
        return RowTreatment.PLAIN;
    }

    @Override
    public TableName onTarget(TableName table) {
        return plan.names().onTarget(table);
    }

    // ---- transactions of rows

    @Override
    public void whole(ReplayTransaction transaction) {
        boolean isKnown = addKeys(transaction);
        if (isKnown) {
            add(transaction);
            return;
        }
        drain();
        add(transaction);
        drain();
    }

    /** Whether the transaction may run beside others. */
    private boolean addKeys(ReplayTransaction transaction) {
        if (plan.settings().dependency() == ApplyDependency.WRITESET) {
            int before = keys.size();
            return work.keys().read(transaction, keys) && keys.size() - before <= WriteSets.MOST_OF_ONE;
        }
        transaction.pieces().forEach(work.keys()::check);
        return true;
    }

    private void add(ReplayTransaction transaction) {
        pending.add(transaction);
        pendingBytes += transaction.bytes();
        if (pending.size() >= plan.settings().limits().batch() || pendingBytes > MOST_BYTES_TOGETHER) {
            flush();
        }
    }

    /** Passes on the transactions that wait for more to be applied together with. */
    void flush() {
        if (!pending.isEmpty()) {
            ApplyBatch batch = new ApplyBatch(++batches, previous, pending);
            previous = batch.last().gtid().gno();
            work.schedule().submit(batch, keys);
            newest = batch.last();
            ungrouped += pending.size();
            pending.clear();
            pendingBytes = 0;
            keys.clear();
        }
    }

    /** Waits until all transactions that were read are applied. */
    void drain() {
        flush();
        work.schedule().drain();
    }

    @Override
    public void begin(ReplayTransaction transaction) {
        drain();
        work.alone().begin(transaction);
        transaction.pieces().forEach(events -> piece(transaction, events));
        transaction.clear();
    }

    @Override
    public void piece(ReplayTransaction transaction, byte[] events) {
        if (!locksTable) {
            work.keys().check(events);
        }
        work.alone().piece(transaction, events);
    }

    @Override
    public void end(ReplayTransaction transaction) {
        work.alone().commit(previous, transaction);
        locksTable = false;
        appliedAlone(transaction);
    }

    private void appliedAlone(ReplayTransaction transaction) {
        previous = transaction.gtid().gno();
        newest = transaction;
        ungrouped++;
        work.schedule().appliedAlone(transaction);
    }

    /** Transactions that were applied since {@link #grouped}. */
    long ungrouped() {
        return ungrouped;
    }

    /** All transactions that were read are applied, and readers were told. */
    void grouped() {
        ungrouped = 0;
    }

    // ---- statements

    @Override
    public void statement(StreamStatement statement, ReplayTransaction transaction) {
        Optional<ApplyStatement> wanted = wanted(statement, transaction);
        if (wanted.isEmpty()) {
            whole(transaction); // it has no rows
            return;
        }
        drain();
        work.alone().execute(previous, wanted.get(), transaction);
        tablesChanged();
        appliedAlone(transaction);
    }

    @Override
    public boolean beginsWith(StreamStatement statement, ReplayTransaction transaction) {
        Optional<ApplyStatement> wanted = wanted(statement, transaction);
        if (wanted.isPresent()) {
            drain();
            locksTable = work.alone().beginWith(wanted.get(), transaction);
            tablesChanged();
        }
        return wanted.isPresent();
    }

    private void tablesChanged() {
        work.tables().clear();
        work.keys().clear();
    }

    /**
     * The statement for the target. Triggers, routines, events, accounts and statements for servers are left out: the stream has the rows that triggers and
     * events have changed, and the accounts of the target are its own.
     */
    private Optional<ApplyStatement> wanted(StreamStatement statement, ReplayTransaction transaction) {
        StatementKind kind = statement.parsed().kind();
        boolean isView =
                kind == StatementKind.PROGRAM && statement.parsed().verb().endsWith("VIEW");
        if (kind == StatementKind.PROGRAM && !isView || kind == StatementKind.ACCOUNT) {
            work.figures().leftStatementOut();
            LOG.warn("statement is not applied to the target: gtid={} statement=\"{}\"", transaction.gtid(), statement);
            return Optional.empty();
        }
        boolean isForServers = kind == StatementKind.SERVER || kind == StatementKind.TRANSACTION;
        return isForServers ? Optional.empty() : plan.names().statement(statement);
    }
}
