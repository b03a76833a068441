package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.tributary.common.pipeline.InboundQueue;
import io.tributary.mysql.protocol.Outbound;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Received bytes between the event loop, which adds them, and the thread that polls the stream. It holds a limited
 * number of bytes: above the limit the socket is not read, below half of it reading resumes.
 */
final class ChunkQueue extends ChannelInboundHandlerAdapter {
    /**
     * Whether the socket is read. Only the event loop switches it; the polling thread may request it, once (PAUSED to
     * RESUMING). If both switched, "off" could arrive after the "on" that answers it, and the socket would never be read again.
     */
    private enum Reading {
        ON,
        PAUSED,
        RESUMING
    }

    private final Channel channel;
    private final int bound;
    private final InboundQueue<ByteBuf> chunks = new InboundQueue<>();
    private final AtomicLong held = new AtomicLong();
    private final AtomicReference<Reading> reading = new AtomicReference<>(Reading.ON);
    private volatile boolean closed;
    private volatile Throwable lost;

    ChunkQueue(Channel channel, int bound) {
        this.channel = channel;
        this.bound = bound;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf chunk = (ByteBuf) message;
        if (closed || !chunk.isReadable()) {
            chunk.release();
            return;
        }
        long now = held.addAndGet(chunk.capacity());
        chunks.add(chunk);
        if (now > bound) {
            channel.config().setAutoRead(false);
            reading.set(Reading.PAUSED);
            resumeIfDrained(); // the reader may have drained the queue before it could see the pause
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (lost == null) {
            lost = new IOException("the connection was closed");
        }
        chunks.ring();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        lost = cause;
        chunks.ring();
        Outbound.close(ctx.channel());
    }

    /** The next chunk, which the caller returns with {@link #done}, or null. */
    ByteBuf poll() {
        return chunks.poll();
    }

    /** Returns a chunk. */
    void done(ByteBuf chunk) {
        held.addAndGet(-chunk.capacity());
        chunk.release();
        resumeIfDrained();
    }

    private void resumeIfDrained() {
        if (reading.get() == Reading.PAUSED
                && held.get() <= bound / 2
                && reading.compareAndSet(Reading.PAUSED, Reading.RESUMING)) {
            try {
                channel.eventLoop().execute(this::resume);
            } catch (RejectedExecutionException e) {
                // the event loop has ended: nothing is left to read
            }
        }
    }

    private void resume() {
        reading.set(Reading.ON);
        channel.config().setAutoRead(true);
    }

    /** The reason why no more chunks will be added, or null; chunks added before can still be polled. */
    Throwable lost() {
        return lost;
    }

    boolean isEmpty() {
        return chunks.isEmpty();
    }

    /** Bytes of memory of unread chunks. */
    long held() {
        return held.get();
    }

    /** Closes the connection and drops the chunks; by the polling thread. */
    void close() {
        closed = true;
        Outbound.close(channel);
        try {
            channel.eventLoop().execute(this::drain);
        } catch (RejectedExecutionException e) {
            drain(); // the event loop has ended, so no chunk is added
        }
    }

    private void drain() {
        chunks.drain(chunk -> {
            held.addAndGet(-chunk.capacity());
            chunk.release();
        });
    }
}
