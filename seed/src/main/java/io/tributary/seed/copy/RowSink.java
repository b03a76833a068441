package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** Receives the rows of one member, or of a part of it, in their order. For one thread. */
interface RowSink {
    /** Adds a row in the form of the protocol. */
    void add(ByteBuf row);

    /** The key of the last row, as literals; empty before the first one. */
    List<String> lastKey();

    /** Waits until all rows are stored. */
    void finish();
}
