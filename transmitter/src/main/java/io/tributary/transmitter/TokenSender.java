package io.tributary.transmitter;

import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Token;
import io.tributary.transmitter.token.TokenChunkWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The stage that sends merged tokens on a stream while the receiver's credit and the socket allow it. One message has many tokens; the
 * payload of a large token is sent in many messages.
 */
final class TokenSender implements Stage {
    private static final int AT_ONCE = 8;
    private static final int MOST_TOKENS = 1024;
    /** Approximate limit of one message, bytes; a larger payload is sent in pieces. */
    private static final int PIECE = 128 << 10;
    /** Approximate size of a token without payload, with its XID, bytes. */
    private static final int TOKEN_BYTES = 192;
    /** Approximate size of a table's name in a DDL, bytes. */
    private static final int NAME_BYTES = 256;

    private final Link<Token> inlet;
    private final TransmitStream stream;
    private final RoundRequest demand;
    private final TokenChunkWriter writer;
    private final List<Payload> held = new ArrayList<>();

    // the payload that is being sent in pieces
    private Payload large;
    private Payload.Cursor cursor;
    private ByteBuffer range;

    /** Whether a round was requested since the last token: one request is enough, because the next round brings tokens. */
    private boolean hasRequested;

    TokenSender(Link<Token> inlet, TransmitStream stream, RoundRequest demand, List<Cut.ShardCut> from) {
        this.inlet = inlet;
        this.stream = stream;
        this.demand = demand;
        this.writer = new TokenChunkWriter(from);
    }

    @Override
    public String name() {
        return "transmit";
    }

    @Override
    public int doWork() {
        int sent = 0;
        while (sent < AT_ONCE && stream.hasRoom()) {
            if (large != null) {
                sendPiece();
            } else if (inlet.peek() != null) {
                sendTokens();
            } else if (demand.isRequested()) {
                return sent + request();
            } else if (demand.hasCommittedAbove(writer.committedTso())) {
                send();
            } else {
                break;
            }
            sent++;
        }
        return sent;
    }

    private void sendTokens() {
        long bytes = 0;
        while (writer.count() < MOST_TOKENS && large == null) {
            Token next = inlet.peek();
            if (next == null || bytes > 0 && bytes + sizeOf(next) > PIECE) {
                break;
            }
            inlet.poll();
            bytes += sizeOf(next);
            writer.add(next);
            if (next.payload() != null) {
                addPayload(next.payload());
            }
        }
        hasRequested = false;
        try {
            send();
        } finally {
            releaseHeld(); // gRPC has serialized the message when send returns, see TransmitStream
        }
    }

    private long sizeOf(Token token) {
        long size = token.payload() == null ? 0 : token.payload().length();
        size += writer.nameBytes(token);
        size += token.before() == null ? 0 : token.before().executed().encodedLength();
        if (token.ddl() != null) {
            int names = token.ddl().parts().stream()
                    .mapToInt(part -> 1 + 2 * part.targets().size())
                    .sum();
            size += token.ddl().text().length() + (long) NAME_BYTES * names;
        }
        size += token.hidden().isEmpty() ? 0 : HiddenForm.change(token.hidden()).size();
        size += token.question() == null ? 0 : token.question().message().length();
        return size + TOKEN_BYTES;
    }

    private void addPayload(Payload payload) {
        ByteBuffer view = payload.length() > PIECE ? null : payload.contiguousView();
        if (view != null) {
            held.add(payload);
            writer.addPayload(view);
            return;
        }
        large = payload;
        cursor = payload.open();
        writer.leaveUnfinished();
    }

    private void sendPiece() {
        if (range == null || !range.hasRemaining()) {
            range = cursor.next();
        }
        if (range == null) {
            closeLarge();
            stream.send(writer.end());
            return;
        }
        int length = Math.min(PIECE, range.remaining());
        stream.send(writer.data(range.slice(range.position(), length)));
        range = length == range.remaining() ? null : range.slice(range.position() + length, range.remaining() - length);
    }

    /** Sends a request for a round: tokens wait here in the merge, and the Task above writes the rounds. */
    private int request() {
        demand.clear();
        if (hasRequested) {
            return 0;
        }
        hasRequested = true;
        writer.requestRound();
        send();
        return 1;
    }

    /** Sends the message, always with the largest committed TSO: the rounds need it, and the Task above does not see the tokens that wait here. */
    private void send() {
        writer.committed(demand.committedTso());
        stream.send(writer.message());
    }

    private void closeLarge() {
        if (large != null) {
            cursor.close();
            large.release();
            large = null;
            range = null;
        }
    }

    private void releaseHeld() {
        held.forEach(Payload::release);
        held.clear();
    }

    @Override
    public void close() {
        closeLarge();
        inlet.drain(Token::release);
    }
}
