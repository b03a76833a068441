package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.ResultColumnType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The rows of a result set of any size, which are read while they arrive: the socket is not read while too many bytes wait here. For one
 * thread. Until it has ended no other statement of the connection gets its answer; closing the connection ends it.
 */
public final class RowQueue implements RowConsumer, AutoCloseable {
    private static final int BLOCK = 1 << 16;
    private static final int LENGTH = Integer.BYTES;

    private final Channel channel;
    private final int queueBytes;
    private final MysqlConnection connection;
    private final BlockingQueue<ByteBuf> blocks = new LinkedBlockingQueue<>();
    private final AtomicLong queued = new AtomicLong();
    private CompletableFuture<QueryResult> answer;
    private ByteBuf filling = Unpooled.EMPTY_BUFFER; // of the event loop
    private ByteBuf reading = Unpooled.EMPTY_BUFFER; // of the reader
    private boolean isEnded;
    private volatile boolean isClosed;

    RowQueue(MysqlConnection connection, Channel channel, int queueBytes) {
        this.connection = connection;
        this.channel = channel;
        this.queueBytes = queueBytes;
    }

    void begin(CompletableFuture<QueryResult> of) {
        answer = of;
        var unused = answer.whenComplete((result, failure) -> {
            publish();
            blocks.add(Unpooled.EMPTY_BUFFER);
        });
    }

    // ---- event loop

    @Override
    public void columns(List<String> names, List<ResultColumnType> types) {
        // the reader knows them
    }

    /** Takes one row, whose bytes are copied unless there are many. */
    @Override
    public void row(ByteBuf packet) {
        if (isClosed) {
            return;
        }
        int length = packet.readableBytes();
        if (length >= BLOCK) {
            publish();
            filling = channel.alloc()
                    .compositeBuffer(2)
                    .addComponent(true, channel.alloc().buffer(LENGTH).writeInt(length))
                    .addComponent(true, packet.retainedSlice());
            publish();
            return;
        }
        if (filling.capacity() == 0) {
            filling = channel.alloc().buffer(2 * BLOCK + LENGTH);
        }
        filling.writeInt(length).writeBytes(packet, packet.readerIndex(), length);
        if (filling.readableBytes() >= BLOCK) {
            publish();
        }
    }

    private void publish() {
        if (filling.capacity() == 0) {
            return;
        }
        queued.addAndGet(filling.readableBytes());
        blocks.add(filling);
        filling = Unpooled.EMPTY_BUFFER;
        if (isClosed) {
            releaseAll();
        } else if (queued.get() > queueBytes) {
            channel.config().setAutoRead(false);
            resumeIfDrained(); // the reader may have taken everything before the line above
        }
    }

    private void resumeIfDrained() {
        if (queued.get() <= queueBytes / 2 && !channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
    }

    // ---- reader

    /**
     * The next row in the form of the protocol ("Text Resultset Row"): from its reader index to its writer index; valid until the next call. Null after
     * the last row.
     *
     * @param limit maximum time without a row
     * @throws MysqlServerError if the server ends the statement with an error, also after some rows
     * @throws TributaryException SHARD_UNREACHABLE if the connection is lost, or there is no row within the limit
     */
    public ByteBuf next(Duration limit) {
        if (!reading.isReadable() && !take(limit)) {
            return null;
        }
        int length = reading.readInt();
        return reading.readSlice(length);
    }

    /** Whether the next row has arrived: {@link #next} does not wait. */
    public boolean isWaiting() {
        return reading.isReadable() || !blocks.isEmpty();
    }

    private boolean take(Duration limit) {
        if (isEnded) {
            return false;
        }
        reading.release();
        reading = Unpooled.EMPTY_BUFFER;
        ByteBuf next;
        try {
            next = blocks.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for rows of " + connection.endpoint());
        }
        if (next == null) {
            close();
            throw new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    "expected rows of " + connection.endpoint() + " within " + limit + ", found none");
        }
        if (!next.isReadable()) {
            isEnded = true;
            var unused = connection.await(answer, limit);
            return false;
        }
        queued.addAndGet(-next.readableBytes());
        reading = next;
        resumeIfDrained();
        return true;
    }

    private void releaseAll() {
        for (ByteBuf block = blocks.poll(); block != null; block = blocks.poll()) {
            block.release();
        }
    }

    /** Releases all rows. If the server has not sent all of them yet, the connection is closed. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        reading.release();
        reading = Unpooled.EMPTY_BUFFER;
        isEnded = true;
        if (!answer.isDone()) {
            Outbound.close(channel);
        }
        releaseAll();
    }
}
