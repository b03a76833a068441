package io.tributary.transmitter;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.transmit.proto.TransmitWire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A reader that decodes messages to chunks (transmit.proto). It decodes by hand, because the generated code would copy the payload: here
 * the bytes of a chunk are a view of the message's own buffer, which is released with the chunk. One reader per stream.
 */
final class ChunkReader {

    private Cut previous;

    // fields of the message that is being read
    private long number;
    private int body;
    private int payloadAt;
    private int payloadLength;
    private final Numbers lengths = new Numbers();
    private final Numbers events = new Numbers();
    private long transactionLength;
    private long transactionEvents;

    /**
     * Reads one message and takes ownership of it. The message is released with the chunk, or at once if the chunk needs no bytes or reading
     * fails.
     *
     * @throws TributaryException STREAM_CONTRADICTION if it is not a chunk
     */
    Chunk read(ByteBuf message) {
        boolean handedOn = false;
        try {
            parse(message);
            Chunk chunk = chunk(message);
            handedOn = chunk instanceof Chunk.Batch || chunk instanceof Chunk.Data;
            return chunk;
        } catch (IOException e) {
            throw contradiction("expected a chunk, found " + message.readableBytes() + " other bytes: " + e);
        } finally {
            if (!handedOn) {
                message.release();
            }
        }
    }

    private void parse(ByteBuf message) throws IOException {
        number = 0;
        body = 0;
        payloadAt = 0;
        payloadLength = 0;
        lengths.count = 0;
        events.count = 0;
        CodedInputStream in = CodedInputStream.newInstance(new ByteBufInputStream(message.slice()));
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            switch (field) {
                case TransmitWire.Chunk.NUMBER_FIELD_NUMBER -> number = in.readUInt64();
                case TransmitWire.Chunk.BATCH_FIELD_NUMBER, TransmitWire.Chunk.BEGIN_FIELD_NUMBER -> {
                    body = field;
                    int outer = in.pushLimit(in.readRawVarint32());
                    if (field == TransmitWire.Chunk.BATCH_FIELD_NUMBER) {
                        parseBatch(in);
                    } else {
                        parseBegin(in);
                    }
                    popWholeLimit(in, outer);
                }
                case TransmitWire.Chunk.DATA_FIELD_NUMBER,
                        TransmitWire.Chunk.CUT_FIELD_NUMBER,
                        TransmitWire.Chunk.JOURNAL_FIELD_NUMBER -> {
                    body = field;
                    skipPayload(in);
                }
                case TransmitWire.Chunk.END_FIELD_NUMBER -> {
                    body = field;
                    in.skipField(tag);
                }
                default -> in.skipField(tag);
            }
        }
    }

    /** Fails if a nested message ends with the stream before its limit: it was truncated. */
    private static void popWholeLimit(CodedInputStream in, int outer) throws IOException {
        if (in.getBytesUntilLimit() > 0) {
            throw new IOException("the message ends " + in.getBytesUntilLimit() + " bytes early");
        }
        in.popLimit(outer);
    }

    private void parseBatch(CodedInputStream in) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case TransmitWire.Batch.LENGTHS_FIELD_NUMBER -> lengths.parse(in);
                case TransmitWire.Batch.EVENTS_FIELD_NUMBER -> events.parse(in);
                case TransmitWire.Batch.PAYLOAD_FIELD_NUMBER -> skipPayload(in);
                default -> in.skipField(tag);
            }
        }
    }

    private void parseBegin(CodedInputStream in) throws IOException {
        transactionLength = 0;
        transactionEvents = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case TransmitWire.Begin.LENGTH_FIELD_NUMBER -> transactionLength = in.readUInt64();
                case TransmitWire.Begin.EVENTS_FIELD_NUMBER -> transactionEvents = in.readUInt64();
                default -> in.skipField(tag);
            }
        }
    }

    /** A packed field of a batch. */
    private static final class Numbers {
        private int[] values = new int[1024];
        private int count;

        void parse(CodedInputStream in) throws IOException {
            int outer = in.pushLimit(in.readRawVarint32());
            while (in.getBytesUntilLimit() > 0) {
                if (count == values.length) {
                    values = Arrays.copyOf(values, 2 * count);
                }
                values[count++] = in.readUInt32();
            }
            in.popLimit(outer);
        }

        int[] all() {
            return Arrays.copyOf(values, count);
        }
    }

    private void skipPayload(CodedInputStream in) throws IOException {
        payloadLength = in.readRawVarint32();
        payloadAt = in.getTotalBytesRead();
        in.skipRawBytes(payloadLength);
    }

    private Chunk chunk(ByteBuf message) {
        return switch (body) {
            case TransmitWire.Chunk.BATCH_FIELD_NUMBER ->
                new Chunk.Batch(number, payload(message), batchLengths(), batchEvents(), message::release);
            case TransmitWire.Chunk.BEGIN_FIELD_NUMBER -> new Chunk.Begin(number, transactionLength, transactionEvents);
            case TransmitWire.Chunk.DATA_FIELD_NUMBER -> new Chunk.Data(number, payload(message), message::release);
            case TransmitWire.Chunk.END_FIELD_NUMBER -> new Chunk.End(number);
            case TransmitWire.Chunk.CUT_FIELD_NUMBER -> new Chunk.CutMark(number, cut(payload(message)));
            case TransmitWire.Chunk.JOURNAL_FIELD_NUMBER -> new Chunk.JournalMark(number, change(payload(message)));
            default -> throw contradiction("expected chunk " + number + " to have a body of a known type, found none");
        };
    }

    private ByteBuffer payload(ByteBuf message) {
        return message.nioBuffer(message.readerIndex() + payloadAt, payloadLength);
    }

    private int[] batchLengths() {
        long sum = 0;
        for (int i = 0; i < lengths.count; i++) {
            int length = lengths.values[i];
            if (length <= 0) {
                throw contradiction("expected transactions of 1 byte or more in chunk " + number + ", found " + length);
            }
            sum += length;
        }
        if (sum != payloadLength) {
            throw contradiction("expected " + sum + " bytes in chunk " + number + ", the sum of its " + lengths.count
                    + " lengths, found " + payloadLength);
        }
        return lengths.all();
    }

    private int[] batchEvents() {
        if (events.count != lengths.count) {
            throw contradiction("expected chunk " + number + " to contain the number of events of " + lengths.count
                    + " transactions, found those of " + events.count);
        }
        return events.all();
    }

    private Cut cut(ByteBuffer bytes) {
        if (previous == null && !CutCodec.isFull(bytes)) {
            throw contradiction("expected a full cut first, found a delta in chunk " + number);
        }
        previous = CutCodec.decode(previous, bytes);
        return previous;
    }

    private Journal change(ByteBuffer bytes) {
        Journal change = JournalCodec.decode(bytes);
        if (change.kind() != Journal.Kind.CHANGE) {
            throw contradiction("expected a change of the journal in chunk " + number + ", found " + change.kind());
        }
        return change;
    }

    private static TributaryException contradiction(String message) {
        return new TributaryException(ErrorCode.STREAM_CONTRADICTION, message);
    }
}
