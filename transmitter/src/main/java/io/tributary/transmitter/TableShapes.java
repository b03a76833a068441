package io.tributary.transmitter;

import io.tributary.common.value.TableRef;
import java.nio.ByteBuffer;

/** Gives out the one reference to each shape of a table in this node; any thread. */
@FunctionalInterface
public interface TableShapes {
    /**
     * The reference to the shape of a table map event, with this node's id.
     *
     * @param view has the event, with logical names, from {@code at} to {@code end}
     */
    TableRef table(ByteBuffer view, int at, int end);
}
