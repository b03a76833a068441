package io.tributary.transmitter.token;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.WireFormat;
import io.tributary.transmit.proto.TransmitWire;
import io.tributary.transmit.proto.TransmitWire.Tokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The parallel arrays of one message of tokens; one instance is used for all messages of a stream. */
final class TokenColumns {
    final Column shards = new Column();
    final Column keys = new Column();
    final Column gnos = new Column();
    final Column ends = new Column();
    final Column commitMicros = new Column();
    final Column sequenceNumbers = new Column();
    final Column lastCommitted = new Column();
    final Column tsos = new Column();
    final Column payloadLengths = new Column();
    final Column rounds = new Column();
    final List<TransmitWire.Branch> branches = new ArrayList<>();
    final List<TransmitWire.Before> befores = new ArrayList<>();
    final List<TransmitWire.Statement> statements = new ArrayList<>();
    final List<TransmitWire.Question> questions = new ArrayList<>();
    final List<TransmitWire.Move> moves = new ArrayList<>();
    final List<TransmitWire.Physical> physicals = new ArrayList<>();
    final List<TransmitWire.Hidden> hidden = new ArrayList<>();
    int count;
    int kindsAt;
    int payloadAt;
    int payloadLength;
    boolean isUnfinished;
    boolean wantsRound;
    boolean namesAgain;
    long committedTso;

    /** Numbers exactly as in the message. */
    static final class Column {
        private long[] values = new long[64];
        private int count;

        boolean isEmpty() {
            return count == 0;
        }

        /** @throws IOException when there is none */
        long at(int place) throws IOException {
            if (place >= count) {
                throw new IOException("a column of " + count + " numbers where more are needed");
            }
            return values[place];
        }

        private void read(CodedInputStream in, boolean isSigned) throws IOException {
            int outer = in.pushLimit(in.readRawVarint32());
            while (in.getBytesUntilLimit() > 0) {
                if (count == values.length) {
                    values = Arrays.copyOf(values, 2 * count);
                }
                values[count++] = isSigned ? in.readSInt64() : in.readUInt64();
            }
            in.popLimit(outer);
        }
    }

    private void clear() {
        for (Column column : List.of(
                shards, keys, gnos, ends, commitMicros, sequenceNumbers, lastCommitted, tsos, payloadLengths, rounds)) {
            column.count = 0;
        }
        branches.clear();
        befores.clear();
        statements.clear();
        questions.clear();
        moves.clear();
        physicals.clear();
        hidden.clear();
        count = 0;
        kindsAt = 0;
        payloadAt = 0;
        payloadLength = 0;
        isUnfinished = false;
        wantsRound = false;
        namesAgain = false;
        committedTso = 0;
    }

    /** Reads the fields of one message, to the limit that is pushed. */
    void read(CodedInputStream in) throws IOException {
        clear();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case Tokens.KINDS_FIELD_NUMBER -> {
                    count = in.readRawVarint32();
                    kindsAt = in.getTotalBytesRead();
                    in.skipRawBytes(count);
                }
                case Tokens.SHARDS_FIELD_NUMBER -> shards.read(in, false);
                case Tokens.KEYS_FIELD_NUMBER -> keys.read(in, true);
                case Tokens.GNOS_FIELD_NUMBER -> gnos.read(in, true);
                case Tokens.ENDS_FIELD_NUMBER -> ends.read(in, true);
                case Tokens.COMMIT_MICROS_FIELD_NUMBER -> commitMicros.read(in, true);
                case Tokens.SEQUENCE_NUMBERS_FIELD_NUMBER -> sequenceNumbers.read(in, true);
                case Tokens.LAST_COMMITTED_FIELD_NUMBER -> lastCommitted.read(in, true);
                case Tokens.TSOS_FIELD_NUMBER -> tsos.read(in, true);
                case Tokens.PAYLOAD_LENGTHS_FIELD_NUMBER -> payloadLengths.read(in, false);
                case Tokens.ROUNDS_FIELD_NUMBER -> rounds.read(in, false);
                case Tokens.PAYLOAD_FIELD_NUMBER -> {
                    payloadLength = in.readRawVarint32();
                    payloadAt = in.getTotalBytesRead();
                    in.skipRawBytes(payloadLength);
                }
                case Tokens.UNFINISHED_FIELD_NUMBER -> isUnfinished = in.readBool();
                case Tokens.WANTS_ROUND_FIELD_NUMBER -> wantsRound = in.readBool();
                case Tokens.NAMES_AGAIN_FIELD_NUMBER -> namesAgain = in.readBool();
                case Tokens.COMMITTED_TSO_FIELD_NUMBER -> committedTso = in.readUInt64();
                default -> readMessage(in, tag);
            }
        }
    }

    private void readMessage(CodedInputStream in, int tag) throws IOException {
        ExtensionRegistryLite none = ExtensionRegistryLite.getEmptyRegistry();
        switch (WireFormat.getTagFieldNumber(tag)) {
            case Tokens.BRANCHES_FIELD_NUMBER -> branches.add(in.readMessage(TransmitWire.Branch.parser(), none));
            case Tokens.BEFORES_FIELD_NUMBER -> befores.add(in.readMessage(TransmitWire.Before.parser(), none));
            case Tokens.STATEMENTS_FIELD_NUMBER ->
                statements.add(in.readMessage(TransmitWire.Statement.parser(), none));
            case Tokens.QUESTIONS_FIELD_NUMBER -> questions.add(in.readMessage(TransmitWire.Question.parser(), none));
            case Tokens.PHYSICALS_FIELD_NUMBER -> physicals.add(in.readMessage(TransmitWire.Physical.parser(), none));
            case Tokens.HIDDEN_FIELD_NUMBER -> hidden.add(in.readMessage(TransmitWire.Hidden.parser(), none));
            case Tokens.MOVES_FIELD_NUMBER -> moves.add(in.readMessage(TransmitWire.Move.parser(), none));
            default -> in.skipField(tag);
        }
    }

    /** @throws IOException when there is none */
    static <T> T at(List<T> values, int place) throws IOException {
        if (place >= values.size()) {
            throw new IOException("a list of " + values.size() + " values where more are needed");
        }
        return values.get(place);
    }
}
