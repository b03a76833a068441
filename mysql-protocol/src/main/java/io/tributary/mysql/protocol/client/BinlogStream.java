package io.tributary.mysql.protocol.client;

import static io.tributary.mysql.protocol.PacketDecoder.MAX_PACKET_PAYLOAD;
import static io.tributary.mysql.protocol.PacketDecoder.PACKET_HEADER;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.OkPacket;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A shard's replication stream. It owns no thread: one thread of the caller polls it, and it makes no object and no copy
 * per event: the consumer reads events where they were received; only an event in two chunks or packets is joined first.
 * Received bytes are limited by {@link ReceiveLimits#queueBytes()}; above the limit the shard has to wait.
 */
public final class BinlogStream implements AutoCloseable {
    private static final int EVENT_HEADER = 19;
    private static final int EVENT_LENGTH_AT = 9;
    private static final int MAX_EOF_LENGTH = 8;

    private final ChunkQueue chunks;
    private final String server;
    private final boolean checksummed;
    private final int maxEventBytes;
    private final CarryOver carry = new CarryOver();
    private final ByteBuffer carriedHeader = ByteBuffer.allocate(PACKET_HEADER);

    private ByteBuf chunk;
    private ByteBuffer view;
    private int at;
    private int end;

    private int headerBytes;
    private int packetLeft = -1;
    private boolean packetContinues;
    private int sequence = 1;

    private boolean continues;
    private long eventBytes;
    private long receivedBytes;
    private Optional<StreamEnd> ended = Optional.empty();
    private boolean closed;

    BinlogStream(ChunkQueue chunks, String server, boolean checksummed, int maxEventBytes) {
        this.chunks = chunks;
        this.server = server;
        this.checksummed = checksummed;
        this.maxEventBytes = maxEventBytes;
    }

    /** Whether the server was asked for CRC32 checksums, as it writes them; FORMAT_DESCRIPTION events define it for each file. */
    public boolean checksummed() {
        return checksummed;
    }

    /**
     * Passes received events to the consumer, without waiting for more, until events of about {@code maxBytes} bytes (at least one
     * event) are consumed, the consumer returns false, or nothing is left. Always by the same thread. An exception of the consumer
     * is thrown here; the event then counts as consumed.
     *
     * @return how many events were consumed; after 0 check {@link #isOpen()}
     */
    public int poll(EventConsumer consumer, int maxBytes) {
        int events = 0;
        long limit = eventBytes + maxBytes;
        continues = true;
        while (continues && eventBytes < limit && ended.isEmpty()) {
            if (at == end && !nextChunk()) {
                break;
            }
            if (headerBytes == 0 && packetLeft < 0 && carry.size() == 0 && wholePacketHere()) {
                int payload = at + PACKET_HEADER;
                int length = packetLength();
                at = payload + length;
                events += packet(consumer, view, payload, length);
            } else {
                events += carry(consumer);
            }
        }
        return events;
    }

    /** False after the stream has ended and all events received before were consumed; {@link #end()} returns the reason. */
    public boolean isOpen() {
        return ended.isEmpty();
    }

    /** How the stream ended; empty while it is open. It is known to the polling thread after it has consumed all events. */
    public Optional<StreamEnd> end() {
        return ended;
    }

    /** Bytes of events consumed so far. */
    public long takenBytes() {
        return eventBytes;
    }

    /** Bytes processed so far, including those of an incomplete event. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Bytes of memory that wait to be polled; any thread. */
    public long queuedBytes() {
        return chunks.held();
    }

    /** Closes the connection and releases the memory; by the polling thread, also repeatedly. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (ended.isEmpty()) {
            ended = Optional.of(new StreamEnd.Lost(new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE, "the stream of " + server + " was closed here")));
        }
        releaseChunk();
        chunks.close();
        carry.close();
    }

    private boolean nextChunk() {
        releaseChunk();
        Throwable lost = chunks.lost(); // before the poll: all chunks were added before it was set
        chunk = chunks.poll();
        if (chunk != null) {
            view = chunk.nioBuffer();
            at = view.position();
            end = view.limit();
            receivedBytes += end - at;
            return true;
        }
        if (lost != null) {
            ended = Optional.of(new StreamEnd.Lost(new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    "lost the replication stream of " + server + ": " + lost.getMessage(),
                    lost)));
        }
        return false;
    }

    private void releaseChunk() {
        if (chunk != null) {
            ByteBuf done = chunk;
            chunk = null;
            at = 0;
            end = 0;
            chunks.done(done);
        }
    }

    private boolean wholePacketHere() {
        if (end - at < PACKET_HEADER) {
            return false;
        }
        int length = packetLength();
        if (length == MAX_PACKET_PAYLOAD || end - at - PACKET_HEADER < length) {
            return false;
        }
        inOrder(view.get(at + 3));
        return ended.isEmpty();
    }

    private int packetLength() {
        return LittleEndian.getInt(view, at) & 0xffffff;
    }

    /** Copies the chunk's part of a packet that is not completely in it; returns the number of events that this completes. */
    private int carry(EventConsumer consumer) {
        if (ended.isPresent()) {
            return 0;
        }
        while (packetLeft < 0) {
            if (at == end) {
                return 0;
            }
            carriedHeader.put(headerBytes++, view.get(at++));
            if (headerBytes == PACKET_HEADER && !beginPacket()) {
                return 0;
            }
        }
        int part = Math.min(packetLeft, end - at);
        carry.append(view, at, part);
        at += part;
        packetLeft -= part;
        if (packetLeft > 0) {
            return 0;
        }
        packetLeft = -1;
        headerBytes = 0;
        if (packetContinues) {
            return 0;
        }
        try {
            return packet(consumer, carry.view(), 0, carry.size());
        } finally {
            carry.clear();
        }
    }

    private boolean beginPacket() {
        int length = LittleEndian.getInt(carriedHeader, 0) & 0xffffff;
        long whole = (long) carry.size() + length;
        inOrder(carriedHeader.get(3));
        if (whole - 1 > maxEventBytes) {
            fail("an event of at most " + maxEventBytes + " bytes", "one of at least " + (whole - 1));
        }
        if (ended.isPresent()) {
            return false;
        }
        reserve((int) whole);
        packetLeft = length;
        packetContinues = length == MAX_PACKET_PAYLOAD;
        return true;
    }

    /** If a damaged length asks for more memory than there is, the event may still fit when it arrives; its checksum is checked at its end. */
    private void reserve(int whole) {
        long announced = 1 + announced();
        if (announced > whole) {
            try {
                carry.reserve((int) announced);
                return;
            } catch (OutOfMemoryError e) { // Netty's limit: the bytes received so far may fit
                announced = whole;
            }
        }
        carry.reserve(whole);
    }

    /** The length in the event's header, if it was received and is plausible: memory that grows in steps would be held twice. */
    private long announced() {
        if (carry.size() < 1 + EVENT_HEADER) {
            return 0;
        }
        long length = LittleEndian.getU32(carry.view(), 1 + EVENT_LENGTH_AT);
        return length <= maxEventBytes ? length : 0;
    }

    private void inOrder(byte id) {
        if ((id & 0xff) != sequence) {
            fail("the packet with sequence id " + sequence, "id " + (id & 0xff));
        }
        sequence = sequence + 1 & 0xff;
    }

    private int packet(EventConsumer consumer, ByteBuffer bytes, int from, int length) {
        int kind = length == 0 ? -1 : bytes.get(from);
        if (kind != OkPacket.HEADER) {
            noEvent(bytes, from, length, kind & 0xff);
            return 0;
        }
        int event = from + 1;
        int eventLength = length - 1;
        if (eventLength < EVENT_HEADER || LittleEndian.getInt(bytes, event + EVENT_LENGTH_AT) != eventLength) {
            fail("an event whose header names the length of its packet, " + eventLength, "another one");
            return 0;
        }
        eventBytes += eventLength;
        continues = consumer.event(bytes, event, eventLength);
        return 1;
    }

    private void noEvent(ByteBuffer bytes, int from, int length, int kind) {
        if (kind == OkPacket.EOF_HEADER && length <= MAX_EOF_LENGTH) {
            ended = Optional.of(new StreamEnd.Finished());
        } else if (kind == ErrPacket.HEADER && length >= 3) {
            ErrPacket error = ErrPacket.read(Unpooled.wrappedBuffer(
                    bytes.duplicate().limit(from + length).position(from)));
            ended = Optional.of(new StreamEnd.Refused(new MysqlServerError(server, error)));
        } else {
            fail("an event, the end or an error", length + " bytes of kind 0x" + Integer.toHexString(kind));
        }
    }

    private void fail(String expected, String found) {
        ended = Optional.of(new StreamEnd.Lost(new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED,
                "in the replication stream of " + server + " expected " + expected + ", found " + found)));
    }
}
