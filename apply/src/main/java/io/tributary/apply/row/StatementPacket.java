package io.tributary.apply.row;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.BinlogText;
import java.nio.charset.StandardCharsets;

/**
 * Statements that are sent together: after an error the server does not run those that follow it. What would become too long is sent in several parts,
 * one after another. For one thread.
 */
public final class StatementPacket {
    /** A packet of this size is sent before more is added to it. */
    private static final int USUAL = 1 << 20;

    private static final int SMALLEST = 1024;

    private final SqlSession session;
    private ByteBuf text = Unpooled.buffer(SMALLEST);
    private int statements;

    public StatementPacket(SqlSession session) {
        this.session = session;
    }

    /** Adds a statement of ASCII characters. */
    public void add(String statement) {
        begin(statement.length());
        text.writeCharSequence(statement, StandardCharsets.US_ASCII);
    }

    /** Adds a BINLOG statement with these events. */
    public void addEvents(byte[] events) {
        begin(BinlogText.length(events.length));
        BinlogText.append(text, events);
    }

    /** Begins a statement of about this length, in bytes; the caller writes it to {@link #text}. */
    public void begin(int length) {
        if (statements > 0 && text.readableBytes() + length > USUAL) {
            send();
        }
        if (statements++ > 0) {
            text.writeByte(';');
        }
    }

    /** The statement that was begun last is at its end; not owned, and another one after {@link #begin}. */
    public ByteBuf text() {
        return text;
    }

    /**
     * Sends what was added, and waits for the answers.
     *
     * @throws io.tributary.mysql.protocol.client.MysqlServerError the first error of a statement
     * @throws io.tributary.common.error.TributaryException TARGET_UNREACHABLE
     */
    public void send() {
        if (statements > 0) {
            ByteBuf sent = text;
            int count = statements;
            text = Unpooled.buffer(SMALLEST);
            statements = 0;
            var unused = session.query(sent, count);
        }
    }

    /** What a statement checks. The server's error for a number that is too large has the exponent, which tells them apart. */
    public enum Check {
        /** The number of rows that the statement before it has found. */
        ROWS("400"),
        /** The turn to commit. */
        TURN("401"),
        /** The transaction before. */
        ORDER("402");

        private final String exponent;

        Check(String exponent) {
            this.exponent = exponent;
        }

        /** A statement that fails if a condition is not true. It has no result, and MySQL allows it with any gtid_next. */
        public String require(String condition) {
            return "SET @tributary_check = " + one(condition);
        }

        /** An expression with the value 1, which cannot be computed if a condition is false. */
        public String one(String condition) {
            return "POW(10, " + exponent + " * ((" + condition + ") IS NOT TRUE))";
        }

        /** Whether it is the error of such a statement. */
        public boolean hasFailed(MysqlServerError error) {
            return error.is(MysqlError.ER_DATA_OUT_OF_RANGE)
                    && error.getMessage().contains(exponent);
        }
    }

    /** A statement that fails if the one before it has found another number of rows. */
    public static String requireRows(int rows) {
        return Check.ROWS.require("ROW_COUNT() = " + rows);
    }
}
