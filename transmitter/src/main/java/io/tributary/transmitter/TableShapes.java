package io.tributary.transmitter;

import io.tributary.common.value.TableRef;

/** Gives out the one reference to each shape of a table in this node; any thread. */
@FunctionalInterface
public interface TableShapes {
    /**
     * The reference to a shape, with this node's id.
     *
     * @param body the table map behind its table id, with logical names; taken over
     */
    TableRef table(String schema, String table, byte[] body);
}
