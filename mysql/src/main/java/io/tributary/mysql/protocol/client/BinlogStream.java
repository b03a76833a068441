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
 * per event: events are looked at where they were received; only one that lies in two chunks or packets is joined first.
 * Received bytes are bounded by {@link BinlogDump#queueBytes()}; beyond it the shard has to wait.
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

    private boolean goesOn;
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

    /** Whether the server was asked for CRC32 checksums, as it writes them; events of FORMAT_DESCRIPTION say it per file. */
    public boolean checksummed() {
        return checksummed;
    }

    /**
     * Hands over what has arrived, without waiting for more, until about {@code maxBytes} bytes of events (at least one
     * event) are taken, the consumer returns false, or nothing is left. Always by the same thread. What the consumer throws
     * comes out here; the event counts as taken.
     *
     * @return how many events were taken; after 0 look at {@link #isOpen()}
     */
    public int poll(EventConsumer consumer, int maxBytes) {
        int events = 0;
        long limit = eventBytes + maxBytes;
        goesOn = true;
        while (goesOn && eventBytes < limit && ended.isEmpty()) {
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

    /** False once the stream has ended and everything that arrived before was taken; {@link #end()} says how. */
    public boolean isOpen() {
        return ended.isEmpty();
    }

    /** How the stream ended; empty while it is open. Known to the polling thread when it has taken all events. */
    public Optional<StreamEnd> end() {
        return ended;
    }

    /** Bytes of events that were taken so far. */
    public long takenBytes() {
        return eventBytes;
    }

    /** Bytes that have been looked at so far, also those of an event that is not whole yet. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Bytes of memory that wait to be polled; from any thread. */
    public long queuedBytes() {
        return chunks.held();
    }

    /** Closes the connection and gives the memory back; by the polling thread, repeatedly if need be. */
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
        Throwable lost = chunks.lost(); // before the poll: all chunks were put before it was set
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

    /** Takes what the chunk has of a packet that does not lie in it as a whole; the number of events that this completes. */
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

    /** Where a damaged length asks for more than there is, the event may still fit as it comes; its checksum is seen at its end. */
    private void reserve(int whole) {
        long announced = 1 + announced();
        if (announced > whole) {
            try {
                carry.reserve((int) announced);
                return;
            } catch (OutOfMemoryError e) { // of Netty's limit: what has come so far may fit
                announced = whole;
            }
        }
        carry.reserve(whole);
    }

    /** The length that the event's header says, once it is here and can be true: memory that grows step by step would be held twice. */
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
        goesOn = consumer.event(bytes, event, eventLength);
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

    private void fail(String expected, String came) {
        ended = Optional.of(new StreamEnd.Lost(new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED,
                "in the replication stream of " + server + " expected " + expected + ", came " + came)));
    }
}
