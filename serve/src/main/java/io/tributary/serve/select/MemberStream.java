package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.RowConsumer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The rows of one statement on one shard. It holds few of them: the shard's socket is not read while there are enough, nor while there is no memory for
 * a long row. On one event loop.
 */
final class MemberStream implements RowConsumer {
    private final String shard;
    private final MysqlConnection connection;
    private final SelectMemory memory;
    private final Runnable changed;
    private final Deque<HeldRow> rows = new ArrayDeque<>();
    private List<String> names = List.of();
    private List<ResultColumnType> types = List.of();
    private long held;
    private long arriving; // counted for the row whose packets arrive
    private boolean isPaused;
    private boolean isRefused; // a packet waits for memory
    private boolean isDone;
    private boolean isDiscarded;

    /**
     * @param changed called when a row has arrived, or the last one
     */
    MemberStream(SelectConnection shard, SelectMemory memory, Runnable changed) {
        this.shard = shard.name();
        this.connection = shard.connection();
        this.memory = memory;
        this.changed = changed;
        connection.admitPackets(this::admits);
    }

    /** Whether a packet of the answer may be received now. A long row waits until those before it are passed on, and until there is memory. */
    private boolean admits(long length) {
        long counted = SelectMemory.counted(length);
        isRefused = counted > 0 && (!rows.isEmpty() || !memory.takePacket(length));
        if (isRefused) {
            pause(true);
        } else {
            arriving += counted;
        }
        return !isRefused;
    }

    @Override
    public void columns(List<String> columnNames, List<ResultColumnType> columnTypes) {
        names = columnNames;
        types = columnTypes;
    }

    @Override
    public void row(ByteBuf packet) {
        HeldRow row = new HeldRow(packet.retain(), arriving, memory);
        arriving = 0;
        if (isDiscarded) {
            row.release();
        } else {
            rows.add(row);
            held += packet.readableBytes();
            if (held > SelectMemory.MOST_HELD) {
                pause(true);
            }
        }
        changed.run();
    }

    private void pause(boolean pauses) {
        if (isPaused != pauses) {
            isPaused = pauses;
            connection.pause(pauses);
        }
    }

    /** The last row has arrived. */
    void done() {
        isDone = true;
        changed.run();
    }

    String shard() {
        return shard;
    }

    List<String> names() {
        return names;
    }

    List<ResultColumnType> types() {
        return types;
    }

    /** Whether the columns are known. */
    boolean hasColumns() {
        return !names.isEmpty();
    }

    /** Whether there is neither a row nor will there be one. */
    boolean isAtEnd() {
        return isDone && rows.isEmpty();
    }

    /** Whether the next row waits for memory. */
    boolean lacksMemory() {
        return isRefused && rows.isEmpty();
    }

    /** The next row, which stays here; null while there is none. */
    ByteBuf peek() {
        HeldRow next = rows.peek();
        return next == null ? null : next.bytes();
    }

    /** Removes the next row, which the caller releases. */
    HeldRow take() {
        HeldRow row = rows.remove();
        held -= row.bytes().readableBytes();
        resume();
        return row;
    }

    /** Receives more, unless it holds enough. */
    void resume() {
        if (isRefused && rows.isEmpty()) {
            pause(false);
            connection.retryPacket();
        } else if (!isRefused && held <= SelectMemory.MOST_HELD / 2) {
            pause(false);
        }
    }

    /** Drops all rows that are left, and those that arrive. */
    void discard() {
        isDiscarded = true;
        rows.forEach(HeldRow::release);
        rows.clear();
        held = 0;
        resume();
    }
}
