package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.SessionMemoryException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A session's prepared statements: texts with placeholders for values, which are inserted as literals when the statement is executed
 * (manual pages "COM_STMT_PREPARE", "COM_STMT_EXECUTE"). The event loop owns it.
 */
final class PreparedStatements {
    /** Maximum number of statements of a session. */
    static final int MOST = 256;

    static final int MOST_PLACEHOLDERS = 0xffff; // in two bytes of the answer
    private static final int EXECUTE_HEAD = 5;
    private static final int PIECE_BYTES = 128; // the cost of an empty one

    private final Map<Long, Prepared> statements = new HashMap<>();
    private final SessionMemory memory;
    private final int mostText;
    private long lastId;

    /**
     * @param memory of the session, which counts the statements' memory
     * @param mostText maximum length of a statement with its values, in characters
     */
    PreparedStatements(SessionMemory memory, int mostText) {
        this.memory = memory;
        this.mostText = mostText;
    }

    /** A text split at its placeholders, and the types of its values after they have been sent. */
    private static final class Prepared {
        private final List<String> pieces;
        private int[] types;
        private int longBytes;
        private boolean isTooLong;
        private final Map<Integer, ByteArrayOutputStream> longData = new HashMap<>();

        private Prepared(List<String> pieces) {
            this.pieces = pieces;
        }

        /** An upper estimate of its memory: its text and its placeholders. */
        private long bytes() {
            return pieces.stream()
                    .mapToLong(piece -> PIECE_BYTES + 2L * piece.length())
                    .sum();
        }

        private int placeholders() {
            return pieces.size() - 1;
        }
    }

    /**
     * Stores a statement; returns its id, or nothing if there are too many statements, or it has too many placeholders.
     *
     * @throws SessionMemoryException if there is not enough memory for it
     */
    OptionalLong prepare(String sql) {
        if (statements.size() >= MOST) {
            return OptionalLong.empty();
        }
        Prepared prepared = new Prepared(split(sql));
        if (prepared.placeholders() > MOST_PLACEHOLDERS) {
            return OptionalLong.empty();
        }
        memory.take(prepared.bytes());
        statements.put(++lastId, prepared);
        return OptionalLong.of(lastId);
    }

    int placeholders(long id) {
        return statements.get(id).placeholders();
    }

    boolean has(long id) {
        return statements.containsKey(id);
    }

    void close(long id) {
        reset(id);
        Prepared closed = statements.remove(id);
        if (closed != null) {
            memory.release(closed.bytes());
        }
    }

    void closeAll() {
        List.copyOf(statements.keySet()).forEach(this::close);
    }

    /**
     * Adds a piece of a value, which arrives before the statement is executed. It has no answer: an error is reported at the execution.
     *
     * @param placeholder the value's number, from 0
     */
    void longData(long id, int placeholder, ByteBuf piece) {
        Prepared prepared = statements.get(id);
        if (prepared == null || placeholder >= prepared.placeholders()) {
            return;
        }
        int cost = PIECE_BYTES + 2 * piece.readableBytes(); // it is stored in an array that doubles
        if (!memory.tryTake(cost)) {
            prepared.isTooLong = true;
            return;
        }
        prepared.longBytes += cost;
        prepared.longData
                .computeIfAbsent(placeholder, absent -> new ByteArrayOutputStream())
                .writeBytes(ByteBufUtil.getBytes(piece));
    }

    /** Drops the received pieces. */
    void reset(long id) {
        Prepared prepared = statements.get(id);
        if (prepared != null) {
            memory.release(prepared.longBytes);
            prepared.longBytes = 0;
            prepared.longData.clear();
            prepared.isTooLong = false;
        }
    }

    /**
     * The text to execute; it consumes the values that arrived in pieces.
     *
     * @param in the bytes after the statement's id
     * @throws TributaryException PROTOCOL_VIOLATED if the values cannot be read
     * @throws IllegalArgumentException if the values are too long
     */
    String text(long id, ByteBuf in) {
        try {
            return text(statements.get(id), in);
        } finally {
            reset(id);
        }
    }

    private String text(Prepared prepared, ByteBuf in) {
        if (prepared.isTooLong) {
            throw new IllegalArgumentException("Parameter of prepared statement which is set through"
                    + " mysql_send_long_data() is longer than 'serve.session-memory' or 'serve.memory' allows");
        }
        LengthEncoding.need(in, EXECUTE_HEAD);
        in.skipBytes(EXECUTE_HEAD);
        int placeholders = prepared.placeholders();
        if (placeholders == 0) {
            return prepared.pieces.get(0);
        }
        byte[] nulls = new byte[(placeholders + 7) / 8];
        LengthEncoding.need(in, nulls.length + 1);
        in.readBytes(nulls);
        if (in.readUnsignedByte() == 1) {
            prepared.types = types(in, placeholders);
        }
        if (prepared.types == null) {
            throw unreadable("the types of " + placeholders + " values", "none");
        }
        StringBuilder text = new StringBuilder(prepared.pieces.get(0));
        for (int i = 0; i < placeholders; i++) {
            boolean isNull = (nulls[i / 8] & 1 << i % 8) != 0;
            ByteArrayOutputStream pieces = prepared.longData.get(i);
            String value;
            if (pieces != null) {
                value = PreparedValue.quoted(pieces.toString(StandardCharsets.UTF_8));
            } else {
                value = isNull ? "NULL" : PreparedValue.literal(prepared.types[i], in);
            }
            text.append(value).append(prepared.pieces.get(i + 1));
            if (text.length() > mostText) {
                throw new IllegalArgumentException("expected a statement of at most " + mostText
                        + " characters with its values (serve.statement-bytes)");
            }
        }
        return text.toString();
    }

    private static int[] types(ByteBuf in, int placeholders) {
        LengthEncoding.need(in, 2 * placeholders);
        int[] types = new int[placeholders];
        for (int i = 0; i < placeholders; i++) {
            types[i] = in.readUnsignedShortLE();
        }
        return types;
    }

    private static TributaryException unreadable(String expected, String found) {
        return new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED, "prepared statement: expected " + expected + ", found " + found);
    }

    /** Splits at the question marks outside of literals, names and comments, up to the maximum of placeholders. */
    private static List<String> split(String sql) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        int at = 0;
        while (at < sql.length() && pieces.size() <= MOST_PLACEHOLDERS) {
            char c = sql.charAt(at);
            if (c == '?') {
                pieces.add(sql.substring(from, at));
                from = at + 1;
            }
            at = c == '\'' || c == '"' || c == '`' ? afterQuoted(sql, at) : afterComment(sql, at);
        }
        pieces.add(sql.substring(from));
        return pieces;
    }

    private static int afterQuoted(String sql, int start) {
        char quote = sql.charAt(start);
        for (int at = start + 1; at < sql.length(); at++) {
            if (sql.charAt(at) == '\\' && quote != '`') {
                at++;
            } else if (sql.charAt(at) == quote) {
                return at + 1; // a doubled quote begins the next literal, with the same result
            }
        }
        return sql.length();
    }

    /** The offset after the comment that begins here, otherwise after the character. */
    private static int afterComment(String sql, int at) {
        boolean isLine = sql.charAt(at) == '#' || sql.startsWith("-- ", at);
        boolean isBlock = sql.startsWith("/*", at) && !sql.startsWith("/*!", at);
        if (!isLine && !isBlock) {
            return at + 1;
        }
        int end = isLine ? sql.indexOf('\n', at) : sql.indexOf("*/", at + 2);
        return end < 0 ? sql.length() : end + (isLine ? 1 : 2);
    }
}
