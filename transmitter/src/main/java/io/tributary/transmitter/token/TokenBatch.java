package io.tributary.transmitter.token;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.HiddenChange;
import io.tributary.common.value.HiddenForm;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaForm;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.transmit.proto.TransmitWire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The tokens of the current message, read one by one. The payload of the last token may arrive in pieces. One instance per stream, used for
 * one message after another.
 */
final class TokenBatch {
    /** The state of an unfinished payload. */
    private enum Pieces {
        NONE,
        ANNOUNCED,
        COMING,
        WHOLE
    }

    private final int[] indexes;
    private final ShardDeltaState[] shards;
    private final PayloadReader payload;
    private final TokenColumns columns = new TokenColumns();
    private long key;
    private long commitMicros;
    private long tso;
    private Pieces pieces = Pieces.NONE;

    private ByteBuf message; // null when all of its tokens have been read
    private ByteBuffer bytes;
    private int place;
    private int payloadAt;
    private int payloadEnd;
    private int nextLength;
    private int nextRound;
    private int nextBranch;
    private int nextBefore;
    private int nextStatement;
    private int nextQuestion;
    private int nextMove;
    private int nextHidden;

    /**
     * @param from the position at which the tokens of each shard begin
     * @param indexes this node's index of each shard
     */
    TokenBatch(List<Cut.ShardCut> from, int[] indexes, PayloadReader payload) {
        this.indexes = indexes.clone();
        this.shards = from.stream().map(ShardDeltaState::new).toArray(ShardDeltaState[]::new);
        this.payload = payload;
    }

    /** Takes ownership of a message whose tokens begin at {@code at}; all tokens of the previous message have been read. */
    void begin(ByteBuf next, ByteBuffer buf, int at, int length) throws IOException {
        columns.read(CodedInputStream.newInstance(buf.slice(at, length)));
        nameTables();
        place = 0;
        nextLength = 0;
        nextRound = 0;
        nextBranch = 0;
        nextBefore = 0;
        nextStatement = 0;
        nextQuestion = 0;
        nextMove = 0;
        nextHidden = 0;
        payloadAt = at + columns.payloadAt;
        payloadEnd = payloadAt + columns.payloadLength;
        columns.kindsAt += at;
        if (columns.isUnfinished) {
            if (columns.count == 0 || (buf.get(columns.kindsAt + columns.count - 1) & TokenMark.PAYLOAD) == 0) {
                throw new IOException("an unfinished payload without a token");
            }
            pieces = Pieces.ANNOUNCED;
        }
        bytes = buf;
        message = next;
    }

    private void nameTables() {
        if (columns.namesAgain) {
            payload.relayed().forgetNames();
        }
        for (TransmitWire.Physical each : columns.physicals) {
            payload.relayed().name(each.getTable(), new TableName(each.getSchema(), each.getName()));
        }
    }

    /** Passes on the requests of the current message to the writer of rounds. */
    void passRequests(RoundRequest demand) {
        if (columns.committedTso != 0) {
            demand.committed(columns.committedTso);
        }
        if (columns.wantsRound) {
            demand.request();
        }
    }

    /** Whether the payload of the last token is not complete yet. */
    boolean isUnfinished() {
        return pieces != Pieces.NONE;
    }

    /** Reads the next bytes of the unfinished payload; only after {@link #next} has returned null. */
    void piece(ByteBuffer buf, int at, int length) {
        payload.read(buf, at, at + length);
    }

    /** Ends the unfinished payload. */
    void end() {
        pieces = Pieces.WHOLE;
    }

    /** The next complete token; null if another message is needed. */
    Token next() throws IOException {
        if (place == columns.count) {
            release();
            return null;
        }
        boolean isInPieces = pieces != Pieces.NONE && place == columns.count - 1;
        if (isInPieces && pieces != Pieces.WHOLE) {
            if (pieces == Pieces.ANNOUNCED) {
                pieces = Pieces.COMING;
                payload.begin(columns.payloadLengths.at(nextLength));
            }
            return null;
        }
        Token token = token(bytes.get(columns.kindsAt + place) & 0xff, isInPieces);
        place++;
        if (isInPieces) {
            pieces = Pieces.NONE;
        }
        return token;
    }

    private Token token(int marks, boolean inPieces) throws IOException {
        int shardPlace = (int) columns.shards.at(place);
        ShardDeltaState shard = shard(shardPlace);
        key += columns.keys.at(place);
        commitMicros += columns.commitMicros.at(place);
        tso += columns.tsos.isEmpty() ? 0 : columns.tsos.at(place);
        shard.gno += columns.gnos.at(place);
        shard.end += columns.ends.at(place);
        shard.sequenceNumber += columns.sequenceNumbers.at(place);
        long lastCommitted = shard.sequenceNumber - columns.lastCommitted.at(place);
        TokenBody body = body(marks, shard, inPieces);
        shard.pass();
        LoggedTransaction logged = new LoggedTransaction(
                shard.sid, shard.gno, shard.file, shard.end, commitMicros, lastCommitted, shard.sequenceNumber);
        return new Token(indexes[shardPlace], key, tso, logged, body);
    }

