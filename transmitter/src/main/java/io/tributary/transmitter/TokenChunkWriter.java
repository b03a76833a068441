package io.tributary.transmitter;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.SchemaForm;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import io.tributary.transmitter.proto.TransmitWire;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Tokens as messages (transmit.proto, Tokens): {@link #add} some, then {@link #message}. Payload is wrapped, not copied: a message is
 * good only while its tokens' payload is held. One writer for a stream.
 */
final class TokenChunkWriter {
    private final ShardTrail[] shards;
    private long number;
    private long key;
    private long commitMicros;
    private long tso;
    private long committedTso;
    private final NamedTables named = new NamedTables();

    // of the message in the making
    private TransmitWire.Tokens.Builder tokens = TransmitWire.Tokens.newBuilder();
    private final ByteString.Output kinds = ByteString.newOutput(1024);
    private final List<ByteString> payload = new ArrayList<>();

    /** @param from where the tokens of each shard begin */
    TokenChunkWriter(List<Cut.ShardCut> from) {
        shards = from.stream().map(ShardTrail::new).toArray(ShardTrail[]::new);
    }

    /** Tokens of the message in the making. */
    int count() {
        return kinds.size();
    }

    /** About how many bytes the names of the token's tables add to the message. */
    long nameBytes(Token token) {
        return named.bytes(token.tables());
    }

    /** Adds a token and, where it stands in one piece, its payload: see {@link #addPayload} and {@link #leaveUnfinished}. */
    void add(Token token) {
        int place = kinds.size();
        ShardTrail shard = shards[token.shard()];
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

    /** Tokens of xa order have none: then there is no column. */
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

    private int marks(Token token, ShardTrail shard, int place) {
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

    private void move(Token token, ShardTrail shard, int place) {
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

    private static TransmitWire.Before before(Token.Before before, ShardTrail shard) {
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

    /** The payload, as a whole, of the token that was added last. */
    void addPayload(ByteBuffer view) {
        payload.add(UnsafeByteOperations.unsafeWrap(view.slice()));
    }

    /** The payload of the token that was added last comes by {@link #data} and {@link #end}. */
    void leaveUnfinished() {
        tokens.setUnfinished(true);
    }

    /** The receiver shall see to another heartbeat round. */
    void wishForARound() {
        tokens.setWantsRound(true);
    }

    /** What has been read as committed up to now; it is told once. */
    void committed(long newest) {
        if (newest > committedTso) {
            committedTso = newest;
            tokens.setCommittedTso(newest);
        }
    }

    /** The largest TSO that the receiver has been told of as committed. */
    long committedTso() {
        return committedTso;
    }

    /** The message of what was added, and begins another one. */
    TransmitWire.Chunk message() {
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

    /** The next bytes of an unfinished payload. */
    TransmitWire.Chunk data(ByteBuffer view) {
        return chunk().setData(UnsafeByteOperations.unsafeWrap(view)).build();
    }

    /** The unfinished payload is whole. */
    TransmitWire.Chunk end() {
        return chunk().setEnd(TransmitWire.End.getDefaultInstance()).build();
    }

    private TransmitWire.Chunk.Builder chunk() {
        return TransmitWire.Chunk.newBuilder().setNumber(++number);
    }
}
