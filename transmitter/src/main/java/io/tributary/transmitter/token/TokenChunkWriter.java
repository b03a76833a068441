package io.tributary.transmitter.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaForm;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import io.tributary.transmit.proto.TransmitWire;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer that encodes tokens as messages (transmit.proto, Tokens): {@link #add} some, then {@link #message}. It wraps the payload and does
 * not copy it: a message is valid only until the payload of its tokens is released. One writer per stream.
 */
public final class TokenChunkWriter {
    private final ShardDeltaState[] shards;
    private long number;
    private long key;
    private long commitMicros;
    private long tso;
    private long committedTso;
    private final SentTableNames named = new SentTableNames();

    // fields of the message that is being built
    private TransmitWire.Tokens.Builder tokens = TransmitWire.Tokens.newBuilder();
    private final ByteString.Output kinds = ByteString.newOutput(1024);
    private final List<ByteString> payload = new ArrayList<>();

    /** @param from the position at which the tokens of each shard begin */
    public TokenChunkWriter(List<Cut.ShardCut> from) {
        shards = from.stream().map(ShardDeltaState::new).toArray(ShardDeltaState[]::new);
    }

    /** The number of tokens in the message that is being built. */
    public int count() {
        return kinds.size();
    }

    /** The approximate number of bytes that the names of the token's tables add to the message. */
    public long nameBytes(Token token) {
        return named.bytes(token.tables());
    }

    /** Adds a token without its payload: see {@link #addPayload} and {@link #leaveUnfinished}. */
    public void add(Token token) {
        int place = kinds.size();
        ShardDeltaState shard = shards[token.shard()];
        move(token, shard, place);
        tokens.addShards(token.shard())
                .addKeys(token.key() - key)
                .addGnos(token.gno() - shard.gno)
                .addEnds(token.end() - shard.end)
                .addCommitMicros(token.commitMicros() - commitMicros)
                .addSequenceNumbers(token.sequenceNumber() - shard.sequenceNumber)
                .addLastCommitted(token.sequenceNumber() - token.lastCommitted());
        addTso(token.tso(), place);
        named.add(token.tables(), tokens);
        key = token.key();
        commitMicros = token.commitMicros();
        shard.gno = token.gno();
        shard.end = token.end();
        shard.sequenceNumber = token.sequenceNumber();
        kinds.write(TokenMark.of(token.kind()) | marks(token, shard, place));
        shard.pass();
    }

    /** Adds the TSO of a token. Tokens in xa order have no TSO: then the message has no column of them. */
    private void addTso(long next, int place) {
        if (tokens.getTsosCount() == 0) {
            if (next == tso && tso == 0) {
                return;
            }
            for (int before = 0; before < place; before++) {
                tokens.addTsos(0);
            }
        }
        tokens.addTsos(next - tso);
        tso = next;
    }

    private int marks(Token token, ShardDeltaState shard, int place) {
        int marks = 0;
        if (token.payload() != null) {
            marks |= TokenMark.PAYLOAD;
            tokens.addPayloadLengths(token.payload().length());
        }
        if (token.round() != 0) {
            marks |= TokenMark.ROUND;
            tokens.addRounds(token.round());
        }
        if (token.xid() != null) {
            marks |= TokenMark.BRANCH;
            tokens.addBranches(branch(token.xid()));
        }
        if (token.before() != null) {
            marks |= TokenMark.BEFORE;
            tokens.addBefores(before(token.before(), shard));
        }
        if (token.ddl() != null) {
            tokens.addStatements(statement(token.ddl()).setToken(place));
        }
        if (!token.hidden().isEmpty()) {
            tokens.addHidden(
                    TransmitWire.Hidden.newBuilder().setToken(place).setChange(HiddenForm.change(token.hidden())));
        }
        if (token.question() != null) {
            tokens.addQuestions(TransmitWire.Question.newBuilder()
                    .setToken(place)
                    .setCode(token.question().code().name())
                    .setMessage(token.question().message()));
        }
        return marks;
    }

    private void move(Token token, ShardDeltaState shard, int place) {
        boolean isOtherFile = !token.file().equals(shard.file);
        boolean isOtherSid = !token.sid().equals(shard.sid);
        if (!isOtherFile && !isOtherSid) {
            return;
        }
        TransmitWire.Move.Builder move = TransmitWire.Move.newBuilder().setToken(place);
        if (isOtherFile) {
            move.setFile(token.file());
            shard.file = token.file();
        }
        if (isOtherSid) {
            move.setSource(source(token.sid()));
            shard.sid = token.sid();
        }
        tokens.addMoves(move);
    }

    private static ByteString source(Sid sid) {
        byte[] tag = sid.tag().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES + tag.length);
        bytes.putLong(sid.uuid().getMostSignificantBits())
                .putLong(sid.uuid().getLeastSignificantBits())
                .put(tag)
                .flip();
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    private static TransmitWire.Branch branch(Xid xid) {
        return TransmitWire.Branch.newBuilder()
                .setGtrid(UnsafeByteOperations.unsafeWrap(xid.gtrid()))
                .setBqual(UnsafeByteOperations.unsafeWrap(xid.bqual()))
                .setFormatId(xid.formatId())
                .build();
    }

    private static TransmitWire.Before before(ResumePosition before, ShardDeltaState shard) {
        TransmitWire.Before.Builder message = TransmitWire.Before.newBuilder().setOffset(before.offset());
        if (!before.file().equals(shard.file)) {
            message.setFile(before.file());
        }
        GtidSet passed = shard.passed();
        if (!before.executed().equals(passed)) {
            message.setExecuted(
                    UnsafeByteOperations.unsafeWrap(before.executed().encode()));
        }
        return message.build();
    }

    private static TransmitWire.Statement.Builder statement(Ddl ddl) {
        TransmitWire.Statement.Builder message =
                TransmitWire.Statement.newBuilder().setVerb(ddl.verb()).setText(ddl.text());
        message.setServer(SchemaForm.server(ddl.server()).toByteString());
        ddl.parts().forEach(part -> message.addParts(SchemaForm.part(part).toByteString()));
        return message;
    }

    /** Adds the complete payload of the last token. */
    public void addPayload(ByteBuffer view) {
        payload.add(UnsafeByteOperations.unsafeWrap(view.slice()));
    }

    /** Marks the payload of the last token as unfinished: {@link #data} and {@link #end} send it. */
    public void leaveUnfinished() {
        tokens.setUnfinished(true);
    }

    /** Requests another heartbeat round from the receiver. */
    public void requestRound() {
        tokens.setWantsRound(true);
    }

    /** Adds the largest TSO that was read as committed; each value is sent once. */
    public void committed(long newest) {
        if (newest > committedTso) {
            committedTso = newest;
            tokens.setCommittedTso(newest);
        }
    }

    /** The largest TSO that was sent to the receiver as committed. */
    public long committedTso() {
        return committedTso;
    }

    /** Returns the message with everything that was added, and begins the next one. */
    public TransmitWire.Chunk message() {
        tokens.setKinds(kinds.toByteString());
        tokens.setPayload(concatenated());
        TransmitWire.Chunk message = chunk().setTokens(tokens).build();
        tokens = TransmitWire.Tokens.newBuilder();
        tokens.setNamesAgain(named.messageBegins());
        kinds.reset();
        payload.clear();
        return message;
    }

    private ByteString concatenated() {
        return payload.size() == 1 ? payload.get(0) : ByteString.copyFrom(payload);
    }

    /** A message with the next bytes of an unfinished payload. */
    public TransmitWire.Chunk data(ByteBuffer view) {
        return chunk().setData(UnsafeByteOperations.unsafeWrap(view)).build();
    }

    /** A message that ends the unfinished payload. */
    public TransmitWire.Chunk end() {
        return chunk().setEnd(TransmitWire.End.getDefaultInstance()).build();
    }

    private TransmitWire.Chunk.Builder chunk() {
        return TransmitWire.Chunk.newBuilder().setNumber(++number);
    }
}
