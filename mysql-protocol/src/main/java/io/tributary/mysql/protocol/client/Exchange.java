package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Commands;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.ResultColumnType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One command and its answer: OK, ERR or a text result set (manual page "Text Resultset"). */
final class Exchange {
    private static final int LOCAL_INFILE = 0xfb;
    private static final int MAX_EOF_LENGTH = 8;
    private static final int MAX_OK_LENGTH = 0xfffffe;

    private final ByteBuf command;
    private final CompletableFuture<QueryResult> answer = new CompletableFuture<>();
    private final List<String> columns = new ArrayList<>();
    private final List<ResultColumnType> types = new ArrayList<>();
    private final List<QueryResult.Row> rows = new ArrayList<>();
    private final long mostBytes;
    private final RowConsumer consumer; // null: the rows are collected
    private long bytes;
    private long columnsToCome = -1;
    private boolean inRows;
    private int resultsToCome = 1;

    private Exchange(ByteBuf command, long mostBytes, RowConsumer consumer) {
        this.command = command;
        this.mostBytes = mostBytes;
        this.consumer = consumer;
    }

    static Exchange query(ByteBufAllocator allocator, String sql) {
        return query(allocator, sql, Long.MAX_VALUE);
    }

    /** @param mostBytes a larger answer is a violation: the connection ends */
    static Exchange query(ByteBufAllocator allocator, String sql, long mostBytes) {
        return new Exchange(statement(allocator, sql), mostBytes, null);
    }

    /** A statement whose rows are passed on and not kept: its answer has none. */
    static Exchange stream(ByteBufAllocator allocator, String sql, RowConsumer consumer) {
        return new Exchange(statement(allocator, sql), Long.MAX_VALUE, consumer);
    }

    private static ByteBuf statement(ByteBufAllocator allocator, String sql) {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        return allocator.buffer(1 + text.length).writeByte(Commands.QUERY).writeBytes(text);
    }

    static Exchange ping(ByteBufAllocator allocator) {
        return new Exchange(allocator.buffer(1).writeByte(Commands.PING), Long.MAX_VALUE, null);
    }

    /** A command whose payload is {@code command}, which the exchange then owns. */
    static Exchange of(ByteBuf command) {
        return new Exchange(command, Long.MAX_VALUE, null);
    }

    /**
     * A text of several statements; the answer is the result of the last one, or the first error. The status bit that announces another
     * result does not tell which is the last one: MySQL clears it in the result of a BINLOG statement.
     */
    static Exchange of(ByteBuf command, int statements) {
        Exchange exchange = of(command);
        exchange.resultsToCome = statements;
        return exchange;
    }

    /** The payload; the code that sends or drops the exchange releases it. */
    ByteBuf command() {
        return command;
    }

    CompletableFuture<QueryResult> answer() {
        return answer;
    }

    /** Processes one packet of the answer; returns whether it was the last one. */
    boolean received(ByteBuf packet, boolean deprecateEof, String server) {
        LengthEncoding.need(packet, 1);
        bytes += packet.readableBytes();
        if (bytes > mostBytes) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected an answer of at most " + mostBytes + " bytes, found more");
        }
        int header = packet.getUnsignedByte(packet.readerIndex());
        if (header == ErrPacket.HEADER) {
            answer.completeExceptionally(new MysqlServerError(server, ErrPacket.read(packet)));
            return true;
        }
        if (columnsToCome < 0) {
            return first(packet, header, deprecateEof);
        }
        if (columnsToCome > 0) {
            column(packet);
            return false;
        }
        if (!inRows) {
            inRows = true;
            return false;
        }
        if (header == OkPacket.EOF_HEADER
                && packet.readableBytes() <= (deprecateEof ? MAX_OK_LENGTH : MAX_EOF_LENGTH)) {
            return ended(new QueryResult(columns, types, rows, 0, warnings(packet, deprecateEof)));
        }
        if (consumer != null) {
            consumer.row(packet);
        } else {
            row(packet);
        }
        return false;
    }

    private boolean first(ByteBuf packet, int header, boolean deprecateEof) {
        if (header == OkPacket.HEADER) {
            OkPacket ok = OkPacket.read(packet);
            return ended(new QueryResult(List.of(), List.of(), List.of(), ok.affectedRows(), ok.warnings()));
        }
        if (header == OkPacket.EOF_HEADER) { // the answer to COM_SET_OPTION
            return ended(new QueryResult(List.of(), List.of(), List.of(), 0, 0));
        }
        if (header == LOCAL_INFILE) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected OK, ERR or a result set, found a request for a local file");
        }
        columnsToCome = LengthEncoding.readInteger(packet);
        inRows = deprecateEof;
        return false;
    }

    /** A result is complete; returns whether it was the last one. */
    private boolean ended(QueryResult result) {
        if (--resultsToCome > 0) {
            columns.clear();
            types.clear();
            rows.clear();
            columnsToCome = -1;
            return false;
        }
        answer.complete(result);
        return true;
    }

    private void column(ByteBuf packet) {
        for (int skipped = 0; skipped < 4; skipped++) {
            LengthEncoding.readBytes(packet);
        }
        columns.add(LengthEncoding.readString(packet));
        LengthEncoding.readBytes(packet);
        types.add(ResultColumnType.read(packet));
        columnsToCome--;
        if (columnsToCome == 0 && consumer != null) {
            consumer.columns(List.copyOf(columns), List.copyOf(types));
        }
    }

    private void row(ByteBuf packet) {
        byte[][] values = new byte[columns.size()][];
        for (int i = 0; i < values.length; i++) {
            LengthEncoding.need(packet, 1);
            if (packet.getUnsignedByte(packet.readerIndex()) == LengthEncoding.NULL_VALUE) {
                packet.skipBytes(1);
            } else {
                values[i] = LengthEncoding.readBytes(packet);
            }
        }
        rows.add(new QueryResult.Row(values));
    }

    private static int warnings(ByteBuf packet, boolean deprecateEof) {
        if (deprecateEof) {
            return OkPacket.read(packet).warnings();
        }
        LengthEncoding.need(packet, 3);
        return packet.getUnsignedShortLE(packet.readerIndex() + 1);
    }
}
