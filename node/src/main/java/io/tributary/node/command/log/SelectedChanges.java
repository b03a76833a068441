package io.tributary.node.command.log;

import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.RowChange;
import java.io.IOException;

/** Receives the selected changes, in the order of the binlog. For one thread. */
interface SelectedChanges extends AutoCloseable {
    /** A row; valid during the call. */
    void row(ChangeTransaction transaction, RowChange row) throws IOException;

    /** Whether statements are wanted even if only rows with one key are selected. */
    boolean needsStatements();

    /**
     * A statement of a selected transaction.
     *
     * @throws io.tributary.common.error.TributaryException if it cannot be output
     */
    void statement(ChangeTransaction transaction, ChangeStatement statement) throws IOException;

    /**
     * A selected transaction, or a part of it, cannot be output.
     *
     * @throws io.tributary.common.error.TributaryException if the rest is of no use without it
     */
    void unreadable(ChangeTransaction transaction, String why) throws IOException;

    /** The length of the largest event that is read, in bytes; larger ones are unreadable. */
    default int largestEvent() {
        return 256 << 20;
    }

    /** All changes were received. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
}
