package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.server.RowStream;

/** A row that has arrived. It has one owner, which releases it once. */
final class HeldRow {
    private final ByteBuf bytes;
    private final SelectMemory memory;
    private long counted;

    /**
     * @param bytes one length-encoded value or NULL for each column; owned
     * @param counted bytes that are counted in the memory of its SELECT for it alone
     */
    HeldRow(ByteBuf bytes, long counted, SelectMemory memory) {
        this.bytes = bytes;
        this.counted = counted;
        this.memory = memory;
    }

    ByteBuf bytes() {
        return bytes;
    }

    /**
     * Adds a part of it to an answer; the memory of a long row passes to the answer.
     *
     * @param view of {@link #bytes}
     */
    void addTo(RowStream out, ByteBuf view) {
        int length = view.readableBytes();
        if (length > RowStream.BLOCK && counted >= length && memory.passOn(length)) {
            counted -= length;
            out.reservedRow(view);
        } else {
            out.row(view);
        }
    }

    void release() {
        bytes.release();
        memory.release(counted);
    }
}
