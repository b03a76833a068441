package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A session's prepared statements: texts with places for values, which are put in as literals when they are executed (manual
 * pages "COM_STMT_PREPARE", "COM_STMT_EXECUTE"). Belongs to the event loop.
 */
final class PreparedStatements {
    /** A session has at most so many. */
    static final int MOST = 256;

    private static final int EXECUTE_HEAD = 5;
    private static final int UNSIGNED = 0x80;

    private final Map<Long, Prepared> statements = new HashMap<>();
    private long lastId;

    /** A text cut at its question marks, and the types of its values once they have been sent. */
    private static final class Prepared {
        private final List<String> pieces;
        private int[] types;
        private boolean hasLongData;

        private Prepared(List<String> pieces) {
            this.pieces = pieces;
        }

        private int places() {
            return pieces.size() - 1;
        }
    }

    boolean isFull() {
        return statements.size() >= MOST;
    }

    /** Keeps a statement; its id. */
    long prepare(String sql) {
        statements.put(++lastId, new Prepared(cut(sql)));
        return lastId;
    }

    int places(long id) {
        return statements.get(id).places();
    }

    boolean has(long id) {
        return statements.containsKey(id);
    }

    void close(long id) {
        statements.remove(id);
    }

    void closeAll() {
        statements.clear();
    }

    /** Values in pieces are not taken: the statement they are for cannot be executed. */
    void longData(long id) {
        Prepared prepared = statements.get(id);
        if (prepared != null) {
            prepared.hasLongData = true;
        }
    }

    void reset(long id) {
        Prepared prepared = statements.get(id);
        if (prepared != null) {
            prepared.hasLongData = false;
        }
    }

    /**
     * The text to be executed.
     *
     * @param in what follows the statement's id
     * @throws TributaryException PROTOCOL_VIOLATED where the values are none that can be read
     */
    String text(long id, ByteBuf in) {
        Prepared prepared = statements.get(id);
        LengthEncoding.need(in, EXECUTE_HEAD);
        in.skipBytes(EXECUTE_HEAD);
        int places = prepared.places();
        if (places == 0) {
            return prepared.pieces.get(0);
        }
        if (prepared.hasLongData) {
            throw unreadable("a value within COM_STMT_EXECUTE", "COM_STMT_SEND_LONG_DATA");
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
            text.append(isNull ? "NULL" : literal(prepared.types[i], in)).append(prepared.pieces.get(i + 1));
        }
        return text.toString();
    }

    private static int[] types(ByteBuf in, int places) {
        LengthEncoding.need(in, 2 * places);
        int[] types = new int[places];
        for (int i = 0; i < places; i++) {
            types[i] = in.readUnsignedByte() | (in.readUnsignedByte() & UNSIGNED) << 8;
        }
        return types;
    }

    private static String literal(int type, ByteBuf in) {
        boolean unsigned = (type & UNSIGNED << 8) != 0;
        return switch (type & 0xff) {
            case 1 -> Integer.toString(unsigned ? need(in, 1).readUnsignedByte() : in.readByte());
            case 2, 13 -> Integer.toString(unsigned ? need(in, 2).readUnsignedShortLE() : in.readShortLE());
            case 3, 9 -> Long.toString(unsigned ? need(in, 4).readUnsignedIntLE() : in.readIntLE());
            case 4 -> Float.toString(need(in, 4).readFloatLE());
            case 5 -> Double.toString(need(in, 8).readDoubleLE());
            case 6 -> "NULL";
            case 8 -> {
                long value = need(in, 8).readLongLE();
                yield unsigned ? Long.toUnsignedString(value) : Long.toString(value);
            }
            case 7, 10, 11, 12 -> throw unreadable("a number or a text", "a date or time");
            default -> quoted(LengthEncoding.readString(in));
        };
    }

    private static ByteBuf need(ByteBuf in, int bytes) {
        LengthEncoding.need(in, bytes);
        return in;
    }

    /** As a string literal. */
    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "''").replace("\0", "\\0") + "'";
    }

    private static TributaryException unreadable(String expected, String came) {
        return new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED, "prepared statement: expected " + expected + ", came " + came);
    }

    /** Cuts at the question marks that stand outside of literals, names and comments. */
    private static List<String> cut(String sql) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        int at = 0;
        while (at < sql.length()) {
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