    /** The body of the token. A relay of an earlier version may send the branch of a token that is left out, which is not needed. */
    private TokenBody body(int marks, ShardDeltaState shard, boolean inPieces) throws IOException {
        TokenKind kind = TokenMark.kind(marks);
        TokenMark.check(kind, marks);
        long round = (marks & TokenMark.ROUND) == 0 ? 0 : columns.rounds.at(nextRound++);
        Xid xid = (marks & TokenMark.BRANCH) == 0 ? null : xid(TokenColumns.at(columns.branches, nextBranch++));
        ResumePosition before =
                (marks & TokenMark.BEFORE) == 0 ? null : before(TokenColumns.at(columns.befores, nextBefore++), shard);
        HiddenChange hidden = hidden();
        Ddl ddl = statement(hidden);
        Question question = question();
        boolean hasPayload = (marks & TokenMark.PAYLOAD) != 0;
        if (question != null && !hasPayload) {
            return asked(kind, xid, before, question);
        }
        if (question != null || kind == TokenKind.DDL && ddl == null) {
            throw new IOException("a token of kind " + kind + " without a statement, or with a question and a payload");
        }
        Payload held = hasPayload ? payload(inPieces) : null;
        List<TableRef> tables = held == null ? List.of() : payload.tables();
        return switch (kind) {
            case LOCAL -> new TokenBody.LocalTransaction(held, tables);
            case PREPARE -> new TokenBody.PreparedBranch(xid, before, held, tables);
            case COMMIT -> new TokenBody.CommittedBranch(xid);
            case ROLLBACK -> new TokenBody.RolledBackBranch(xid);
            case ROUND -> new TokenBody.HeartbeatRound(round, before);
            case DDL -> new TokenBody.LoggedDdl(ddl, held, tables);
            case SKIPPED ->
                hidden.isEmpty()
                        ? TokenBody.SkippedTransaction.WITHOUT_EFFECT
                        : new TokenBody.SkippedTransaction(hidden);
        };
    }

    private static TokenBody asked(TokenKind kind, Xid xid, ResumePosition before, Question question)
            throws IOException {
        return switch (kind) {
            case LOCAL -> new TokenBody.AskedLocal(question);
            case PREPARE -> new TokenBody.AskedPrepare(xid, before, question);
            case COMMIT -> new TokenBody.AskedCommit(xid, question);
            case DDL -> new TokenBody.AskedDdl(question);
            case ROLLBACK, ROUND, SKIPPED -> throw new IOException("a question about a token of kind " + kind);
        };
    }

    private ShardDeltaState shard(int shardPlace) throws IOException {
        if (shardPlace < 0 || shardPlace >= shards.length) {
            throw new IOException("shard " + shardPlace + " of " + shards.length);
        }
        ShardDeltaState shard = shards[shardPlace];
        if (nextMove < columns.moves.size() && columns.moves.get(nextMove).getToken() == place) {
            move(shard, columns.moves.get(nextMove++));
        }
        if (shard.sid == null) {
            throw new IOException("a token without a source");
        }
        return shard;
    }

    private static void move(ShardDeltaState shard, TransmitWire.Move move) {
        if (move.hasFile()) {
            shard.file = move.getFile();
        }
        if (move.hasSource()) {
            ByteBuffer source = move.getSource().asReadOnlyByteBuffer();
            UUID uuid = new UUID(source.getLong(), source.getLong());
            shard.sid = new Sid(uuid, StandardCharsets.US_ASCII.decode(source).toString());
        }
    }

    private static Xid xid(TransmitWire.Branch branch) {
        return new Xid(branch.getGtrid().toByteArray(), branch.getBqual().toByteArray(), branch.getFormatId());
    }

    private static ResumePosition before(TransmitWire.Before before, ShardDeltaState shard) {
        GtidSet executed =
                before.hasExecuted() ? GtidSet.decode(before.getExecuted().toByteArray()) : shard.passed();
        return new ResumePosition(executed, before.hasFile() ? before.getFile() : shard.file, before.getOffset());
    }

    private HiddenChange hidden() throws IOException {
        if (nextHidden == columns.hidden.size()
                || columns.hidden.get(nextHidden).getToken() != place) {
            return HiddenChange.NONE;
        }
        try {
            return HiddenForm.change(columns.hidden.get(nextHidden++).getChange());
        } catch (IllegalArgumentException e) {
            throw new IOException("an invalid change of hidden tables: " + e.getMessage(), e);
        }
    }

    private Ddl statement(HiddenChange hidden) throws IOException {
        if (nextStatement == columns.statements.size()
                || columns.statements.get(nextStatement).getToken() != place) {
            return null;
        }
        TransmitWire.Statement statement = columns.statements.get(nextStatement++);
        try {
            List<Ddl.Part> parts = new ArrayList<>();
            for (ByteString part : statement.getPartsList()) {
                parts.add(SchemaForm.part(CutWire.Part.parseFrom(part)));
            }
            ServerVersion server = statement.hasServer()
                    ? SchemaForm.server(CutWire.Server.parseFrom(statement.getServer()))
                    : ServerVersion.STANDARD;
            return new Ddl(statement.getVerb(), statement.getText(), parts, hidden, server);
        } catch (IllegalArgumentException e) {
            throw new IOException("an invalid statement: " + e.getMessage(), e);
        }
    }

    private Question question() throws IOException {
        if (nextQuestion == columns.questions.size()
                || columns.questions.get(nextQuestion).getToken() != place) {
            return null;
        }
        TransmitWire.Question question = columns.questions.get(nextQuestion++);
        try {
            return new Question(ErrorCode.valueOf(question.getCode()), question.getMessage());
        } catch (IllegalArgumentException e) {
            throw new IOException("a question with the unknown code " + question.getCode(), e);
        }
    }

    private Payload payload(boolean inPieces) throws IOException {
        long length = columns.payloadLengths.at(nextLength++);
        if (inPieces) {
            return payload.finish();
        }
        int left = payloadEnd - payloadAt;
        if (length < 0 || length > left) {
            throw new IOException("a payload of " + length + " bytes although " + left + " are left");
        }
        payload.begin(length);
        payload.read(bytes, payloadAt, payloadAt + (int) length);
        payloadAt += (int) length;
        return payload.finish();
    }

    /** Releases the current message. */
    void release() {
        if (message != null) {
            message.release();
            message = null;
            bytes = null;
        }
    }
}
