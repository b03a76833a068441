package io.tributary.sink.message;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.RowChange;

/** Writes the rows of one table with one definition. For one thread. */
public interface RowFormat {
    /** Appends the key that values of the row make; false if there is none. */
    boolean key(ByteBuf out, RowChange row);

    /** Appends the key of the message, which also contains the place of the row in open-protocol; false if the message has none. */
    default boolean key(ByteBuf out, RowChange row, RowPlace place) {
        return key(out, row);
    }

    /** Appends the key of the message of {@link #handleValue}. */
    default boolean handleKey(ByteBuf out, RowChange row, RowPlace place, String location) {
        return key(out, row, place);
    }

    /** Appends the value; false if the message has none, as a DELETE of a compacted topic. */
    boolean value(ByteBuf out, RowChange row, RowPlace place);

    /**
     * Appends a value that has only the columns of the handle key, for a message that would be too large.
     *
     * @param location where the whole message is, "" if it is nowhere
     * @return false if the protocol has no such message
     */
    default boolean handleValue(ByteBuf out, RowChange row, RowPlace place, String location) {
        return false;
    }
}
