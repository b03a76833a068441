package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import io.tributary.mysql.protocol.ResultColumnType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Writes the packets of a session's answers, with the sequence ids of the command that they answer. On the event loop. */
final class AnswerPackets {
    private static final OkPacket LAST = new OkPacket(0, 0, OkPacket.STATUS_AUTOCOMMIT, 0);
    private static final OkPacket FOLLOWED =
            new OkPacket(0, 0, OkPacket.STATUS_AUTOCOMMIT | OkPacket.STATUS_MORE_RESULTS, 0);

    private final PacketSequence sequence;
    private OkPacket end = LAST;

    AnswerPackets(PacketSequence sequence) {
        this.sequence = sequence;
    }

    /** Begins the answer to a command with a payload of {@code bytes}. */
    void answer(long bytes) {
        sequence.answer(bytes);
    }

    /** Whether another answer to the same command follows the next one. */
    void followed(boolean isFollowed) {
        end = isFollowed ? FOLLOWED : LAST;
    }

    /** The id of the next packet. */
    int nextId() {
        return sequence.next();
    }

    /** Continues at an id: the packets since then are not sent. */
    void nextId(int id) {
        sequence.next(id);
    }

    /** Begins a packet that answers no command. */
    void unasked() {
        sequence.restart();
    }

    void ok(ByteBuf out, long affectedRows, int warnings) {
        OkPacket ok = new OkPacket(affectedRows, 0, end.status(), warnings);
        packet(out, payload -> ok.write(payload, OkPacket.HEADER));
    }

    void eof(ByteBuf out) {
        packet(out, end::writeEof);
    }

    void err(ByteBuf out, ErrPacket error) {
        packet(out, error::write);
    }

    void text(ByteBuf out, String text) {
        packet(out, payload -> payload.writeCharSequence(text, StandardCharsets.UTF_8));
    }

    void bytes(ByteBuf out, byte[] payload) {
        packet(out, buf -> buf.writeBytes(payload));
    }

    void fields(ByteBuf out, ResultSet columns) {
        ResultSetWriter.writeFields(columns, out, sequence, end);
    }

    void resultSet(ByteBuf out, ResultSet result, boolean binary) {
        if (binary) {
            ResultSetWriter.writeBinary(result, out, sequence, end);
        } else {
            ResultSetWriter.writeText(result, out, sequence, end);
        }
    }

    /** The begin of a text result set. */
    void head(ByteBuf out, List<ResultSet.Column> columns) {
        ResultSetWriter.writeHead(columns, out, sequence, end);
    }

    /** A row of a text result set. */
    void row(ByteBuf out, ByteBuf payload) {
        packet(out, buf -> buf.writeBytes(payload, payload.readerIndex(), payload.readableBytes()));
    }

    /** The answer to COM_STMT_PREPARE. */
    void prepared(ByteBuf out, long id, int placeholders) {
        packet(
                out,
                payload -> payload.writeByte(OkPacket.HEADER)
                        .writeIntLE((int) id)
                        .writeShortLE(0)
                        .writeShortLE(placeholders)
                        .writeZero(3));
        for (int i = 0; i < placeholders; i++) {
            packet(out, AnswerPackets::placeholder);
        }
        if (placeholders > 0) {
            packet(out, end::writeEof);
        }
    }

    private static void placeholder(ByteBuf out) {
        LengthEncoding.writeString(out, "def");
        for (int empty = 0; empty < 3; empty++) {
            LengthEncoding.writeString(out, "");
        }
        LengthEncoding.writeString(out, "?");
        LengthEncoding.writeString(out, "");
        ResultColumnType.TEXT.write(out);
    }

    /**
     * Writes the end of a dump, which has its own packet ids.
     *
     * @param id of this packet
     * @param error null for an end without one
     */
    static void endOfDump(ByteBuf out, int id, ErrPacket error) {
        PacketSequence dumped = new PacketSequence(false);
        for (int i = 0; i < id; i++) {
            dumped.sent();
        }
        AnswerPackets packets = new AnswerPackets(dumped);
        if (error == null) {
            packets.eof(out);
        } else {
            packets.err(out, error);
        }
    }

    private void packet(ByteBuf out, Consumer<ByteBuf> payload) {
        int at = Packets.begin(out);
        payload.accept(out);
        Packets.end(out, at, sequence);
    }
}
