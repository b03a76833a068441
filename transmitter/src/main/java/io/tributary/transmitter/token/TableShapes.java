package io.tributary.transmitter.token;

import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import java.nio.ByteBuffer;

/** The registry that has exactly one reference for each table map in this node; any thread. */
@FunctionalInterface
public interface TableShapes {
    /**
     * The reference to a table map event, with this node's id.
     *
     * @param view contains the event, with logical names, from {@code at} to {@code end}
     * @param physical the table's name on its shard
     */
    TableRef table(ByteBuffer view, int at, int end, TableName physical);
}
