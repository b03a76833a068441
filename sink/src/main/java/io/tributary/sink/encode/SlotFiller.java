package io.tributary.sink.encode;

import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.replay.stream.TransactionInput;
import io.tributary.sink.CopyPlace;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/** Fills slots with the events of the stream. For the thread that reads it; {@link #newest} for any thread. */
public final class SlotFiller implements ChangeHandler {
    private static final int SLOT_BYTES = 64 << 10;
    private static final int MOST_ENTRIES = 2048;

    private final SlotFlow flow;
    private final Predicate<TableName> tables;
    private final Sid sid;
    private long last;
    private SinkSlot slot;
    private ChangeTransaction transaction;
    private long rows;
    private boolean isSnapshot;
    private volatile ChangeTransaction newest;

    /**
     * Begins a run.
     *
     * @param tables whose rows are wanted
     * @param sid of the stream's transactions
     * @param last the number of the last transaction before the first one that is expected
     */
    public SlotFiller(SlotFlow flow, Predicate<TableName> tables, Sid sid, long last) {
        this.flow = flow;
        this.tables = tables;
        this.sid = sid;
        this.last = last;
    }

    /** The newest transaction that was read as a whole, null for none. */
    public ChangeTransaction newest() {
        return newest;
    }

    @Override
    public boolean wants(TableName table) {
        return tables.test(table);
    }

    @Override
    public void begin(ChangeTransaction of) {
        Gtid gtid = of.gtid();
        if (!gtid.sid().equals(sid) || gtid.gno() <= last) {
            throw TransactionInput.unexpected("a transaction of " + sid + " after number " + last, gtid.toString());
        }
        transaction = of;
        rows = 0;
        slot(0).begin(of);
    }

    private SinkSlot slot(int length) {
        boolean isFull = slot != null
                && (slot.used() > 0 && slot.used() + length > SLOT_BYTES || slot.entries() >= MOST_ENTRIES);
        if (isFull) {
            flush();
        }
        if (slot == null) {
            slot = claim(length);
        } else if (slot.used() == 0 && length > SLOT_BYTES) {
            flush();
            slot = claim(length);
        }
        return slot;
    }

    private SinkSlot claim(int length) {
        SinkSlot next = flow.claim(length);
        next.ofSnapshot(isSnapshot);
        return next;
    }

    /** Passes on what was read. */
    public void flush() {
        if (slot != null) {
            SinkSlot full = slot;
            slot = null;
            flow.publish(full);
        }
    }

    @Override
    public void rows(ChangeTable table, ByteBuffer view, int at, int end) {
        slot(end - at).rows(transaction, table, view, new SinkSlot.Range(at, end, rows));
        rows += table.rows(view, at, end);
    }

    @Override
    public void statement(ChangeStatement statement) {
        slot(0).statement(transaction, statement);
    }

    /**
     * A part of the rows of a snapshot begins; {@link #rows} follows.
     *
     * @param place the transaction after which the stream begins
     * @param row the number of the first row in the snapshot
     */
    public void beginPart(ChangeTransaction place, long row) {
        isSnapshot = true;
        transaction = place;
        rows = row;
        slot(0).begin(place);
    }

    /** The part has ended, and another one follows. */
    public void endPart(CopyPlace place) {
        slot(0).partEnd(transaction, place);
    }

    /** The last part has ended; the stream follows. */
    public void endSnapshot() {
        end("", 0);
        flush();
        isSnapshot = false;
    }

    @Override
    public void end(String file, long position) {
        slot(0).end(transaction, file, position);
        last = transaction.gtid().gno();
        newest = transaction;
    }
}
