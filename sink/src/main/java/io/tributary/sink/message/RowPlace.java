package io.tributary.sink.message;

import io.tributary.changes.ChangeTransaction;

/**
 * Where a message is in the stream. Used again for each message.
 */
public final class RowPlace {
    private ChangeTransaction transaction;
    private long row;
    private long tableRow;
    private long builtMillis;
    private boolean isSnapshot;

    /**
     * Moves to a row.
     *
     * @param of its transaction
     * @param number of the row in the transaction, from 0
     * @param millis the time now, milliseconds since 1970
     */
    public RowPlace set(ChangeTransaction of, long number, long millis) {
        transaction = of;
        row = number;
        tableRow = -1;
        builtMillis = millis;
        isSnapshot = false;
        return this;
    }

    /** The number of the row among those of its table in the transaction, from 0. */
    public RowPlace inTable(long number) {
        tableRow = number;
        return this;
    }

    /** The rows are those of a snapshot. */
    public RowPlace ofSnapshot() {
        isSnapshot = true;
        return this;
    }

    public ChangeTransaction transaction() {
        return transaction;
    }

    /** Number of the row in its transaction, from 0. */
    public long row() {
        return row;
    }

    /** Number of the row among those of its table in the transaction, from 0; -1 if it is not known. */
    public long tableRow() {
        return tableRow;
    }

    /** When the message is made, milliseconds since 1970. */
    public long builtMillis() {
        return builtMillis;
    }

    /** When the transaction was committed on its shard, milliseconds since 1970. */
    public long committedMillis() {
        return transaction.committedMicros() / 1000;
    }

    /** Whether the row was read from a table and not from the binlog. */
    public boolean isSnapshot() {
        return isSnapshot;
    }
}
