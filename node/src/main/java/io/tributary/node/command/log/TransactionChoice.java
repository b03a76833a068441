package io.tributary.node.command.log;

import io.tributary.changes.ChangeDefinitions;
import io.tributary.changes.ChangeInput;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.GtidEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Passes the events of the selected transactions to a handler, and passes over the others. For one thread. */
final class TransactionChoice {
    private final LogSelection selection;
    private final LogHandler handler;
    private final ChangeInput input;
    private boolean isSelected;
    private boolean isAfter;
    private Gtid begun;

    TransactionChoice(LogSelection selection, LogHandler handler, ChangeDefinitions definitions) {
        this.selection = selection;
        this.handler = handler;
        this.input = new ChangeInput(handler, definitions);
    }

    /** A file, or a part of it, begins. */
    void begin() {
        isSelected = false;
        input.begin(false);
    }

    /** A transaction begins with a GTID event at an offset of a file. */
    void gtid(ByteBuffer view, int at, int end, Gtid gtid, String file, long offset) {
        long committed = GtidEvent.immediateCommitMicros(view, at, end);
        long micros = committed != 0 ? committed : TimeUnit.SECONDS.toMicros(EventHeader.timestamp(view, at));
        begun = gtid;
        isAfter = selection.isAfter(micros);
        isSelected = !isAfter && selection.has(gtid.sid(), gtid.gno(), micros);
        handler.at(file, offset);
    }

    /** Whether an event of this category is passed on now. */
    boolean wants(EventCategory category) {
        boolean isOfTransaction = category != EventCategory.IGNORED
                && category != EventCategory.ROTATE
                && category != EventCategory.FORMAT_DESCRIPTION
                && category != EventCategory.HEARTBEAT;
        return isSelected && isOfTransaction;
    }

    /**
     * Passes an event on, without its checksum. If it cannot be read, the rest of its transaction is passed over.
     *
     * @throws TributaryException NODE_UNREACHABLE, READER_REFUSED if the definition of a table cannot be asked for; those of the output
     */
    void pass(ByteBuffer view, int at, int length) throws IOException {
        try {
            boolean unused = input.event(view, at, length);
        } catch (TributaryException e) {
            switch (e.code()) {
                case READER_REFUSED, NODE_UNREACHABLE, COMMAND_CANCELLED -> throw e;
                default -> unreadable(e.getMessage());
            }
        }
    }

    /** The rest of the transaction cannot be read and is passed over; the next one is read again. */
    void unreadable(String why) throws IOException {
        begin();
        handler.unreadable(why);
    }

    /** The length of the largest event that is passed on, in bytes. */
    int largestEvent() {
        return handler.largestEvent();
    }

    /** Whether all that follows was committed too late, or there are enough changes. */
    boolean isDone() {
        return isAfter || handler.hasMore();
    }

    /** The last transaction that has begun. */
    Optional<Gtid> begun() {
        return Optional.ofNullable(begun);
    }
}
