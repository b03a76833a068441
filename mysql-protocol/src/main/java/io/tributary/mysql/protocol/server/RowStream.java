package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.tributary.common.pipeline.ByteBudget;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.SessionMemoryException;
import java.util.List;

/**
 * An answer that is sent row by row: it needs no more memory than {@link #hasRoom()} allows, and one row. On the event loop of its session. An
 * answer to a disconnected client is dropped.
 */
public final class RowStream {
    /** Longer rows are sent in a buffer of their own, which is counted in the memory of all sessions; in bytes. */
    public static final int BLOCK = 32 << 10;

    private final Session session;
    private final Channel channel;
    private final AnswerPackets packets;
    private ByteBuf block; // what is not sent yet; null for nothing
    private Runnable roomListener = () -> {};
    private boolean hasEnded;

    RowStream(Session session, Channel channel, AnswerPackets packets, List<ResultSet.Column> columns) {
        this.session = session;
        this.channel = channel;
        this.packets = packets;
        packets.head(block(), columns);
    }

    private ByteBuf block() {
        if (block == null) {
            block = channel.alloc().buffer();
        }
        return block;
    }

    /** Whether the client can receive more now; false after the connection or this answer has ended. */
    public boolean hasRoom() {
        return !hasEnded && channel.isWritable() && channel.isActive();
    }

    /** Sets a listener that is called each time there is room again after there was none. */
    public void onRoom(Runnable listener) {
        roomListener = listener;
    }

    void roomChanged() {
        if (hasRoom()) {
            roomListener.run();
        }
    }

    /**
     * Adds a row.
     *
     * @param view one length-encoded value or NULL for each column; not changed and not released
     * @throws SessionMemoryException if a large row does not fit into the memory of all sessions
     */
    public void row(ByteBuf view) {
        if (hasEnded) {
            return;
        }
        int bytes = view.readableBytes();
        if (bytes <= BLOCK) {
            packets.row(block(), view);
            if (block.readableBytes() >= BLOCK) {
                flush();
            }
            return;
        }
        ByteBudget memory = session.allMemory();
        if (!memory.take(bytes)) {
            throw SessionMemoryException.ofAll(memory.most());
        }
        reservedRow(view);
    }

    /**
     * Adds a row of more than {@link #BLOCK} bytes, for whose bytes the caller has reserved memory of all sessions. This answer releases it when the row is sent.
     *
     * @param view as for {@link #row}
     */
    public void reservedRow(ByteBuf view) {
        int bytes = view.readableBytes();
        ByteBudget memory = session.allMemory();
        if (hasEnded) {
            memory.release(bytes);
            return;
        }
        ByteBuf out;
        try {
            flush();
            out = channel.alloc().buffer(bytes + BLOCK);
            packets.row(out, view);
        } catch (RuntimeException | OutOfMemoryError e) {
            memory.release(bytes);
            throw e;
        }
        channel.writeAndFlush(out).addListener(sent -> memory.release(bytes));
    }

    /** Closes the connection, because a row could not be added as a whole. */
    public void abort() {
        hasEnded = true;
        if (block != null) {
            block.release();
            block = null;
        }
        var unused = channel.close();
    }

    /** Sends what was added. */
    public void flush() {
        if (block != null) {
            ByteBuf out = block;
            block = null;
            Outbound.send(channel, out);
        }
    }

    /** Ends the answer: all rows were added. */
    public void end() {
        if (!hasEnded) {
            hasEnded = true;
            packets.eof(block());
            flush();
            session.streamed();
        }
    }

    /** Ends the answer with an error, after any number of rows. */
    public void fail(ErrPacket error) {
        if (!hasEnded) {
            hasEnded = true;
            session.streamFails();
            packets.err(block(), error);
            flush();
            session.streamed();
        }
    }

    void drop() {
        hasEnded = true;
        if (block != null) {
            block.release();
            block = null;
        }
    }
}
