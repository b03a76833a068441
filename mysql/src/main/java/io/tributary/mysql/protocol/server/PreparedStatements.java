package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A session's prepared statements: texts with places for values, which are put in as literals when they are executed (manual
 * pages "COM_STMT_PREPARE", "COM_STMT_EXECUTE"). Belongs to the event loop.
 */
final class PreparedStatements {
    /** A session has at most so many. */
    static final int MOST = 256;

    static final int MOST_PLACES = 0xffff; // in two bytes of the answer
    private static final int EXECUTE_HEAD = 5;
    private static final int PIECE_BYTES = 128; // what an empty one costs

    private final Map<Long, Prepared> statements = new HashMap<>();
    private final SessionMemory memory;
    private final int mostText;
    private long lastId;

    /**
     * @param memory of the session, which counts what they take
     * @param mostText longest statement with its values, in characters
     */
    PreparedStatements(SessionMemory memory, int mostText) {
        this.memory = memory;
        this.mostText = mostText;
    }

    /** A text cut at its question marks, and the types of its values once they have been sent. */
    private static final class Prepared {
        private final List<String> pieces;
        private int[] types;
        private int longBytes;
        private boolean isTooLong;
        private final Map<Integer, ByteArrayOutputStream> longData = new HashMap<>();

        private Prepared(List<String> pieces) {
            this.pieces = pieces;
        }

        /** What it takes in memory, its text and its places, roughly; from above. */
        private long bytes() {
            return pieces.stream()
                    .mapToLong(piece -> PIECE_BYTES + 2L * piece.length())
                    .sum();
        }

        private int places() {
            return pieces.size() - 1;
        }
    }

    /**
     * Keeps a statement; its id, or nothing where there are too many, or it has too many places.
     *
     * @throws SessionMemoryException where there is no room for it
     */
    OptionalLong prepare(String sql) {
        if (statements.size() >= MOST) {
            return OptionalLong.empty();
        }
        Prepared prepared = new Prepared(cut(sql));
        if (prepared.places() > MOST_PLACES) {
            return OptionalLong.empty();
        }
        memory.take(prepared.bytes());
        statements.put(++lastId, prepared);
        return OptionalLong.of(lastId);
    }

    int places(long id) {
        return statements.get(id).places();
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
     * A piece of a value, which comes before the statement is executed. It has no answer: what is wrong with it is told then.
     *
     * @param place the value's number, from 0
     */
    void longData(long id, int place, ByteBuf piece) {
        Prepared prepared = statements.get(id);
        if (prepared == null || place >= prepared.places()) {
            return;
        }
        int cost = PIECE_BYTES + 2 * piece.readableBytes(); // it is kept in an array that doubles
        if (!memory.tries(cost)) {
            prepared.isTooLong = true;
            return;
        }
        prepared.longBytes += cost;
        prepared.longData
                .computeIfAbsent(place, absent -> new ByteArrayOutputStream())
                .writeBytes(ByteBufUtil.getBytes(piece));
    }

    /** The pieces that came are forgotten. */
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
     * The text to be executed; values that came in pieces are used up.
     *
     * @param in what follows the statement's id
     * @throws TributaryException PROTOCOL_VIOLATED where the values are none that can be read
     * @throws IllegalArgumentException where its values are too long
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
        int places = prepared.places();
        if (places == 0) {
            return prepared.pieces.get(0);
        }
        byte[] nulls = new byte[(places + 7) / 8];
        LengthEncoding.need(in, nulls.length + 1);
        in.readBytes(nulls);
        if (in.readUnsignedByte() == 1) {
            prepared.types = types(in, places);
        }
        if (prepared.types == null) {
            throw unreadable("the types of " + places + " values", "none");
        }
        StringBuilder text = new StringBuilder(prepared.pieces.get(0));
        for (int i = 0; i < places; i++) {
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

    private static int[] types(ByteBuf in, int places) {
        LengthEncoding.need(in, 2 * places);
        int[] types = new int[places];
        for (int i = 0; i < places; i++) {
            types[i] = in.readUnsignedShortLE();
        }
        return types;
    }

    private static TributaryException unreadable(String expected, String came) {
        return new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED, "prepared statement: expected " + expected + ", came " + came);
    }

    /** Cuts at the question marks that stand outside of literals, names and comments, as far as there may be places. */
    private static List<String> cut(String sql) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        int at = 0;
        while (at < sql.length() && pieces.size() <= MOST_PLACES) {
            char c = sql.charAt(at);
            if (c == '?') {
                pieces.add(sql.substring(from, at));
                from = at + 1;
            }
            at = c == '\'' || c == '"' || c == '`' ? behindQuoted(sql, at) : behindComment(sql, at);
        }
        pieces.add(sql.substring(from));
        return pieces;
    }

    private static int behindQuoted(String sql, int start) {
        char quote = sql.charAt(start);
        for (int at = start + 1; at < sql.length(); at++) {
            if (sql.charAt(at) == '\\' && quote != '`') {
                at++;
            } else if (sql.charAt(at) == quote) {
                return at + 1; // a doubled one begins the next literal, to the same effect
            }
        }
        return sql.length();
    }

    /** Behind the comment that begins here, else behind the character. */
    private static int behindComment(String sql, int at) {
        boolean isLine = sql.charAt(at) == '#' || sql.startsWith("-- ", at);
        boolean isBlock = sql.startsWith("/*", at) && !sql.startsWith("/*!", at);
        if (!isLine && !isBlock) {
            return at + 1;
        }
        int end = isLine ? sql.indexOf('\n', at) : sql.indexOf("*/", at + 2);
        return end < 0 ? sql.length() : end + (isLine ? 1 : 2);
    }
}
