package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.EventExecutor;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.compress.PacketMark;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The target of the events of a dump: it puts the packet header and a zero byte before each event and sends them, many in one
 * buffer. Any thread may write, one at a time; the bytes are copied once, so that the caller's buffer is free
 * again when a call returns. No write is refused for lack of room: call {@link #hasRoom()} first, and limit the size of each write
 * (a block of a file).
 */
public final class EventSink {
    private final Session session;
    private final Channel channel;
    private EventFrames frames;
    private volatile Runnable roomListener = () -> {};
    private volatile Consumer<SemiSyncAck> ackListener;

    EventSink(Session session, Channel channel) {
        this.session = session;
        this.channel = channel;
        this.frames = new EventFrames(channel.alloc(), false);
    }

    /** The event loop of the reader's connection: a caller on this loop writes without a hand-over. */
    public EventExecutor loop() {
        return channel.eventLoop();
    }

    /** Bytes in memory that wait to be sent: at most the limit of {@link #hasRoom()} and the last write. On the loop. */
    public long waitingBytes() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes();
    }

    /**
     * Makes this a dump to a semi-sync reader: its acknowledgements go to {@code listener}, on the event loop. Before the first
     * write.
     */
    public void semiSync(Consumer<SemiSyncAck> listener) {
        frames = new EventFrames(channel.alloc(), true);
        ackListener = listener;
    }

    /** Processes a packet that the client sent during the dump: only acknowledgements have a meaning. */
    void received(ByteBuf packet) {
        Consumer<SemiSyncAck> listener = ackListener;
        if (listener != null
                && packet.isReadable()
                && packet.getUnsignedByte(packet.readerIndex()) == SemiSyncAck.MAGIC) {
            listener.accept(SemiSyncAck.read(packet));
        }
    }

    /** Whether the reader can receive more now: few enough bytes wait to be sent; false after the connection has ended. */
    public boolean hasRoom() {
        return channel.isWritable() && channel.isActive();
    }

    /** Whether the reader is connected. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /**
     * Sets a listener that is called on the event loop each time there is room again after there was none; it replaces the previous
     * one. Set it before the first write, so that no call is missed.
     */
    public void onRoom(Runnable listener) {
        roomListener = listener;
    }

    /**
     * Sends the whole events from {@code at} to {@code end}, in the form of a file.
     *
     * @param view read only, by absolute index
     * @throws io.tributary.common.error.TributaryException {@code BINLOG_CORRUPT} if the lengths in the events' headers do
     *     not end at {@code end}; nothing is sent then
     */
    public void events(ByteBuffer view, int at, int end) {
        send(frames.frame(view, at, end, false));
    }

    /**
     * As {@link #events}, for events that several readers receive: they are framed once. Events of less than 16 MiB only.
     *
     * @param content identifies the content of the buffer
     */
    public void events(ByteBuffer view, int at, int end, SharedFrames shared, long content) {
        send(frames.frame(view, at, end, shared, content));
    }

    /** As {@link #events}; a semi-sync reader is asked to acknowledge the last of them. */
    public void eventsToAcknowledge(ByteBuffer view, int at, int end) {
        send(frames.frame(view, at, end, true));
        if (session.compression().isPresent()) {
            var unused = channel.write(PacketMark.ACKNOWLEDGED, channel.voidPromise());
        }
    }

    /**
     * Begins one event that is too large for a block; {@link #part} sends its bytes, until there are {@code length}.
     *
     * @param length of the event with its header, up to 2^32-1
     */
    public void begin(long length) {
        send(frames.begin(length));
    }

    /** Sends the next bytes of the event that {@link #begin} began. */
    public void part(ByteBuffer view, int at, int length) {
        send(frames.part(view, at, length));
    }

    private void send(ByteBuf out) {
        Outbound.send(channel, out);
    }

    /** Ends the dump at the end of the binlog (answer to a dump without waiting). The connection ends, as with MySQL. */
    public void finish() {
        session.endDump(frames.nextId(), null);
    }

    /** Ends the dump with an error. The connection ends, as with MySQL; a replica stops after ER_MASTER_FATAL_ERROR_READING_BINLOG. */
    public void fail(MysqlError error, String message) {
        fail(error.packet(message));
    }

    /** Ends the dump with an error. */
    public void fail(ErrPacket error) {
        session.endDump(frames.nextId(), error);
    }

    /** Ends the dump and the connection without an error, after which a replica retries ("not ready yet"). */
    public void close() {
        session.close();
    }

    void roomChanged() {
        if (channel.isWritable()) {
            roomListener.run();
        }
    }
}
