package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.tributary.common.pipeline.Arrivals;
import io.tributary.mysql.protocol.Outbound;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Received bytes on their way from the event loop, which puts, to the one thread that polls the stream. Holds a bounded
 * number of bytes: above the bound the socket is not read, below half of it reading goes on.
 */
final class ChunkQueue extends ChannelInboundHandlerAdapter {
    /**
     * Whether the socket is read. Only the event loop switches it; the polling thread may ask for it, once (PAUSED to
     * RESUMING). Were both to switch, "off" could land behind an "on" that had seen it coming, and stay for ever.
     */
    private enum Reading {
        ON,
        PAUSED,
        RESUMING
    }

    private final Channel channel;
    private final int bound;
    private final Arrivals<ByteBuf> chunks = new Arrivals<>();
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
            resumeIfDrained(); // the reader may have drained it all before it could see the pause
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

    /** The next chunk, which the caller gives back by {@link #done}, or null. */
    ByteBuf poll() {
        return chunks.poll();
    }

    /** Gives a chunk back. */
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

    /** Why nothing more will be put, or null; what was put before can still be polled. */
    Throwable lost() {
        return lost;
    }

    boolean isEmpty() {
        return chunks.isEmpty();
    }

    /** Bytes of memory that unread chunks hold. */
    long held() {
        return held.get();
    }

    /** Closes the connection and drops what is held; by the polling thread. */
    void close() {
        closed = true;
        Outbound.close(channel);
        try {
            channel.eventLoop().execute(this::drain);
        } catch (RejectedExecutionException e) {
            drain(); // the event loop has ended, nobody puts
        }
    }

    private void drain() {
        chunks.drain(chunk -> {
            held.addAndGet(-chunk.capacity());
            chunk.release();
        });
    }
}
