package io.tributary.collector;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.LogicalClock;
import io.tributary.collector.order.TransactionSink;
import io.tributary.collector.rows.DdlRows;
import io.tributary.collector.rows.KeyPlans;
import io.tributary.collector.rows.RowGuard;
import io.tributary.collector.rows.TableMaps;
import io.tributary.collector.schema.DueStatement;
import io.tributary.collector.schema.StatementEvents;
import io.tributary.common.metric.Count;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Question;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.List;

/** Numbers the transactions in their global order and puts them into the open slot of the ring. */
final class BatchWriter implements TransactionSink {
    private final BatchRing ring;
    private final RowGuard guard;
    private final LogicalClock clock;
    private final KeyPlans plans; // null if dependencies are not determined by keys
    private final long largeBytes;
    private final Runnable endSlot;
    private final Count transactions = new Count();
    private final Count distributed = new Count();
    private long newest;
    private long tableIds;
    private boolean hasJoined;

    /**
     * @param guard made from the same cut
     * @param endSlot ends the open slot with a cut of the state so far, and publishes it
     */
    BatchWriter(BatchRing ring, Cut start, RowGuard guard, CollectorConfig config, Runnable endSlot) {
        this.ring = ring;
        this.guard = guard;
        this.clock =
                new LogicalClock(start.shards().size(), start.transactions(), config.parallel() != BinlogParallel.NONE);
        this.plans = config.parallel() == BinlogParallel.WRITESET ? guard.keyPlans() : null;
        this.largeBytes = config.batch().large().bytes();
        this.endSlot = endSlot;
        this.newest = start.transactions();
        this.tableIds = start.tableIds();
    }

    Count transactions() {
        return transactions;
    }

    Count distributed() {
        return distributed;
    }

    /** Adds a shard; from now on it counts. */
    void join(int shard, String name) {
        guard.join(shard, name);
        clock.join(shard, newest);
        hasJoined = true;
    }

    /** gno of the newest transaction. */
    long newest() {
        return newest;
    }

    /** The highest table id of the whole output. */
    long tableIds() {
        return tableIds;
    }

    /** Sets other rules for rows whose columns do not match the output. */
    void rowRules(DdlRows rules) {
        guard.rules(rules);
    }

    /** From now on, shards are asked for table definitions through this. */
    void definitions(TableMaps.DefinitionSource source) {
        guard.definitions(source);
    }

    void close() {
        guard.close();
    }

    @Override
    public Question questionOf(Token token) {
        return guard.questionOf(token);
    }

    @Override
    public void local(Token token) {
        Payload rows = guard.rowsOf(token);
        if (rows != null) {
            beginLarge(rows.length());
            rows(token, rows);
        }
    }

    private void rows(Token token, Payload rows) {
        noteTables(token);
        long number = ++newest;
        OutputTransaction transaction = ring.open().next();
        transaction.begin(false, number, clock.local(token, number), token.commitMicros());
        transaction.add(rows);
        if (plans != null) {
            addPlans(transaction, guard.writtenTables(), rows);
        }
        added(transaction);
    }

    private void addPlans(OutputTransaction transaction, List<TableRef> tables, Payload rows) {
        for (int i = 0; i < tables.size(); i++) {
            transaction.add(plans.of(tables.get(i), rows));
        }
        if (plans.takeOtherKeys() || hasJoined) {
            transaction.setSeparate();
            hasJoined = false;
        }
    }

    /** A statement with several parts, or with rows, is written as several transactions. There is no cut between them. */
    @Override
    public void ddl(Token token, boolean[] written) {
        List<Ddl.Part> parts = token.ddl().parts();
        boolean hasRows = token.payload().events() > parts.size();
        if (written.length == 1 && !hasRows) {
            if (written[0]) {
                statement(parts.get(0), token.payload(), token.commitMicros());
            } else {
                token.release();
            }
            return;
        }
        Payload rows = hasRows ? rowsAfter(token, parts.size()) : null;
        if (rows != null) {
            beginLarge(rows.length());
        }
        for (int place = 0; place < written.length; place++) {
            if (written[place]) {
                Payload one = guard.rewriter().statement(StatementEvents.copy(token.payload(), place));
                statement(parts.get(place), one, token.commitMicros());
            }
        }
        if (rows != null) {
            guard.questionOf(token); // rows of a table that was created just now define its columns
        }
        token.release();
        if (rows != null) {
            rows(token, rows);
        }
    }

    private Payload rowsAfter(Token token, int statements) {
        Payload rows = guard.rewriter().rowsAfter(token.payload(), statements);
        return guard.rowsOf(token.withPayload(rows, token.tables()));
    }

    @Override
    public void statement(DueStatement statement) {
        statement(statement.part(), guard.rewriter().statement(statement.event()), 0);
    }

    private void statement(Ddl.Part part, Payload event, long commitMicros) {
        guard.written(part);
        long number = ++newest;
        OutputTransaction transaction = ring.open().next();
        transaction.begin(true, number, clock.ddl(number), commitMicros);
        transaction.add(event);
        added(transaction);
    }

    /** A transaction is not numbered and not written if none of its branches has rows. */
    @Override
    public long distributed(DistributedTransaction whole) {
        List<Branch> branches = whole.branches();
        Payload[] rows = new Payload[branches.size()];
        List<List<TableRef>> tables = new ArrayList<>(rows.length);
        long commitMicros = 0;
        boolean isEmpty = true;
        long payloadBytes = 0;
        for (int i = 0; i < rows.length; i++) {
            Branch branch = branches.get(i);
            commitMicros = Math.max(commitMicros, branch.commit().commitMicros());
            rows[i] = guard.rowsOf(branch.prepare());
            tables.add(guard.writtenTables());
            isEmpty &= rows[i] == null;
            payloadBytes += rows[i] == null ? 0 : rows[i].length();
        }
        if (isEmpty) {
            return 0;
        }
        beginLarge(payloadBytes);
        long number = ++newest;
        OutputTransaction transaction = ring.open().next();
        transaction.begin(false, number, clock.distributed(whole, number), commitMicros);
        for (int i = 0; i < rows.length; i++) {
            noteTables(branches.get(i).prepare());
            if (rows[i] != null) {
                transaction.add(rows[i]);
            }
            if (rows[i] != null && plans != null) {
                addPlans(transaction, tables.get(i), rows[i]);
            }
        }
        added(transaction);
        distributed.add(1);
        return number;
    }

    @Override
    public void committed(Token commit, long number) {
        clock.committed(commit, number);
    }

    /**
     * Writes a cut before a large transaction. A file can end only at a cut, and a file that is already large must end before a transaction that
     * would make it larger than 2 GiB. Nothing of the transaction has been recorded yet, so the cut is before it.
     */
    private void beginLarge(long payloadBytes) {
        if (TransactionEncoder.length(payloadBytes) > largeBytes && !ring.isOpenEmpty()) {
            endSlot.run();
        }
    }

    private void added(OutputTransaction transaction) {
        boolean isLarge = TransactionEncoder.length(transaction) > largeBytes;
        if (isLarge) {
            transaction.setAlone(); // its keys would be known only after all of it was read
        }
        ring.open().added(isLarge);
        transactions.add(1);
    }

    private void noteTables(Token token) {
        List<TableRef> tables = token.tables();
        for (int i = 0; i < tables.size(); i++) {
            tableIds = Math.max(tableIds, tables.get(i).id());
        }
        tableIds = Math.max(tableIds, guard.tableIds());
    }
}
