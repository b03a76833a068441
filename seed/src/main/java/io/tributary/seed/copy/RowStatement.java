package io.tributary.seed.copy;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.LengthEncoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A statement that writes rows, while it is built, and the key of its last row. For one thread. */
final class RowStatement {
    private static final int LARGE = 16 << 20;
    private static final int ROOM_OF_VALUE = 32;
    private static final byte[] NULL = ascii("NULL");
    private static final byte[] EXPONENT = ascii("e0");
    private static final byte[] UTF8MB4 = ascii("_utf8mb4");

    private final CopyPlan plan;
    private final byte[] beginning;
    private final StatementBytes bytes;
    private final int[] keyParts; // by the index of a value: the part of the key that it is, or -1
    private State now = new State(0, 0, 0, new byte[0][]);
    private State before = now;
    private int lastRow;

    /**
     * What was added.
     *
     * @param rows number of rows
     * @param bytes of their values
     * @param zeroes number of values of ENUM columns with the number 0
     * @param key values of the key of the last row
     */
    private record State(long rows, long bytes, int zeroes, byte[][] key) {}

    /**
     * Begins a statement.
     *
     * @param verb INSERT or REPLACE
     * @param usualBytes the usual length
     */
    RowStatement(CopyPlan plan, String verb, int usualBytes) {
        this(plan, verb, new StatementBytes(usualBytes + usualBytes / 4, false));
    }

    /** The same in one line of a file. */
    static RowStatement ofOneLine(CopyPlan plan, String verb, int usualBytes) {
        return new RowStatement(plan, verb, new StatementBytes(usualBytes + usualBytes / 4, true));
    }

    private RowStatement(CopyPlan plan, String verb, StatementBytes bytes) {
        this.plan = plan;
        this.beginning = plan.write(verb).getBytes(StandardCharsets.UTF_8);
        this.bytes = bytes;
        this.keyParts = new int[plan.width()];
        for (int i = 0; i < keyParts.length; i++) {
            keyParts[i] = plan.keyIndexes().indexOf(i);
        }
        clear();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Removes all rows. */
    void clear() {
        bytes.clear();
        bytes.add(beginning);
        now = new State(0, 0, 0, new byte[0][]);
        before = now;
        lastRow = bytes.size();
    }

    long rows() {
        return now.rows;
    }

    /** Bytes of the values of its rows. */
    long valueBytes() {
        return now.bytes;
    }

    /** The number of warnings that the server gives: one for each invalid value of an ENUM column. */
    int warnings() {
        return now.zeroes;
    }

    int size() {
        return bytes.size();
    }

    /** The bytes of the statement: valid until the next change. */
    ByteBuf view() {
        return bytes.view();
    }

    /** The key of the last row as literals. */
    List<String> key() {
        List<String> literals = new ArrayList<>();
        for (int i = 0; i < now.key.length; i++) {
            literals.add(literal(plan.key().get(i), now.key[i]));
        }
        return literals;
    }

    private static String literal(ColumnForm column, byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        return switch (column.form()) {
            case NUMBER, ENUM -> text;
            case FLOAT -> text.contains("e") ? text : text + "e0";
            case QUOTED -> "'" + text + "'";
            case BYTES, TEXT -> column.literal() + "'" + HexFormat.of().formatHex(value) + "'";
        };
    }

    /** Whether a row should be written alone, because several such rows would not fit in memory. */
    static boolean isLarge(ByteBuf row) {
        return row.readableBytes() >= LARGE;
    }

    /** The bytes that a row needs in a statement, about. */
    static int memory(ByteBuf row) {
        try {
            return Math.addExact(row.readableBytes(), StatementBytes.special(row, row.readableBytes(), false));
        } catch (ArithmeticException e) {
            throw new StatementTooLongException();
        }
    }

    /** Adds a row in the form of the protocol. */
    void add(ByteBuf row) {
        before = now;
        lastRow = bytes.size();
        int length = row.readableBytes();
        if (isLarge(row)) {
            bytes.reserve(Math.addExact(memory(row), keyParts.length * ROOM_OF_VALUE));
        }
        int zeroes = now.zeroes;
        byte[][] key = new byte[plan.key().size()][];
        if (now.rows > 0) {
            bytes.add(',');
        }
        for (int i = 0; i < keyParts.length; i++) {
            int valueLength = length(row);
            if (keyParts[i] >= 0) {
                byte[] part = new byte[valueLength];
                row.getBytes(row.readerIndex(), part);
                key[keyParts[i]] = part;
            }
            if (i >= plan.columns().size()) {
                row.skipBytes(valueLength);
                continue;
            }
            bytes.add(i == 0 ? '(' : ',');
            zeroes += value(row, valueLength, plan.columns().get(i).form()) ? 1 : 0;
        }
        bytes.add(')');
        now = new State(now.rows + 1, now.bytes + length, zeroes, key);
    }

    /** The length of the next value, -1 for NULL. */
    private static int length(ByteBuf row) {
        if (row.getUnsignedByte(row.readerIndex()) == LengthEncoding.NULL_VALUE) {
            row.skipBytes(1);
            return -1;
        }
        return Math.toIntExact(LengthEncoding.readInteger(row));
    }

    /** Adds a value; returns whether it is the invalid value of an ENUM column. */
    private boolean value(ByteBuf row, int length, ValueForm form) {
        if (length < 0) {
            bytes.add(NULL);
            return false;
        }
        int start = bytes.size();
        switch (form) {
            case NUMBER, ENUM -> bytes.move(row, length);
            case FLOAT -> {
                bytes.move(row, length);
                if (!bytes.hasExponent(start)) {
                    bytes.add(EXPONENT);
                }
            }
            case QUOTED -> {
                bytes.add('\'');
                bytes.move(row, length);
                bytes.add('\'');
            }
            case BYTES, TEXT -> {
                if (form == ValueForm.TEXT) {
                    bytes.add(UTF8MB4);
                }
                bytes.add('\'');
                bytes.moveEscaped(row, length);
                bytes.add('\'');
            }
        }
        return form == ValueForm.ENUM && bytes.isZero(start);
    }

    /** Moves the last row into an empty statement. */
    void moveLastRow(RowStatement to) {
        to.bytes.addTail(bytes, lastRow + (before.rows > 0 ? 1 : 0));
        to.now = new State(1, now.bytes - before.bytes, now.zeroes - before.zeroes, now.key);
        to.before = new State(0, 0, 0, new byte[0][]);
        bytes.cut(lastRow);
        now = before;
    }
}
