package io.tributary.sink.message;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.value.TableName;

/**
 * A protocol of messages. Thread-safe: several workers use it at the same time. Methods that write append to a buffer and return whether there is such a
 * part; they append nothing if there is none.
 */
public interface MessageFormat {
    /**
     * Prepares a table.
     *
     * @param topic to which its rows are sent
     * @return for one worker, which asks once for each version of a table
     * @throws io.tributary.common.error.TributaryException SINK_TABLE_UNFIT if the protocol cannot have its rows
     */
    RowFormat table(ChangeTable table, String topic);

    /**
     * Whether tables have to be prepared in the order of the stream, and one after another: {@link #table} is called for a version of a table when it has
     * returned for all that are before it in the stream, and is not called any more after an error.
     */
    default boolean isPreparedInOrder() {
        return false;
    }

    /**
     * Appends the value of a message with the definition of a table, which has no key. Readers need it before the rows of a version of the table, so it is
     * sent to all partitions of the topic before the first row, and again from time to time for readers that begin later.
     *
     * @return false if the protocol has no such message
     */
    default boolean definitionValue(ByteBuf out, ChangeTable table, RowPlace place) {
        return false;
    }

    /** Whether the protocol has messages for DDL. */
    boolean hasStatements();

    /**
     * Appends the key of the message for a statement.
     *
     * @param table the table or schema to which it belongs
     */
    boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place);

    /** Appends the value of this message. */
    void statementValue(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place);

    /** Whether the protocol has watermarks. */
    boolean hasWatermarks();

    /** Appends the key of a watermark. */
    boolean watermarkKey(ByteBuf out, RowPlace place);

    /** Appends the value of a watermark: everything up to this place is in front of it. */
    void watermarkValue(ByteBuf out, RowPlace place);
}
