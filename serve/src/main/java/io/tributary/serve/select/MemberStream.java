package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.RowConsumer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The rows of one statement on one shard. It holds few of them: the shard is not read while there are enough. On one event loop. */
final class MemberStream implements RowConsumer, AutoCloseable {
    private static final int HIGH = 128 << 10;

    private final String shard;
    private final MysqlConnection connection;
    private final Runnable changed;
    private final Deque<ByteBuf> rows = new ArrayDeque<>();
    private List<String> names = List.of();
    private List<ResultColumnType> types = List.of();
    private long held;
    private boolean isPaused;
    private boolean isDone;
    private boolean isDiscarded;

    /**
     * @param changed called when a row has arrived, or the last one
     */
    MemberStream(String shard, MysqlConnection connection, Runnable changed) {
        this.shard = shard;
        this.connection = connection;
        this.changed = changed;
    }

    @Override
    public void columns(List<String> columnNames, List<ResultColumnType> columnTypes) {
        names = columnNames;
        types = columnTypes;
    }

    @Override
    public void row(ByteBuf packet) {
        if (isDiscarded) {
            return;
        }
        rows.add(packet.retain());
        held += packet.readableBytes();
        if (held > HIGH && !isPaused) {
            isPaused = true;
            connection.pause(true);
        }
        changed.run();
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

    /** The next row, which stays here; null while there is none. */
    ByteBuf peek() {
        return rows.peek();
    }

    /** Removes the next row, which the caller releases. */
    ByteBuf take() {
        ByteBuf row = rows.remove();
        held -= row.readableBytes();
        if (isPaused && held <= HIGH / 2) {
            isPaused = false;
            connection.pause(false);
        }
        return row;
    }

    /** Drops all rows that are left. */
    void discard() {
        isDiscarded = true;
        close();
        if (isPaused) {
            isPaused = false;
            connection.pause(false);
        }
    }

    @Override
    public void close() {
        isDiscarded = true;
        rows.forEach(ByteBuf::release);
        rows.clear();
        held = 0;
    }
}
