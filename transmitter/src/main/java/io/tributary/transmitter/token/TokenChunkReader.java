package io.tributary.transmitter.token;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.transmit.proto.TransmitWire;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A reader that decodes messages to tokens (transmit.proto, Tokens) and puts the payload into this node's store: {@link #accept} a message,
 * then call {@link #next} until it returns null. It decodes by hand, because the generated code would copy the payload. One reader per
 * stream.
 */
public final class TokenChunkReader implements AutoCloseable {
    private final PayloadReader payload;
    private final TokenBatch batch;
    private final RoundRequest demand;
    private long number;

    // fields of the message that is being read
    private long numberRead;
    private int body;
    private int bodyAt;
    private int bodyLength;

    /**
     * @param from the position at which the tokens of each shard begin
     * @param indexes this node's index of each shard
     * @param payload owned by this reader; closed with it
     * @param demand receives the requests of the messages to the writer of rounds
     */
    public TokenChunkReader(List<Cut.ShardCut> from, int[] indexes, PayloadReader payload, RoundRequest demand) {
        this.demand = demand;
        this.payload = payload;
        this.batch = new TokenBatch(from, indexes, payload);
    }

    /** The number of the last message. */
    public long last() {
        return number;
    }

    /** Whether this node's store has room for payload now. */
    public boolean hasRoom() {
        return payload.hasRoom();
    }

    /**
     * Takes ownership of one message; only after {@link #next} has returned null.
     *
     * @throws TributaryException STREAM_CONTRADICTION if it cannot be the next message
     */
    public void accept(ByteBuf message) {
        boolean isKept = false;
        try {
            ByteBuffer buf = message.nioBuffer();
            parse(CodedInputStream.newInstance(buf));
            check();
            if (body == TransmitWire.Chunk.TOKENS_FIELD_NUMBER) {
                batch.begin(message, buf, bodyAt, bodyLength);
                isKept = true;
                batch.passRequests(demand);
            } else if (body == TransmitWire.Chunk.DATA_FIELD_NUMBER) {
                batch.piece(buf, bodyAt, bodyLength);
            } else {
                batch.end();
            }
        } catch (IOException e) {
            throw contradiction("expected a chunk, found " + message.readableBytes() + " other bytes: " + e);
        } finally {
            if (!isKept) {
                message.release();
            }
        }
    }

    private void parse(CodedInputStream in) throws IOException {
        numberRead = 0;
        body = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int field = WireFormat.getTagFieldNumber(tag);
            if (field == TransmitWire.Chunk.NUMBER_FIELD_NUMBER) {
                numberRead = in.readUInt64();
            } else if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                body = field;
                bodyLength = in.readRawVarint32();
                bodyAt = in.getTotalBytesRead();
                in.skipRawBytes(bodyLength);
            } else {
                in.skipField(tag);
            }
        }
    }

    private void check() {
        if (numberRead != number + 1) {
            throw contradiction("expected chunk " + (number + 1) + ", found chunk " + numberRead
                    + (numberRead > number ? ": a gap" : ": a repeat"));
        }
        boolean continues = body == TransmitWire.Chunk.DATA_FIELD_NUMBER || body == TransmitWire.Chunk.END_FIELD_NUMBER;
        boolean isKnown = continues || body == TransmitWire.Chunk.TOKENS_FIELD_NUMBER;
        if (!isKnown || continues != batch.isUnfinished()) {
            throw contradiction("expected " + (batch.isUnfinished() ? "the rest of a payload" : "tokens") + " in chunk "
                    + numberRead + ", found a body of field " + body);
        }
        number = numberRead;
    }

    /** The next complete token; null if another message is needed. */
    public Token next() {
        try {
            return batch.next();
        } catch (IOException | IllegalArgumentException | BufferUnderflowException e) { // of invalid values
            throw contradiction("expected tokens in chunk " + number + ", found " + e.getMessage());
        }
    }

    private static TributaryException contradiction(String message) {
        return new TributaryException(ErrorCode.STREAM_CONTRADICTION, message);
    }

    @Override
    public void close() {
        batch.release();
        payload.close();
    }
}
