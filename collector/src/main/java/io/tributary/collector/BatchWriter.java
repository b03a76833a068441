package io.tributary.collector;

import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DdlLedger;
import io.tributary.collector.order.Distributed;
import io.tributary.collector.order.Emission;
import io.tributary.collector.order.LogicalClock;
import io.tributary.common.metric.Count;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.store.Catalogue;
import java.util.List;

/** Numbers the transactions in their global order and puts them into the open slot of the ring. */
final class BatchWriter implements Emission {
    private final SlotRing ring;
    private final SchemaGuard guard;
    private final LogicalClock clock;
    private final long largeBytes;
    private final Runnable endSlot;
    private final Count transactions = new Count();
    private final Count distributed = new Count();
    private long newest;
    private long tableIds;

    /**
     * @param tables empty, for the shapes in force; nobody else uses it
     * @param endSlot puts a cut of what has come out so far behind the open slot, and hands that on
     */
    BatchWriter(SlotRing ring, Cut start, DdlLedger ddls, CollectorConfig config, Catalogue tables, Runnable endSlot) {
        List<String> shards = start.shards().stream().map(ShardCut::name).toList();
        this.ring = ring;
        this.guard = new SchemaGuard(ddls, shards, config.ddlMixed(), tables);
        this.clock = new LogicalClock(shards.size(), start.transactions(), config.parallel() == BinlogParallel.SHARDS);
        this.largeBytes = config.large().bytes();
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

    /** One more shard counts from here on. */
    void join(int shard, String name) {
        guard.join(shard, name);
        clock.join(shard, newest);
    }

    /** gno of the newest transaction. */
    long newest() {
        return newest;
    }

    /** The highest table id of all output. */
    long tableIds() {
        return tableIds;
    }

    @Override
    public void local(Token token) {
        guard.check(token);
        if (isEmpty(token)) {
            token.release();
            return;
        }
        beginLarge(token.payload().length());
        noteTables(token);
        long number = ++newest;
        OutputTransaction transaction = ring.open().next();
        transaction.begin(false, number, clock.local(token, number), token.commitMicros());
        transaction.add(token.payload());
        added(transaction);
    }

    @Override
    public void ddl(Token token) {
        guard.emitted(token.ddl());
        long number = ++newest;
        OutputTransaction transaction = ring.open().next();
        transaction.begin(true, number, clock.ddl(number), token.commitMicros());
        transaction.add(token.payload());
        added(transaction);
    }

    /** A transaction none of whose branches has rows has no number and is not written. */
    @Override
    public long distributed(Distributed whole) {
        List<Branch> branches = whole.branches();
        long commitMicros = 0;
        boolean isEmpty = true;
        long payloadBytes = 0;
        for (Branch branch : branches) {
            guard.check(branch.prepare());
            commitMicros = Math.max(commitMicros, branch.commit().commitMicros());
            isEmpty &= isEmpty(branch.prepare());
            payloadBytes +=
                    isEmpty(branch.prepare()) ? 0 : branch.prepare().payload().length();
        }
        if (isEmpty) {
            branches.forEach(branch -> branch.prepare().release());
            return 0;
        }
        beginLarge(payloadBytes);
        long number = ++newest;
        OutputTransaction transaction = ring.open().next();
        transaction.begin(false, number, clock.distributed(whole, number), commitMicros);
        for (Branch branch : branches) {
            noteTables(branch.prepare());
            if (isEmpty(branch.prepare())) {
                branch.prepare().release();
            } else {
                transaction.add(branch.prepare().payload());
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
     * In front of a large transaction stands a cut: a file may end there only, and a file that already holds much is to end before
     * what would take it past 2 GiB. Nothing of the transaction has been noted yet, so the cut lies in front of it.
     */
    private void beginLarge(long payloadBytes) {
        if (TransactionLayout.length(payloadBytes) > largeBytes && !ring.isOpenEmpty()) {
            endSlot.run();
        }
    }

    private void added(OutputTransaction transaction) {
        ring.open().added(TransactionLayout.length(transaction) > largeBytes);
        transactions.add(1);
    }

    private void noteTables(Token token) {
        List<TableRef> tables = token.tables();
        for (int i = 0; i < tables.size(); i++) {
            tableIds = Math.max(tableIds, tables.get(i).id());
        }
    }

    private static boolean isEmpty(Token token) {
        return token.payload() == null || token.payload().length() == 0;
    }
}
