package io.tributary.seed.replay;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.RowTreatment;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.replay.stream.TransactionHandler;
import io.tributary.replay.stream.TransactionInput;
import java.util.Set;

/** Applies the transactions of the stream up to one of them; tables that a statement changes while they are copied become dirty. For one thread. */
final class ReplayInput implements TransactionHandler {
    private final Gtid last;
    private final DirtyTables dirty;
    private final ReplayListener listener;
    private final ReplayOutput output;
    private TransactionInput input;
    private Gtid current;

    /** @param last the transaction after which it ends */
    ReplayInput(Gtid last, ReplayScope scope, ReplayListener listener, ReplayOutput output) {
        this.last = last;
        this.dirty = new DirtyTables(scope, schema -> output.tablesOf(schema, current.gno()));
        this.listener = listener;
        this.output = output;
    }

    /**
     * What reads the events for it.
     *
     * @param packet max_allowed_packet of the target
     * @param held maximum bytes of a transaction that is held as a whole
     */
    TransactionInput input(long packet, long held) {
        input = new TransactionInput(this, packet, held);
        return input;
    }

    Set<TableName> dirtyTables() {
        return dirty.all();
    }

    @Override
    public void begins(Gtid gtid) {
        if (!gtid.sid().equals(last.sid()) || gtid.gno() > last.gno()) {
            throw TransactionInput.unexpected("transactions up to " + last, "transaction " + gtid);
        }
        current = gtid;
    }

    @Override
    public boolean isOldTarget() {
        return output.isOldTarget();
    }

    @Override
    public RowTreatment treatment(TableName table, ReplayTransaction transaction) {
        return dirty.treatment(table, transaction.gtid().gno());
    }

    @Override
    public void whole(ReplayTransaction transaction) {
        output.submit(transaction);
        ended(transaction);
    }

    @Override
    public void begin(ReplayTransaction transaction) {
        output.begin(transaction);
    }

    @Override
    public void piece(ReplayTransaction transaction, byte[] events) {
        output.piece(transaction, events);
    }

    @Override
    public void end(ReplayTransaction transaction) {
        output.commit(transaction);
        ended(transaction);
    }

    @Override
    public void statement(StreamStatement statement, ReplayTransaction transaction) {
        if (runs(statement, transaction)) {
            output.run(statement, transaction);
        } else {
            output.submit(transaction);
        }
        ended(transaction);
    }

    @Override
    public boolean beginsWith(StreamStatement statement, ReplayTransaction transaction) {
        boolean runs = runs(statement, transaction);
        if (runs) {
            output.beginWith(statement, transaction);
        }
        return runs;
    }

    private boolean runs(StreamStatement statement, ReplayTransaction transaction) {
        output.seen(statement, transaction);
        DirtyTables.Effect effect = dirty.decide(statement, transaction.gtid().gno());
        if (!effect.becomesDirty().isEmpty()) {
            output.drain();
            listener.dirty(effect.becomesDirty(), transaction.gtid().gno());
            output.drop(effect.becomesDirty());
        }
        return effect.runs();
    }

    private void ended(ReplayTransaction transaction) {
        if (transaction.gtid().gno() == last.gno()) {
            input.finish();
        }
    }
}
