package io.tributary.mysql.event;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * QUERY_EVENT (2): a statement: thread_id u32, exec_time u32, length of the schema u8, error_code u16, length of the status variables
 * u16, status variables, schema, zero, statement to the end (Query_event in libbinlogevents/include/statement_events.h). In a row-format
 * binlog: BEGIN, COMMIT, DDL, XA statements.
 */
public final class QueryEvent {
    private static final int THREAD_ID_AT = EventHeader.LENGTH;
    private static final int EXEC_TIME_AT = THREAD_ID_AT + 4;
    private static final int SCHEMA_LENGTH_AT = EXEC_TIME_AT + 4;
    private static final int ERROR_CODE_AT = SCHEMA_LENGTH_AT + 1;
    private static final int VARIABLES_LENGTH_AT = ERROR_CODE_AT + 2;
    private static final int VARIABLES_AT = VARIABLES_LENGTH_AT + 2;
    private static final String BEGIN = "BEGIN";
    /** The status variables that MySQL writes for BEGIN: no session flags, SQL mode "", catalog "std", utf8mb4. */
    private static final String BEGIN_VARIABLES = "\0\0\0\0\0" + "\1\0\0\0\0\0\0\0\0" + "\6\3std" + "\4\55\0\55\0\55\0";

    /** Bytes of an event that {@link #writeBegin} writes, without checksum. */
    public static final int BEGIN_LENGTH = VARIABLES_AT + BEGIN_VARIABLES.length() + 1 + BEGIN.length();

    private static final byte[] BEGIN_EVENT = beginEvent();

    private QueryEvent() {}

    private static byte[] beginEvent() {
        ByteBuffer event = ByteBuffer.allocate(BEGIN_LENGTH);
        EventHeader.write(event, 0, new EventOrigin(0, 0), EventType.QUERY_EVENT, BEGIN_LENGTH);
        EventHeader.setFlags(event, 0, EventFlags.LOG_EVENT_SUPPRESS_USE_F);
        writePostHeader(event, 0, 0, 0, BEGIN_VARIABLES.length());
        event.put(VARIABLES_AT, BEGIN_VARIABLES.getBytes(StandardCharsets.US_ASCII));
        putNames(
                event, VARIABLES_AT + BEGIN_VARIABLES.length(), new byte[0], BEGIN.getBytes(StandardCharsets.US_ASCII));
        return event.array();
    }

    /** Rejects a truncated query; throws {@code EVENT_UNKNOWN} for an unknown status variable. */
    public static void check(ByteBuffer view, int at, int end) {
        Malformed.fixedPart(view, at, end, VARIABLES_AT - EventHeader.LENGTH, "query");
        Malformed.room(view, at, end, at + VARIABLES_AT, variablesEnd(view, at) - variablesAt(at), "status variables");
        StatusVariables.check(view, at, variablesAt(at), variablesEnd(view, at));
        Malformed.room(view, at, end, schemaAt(view, at), schemaLength(view, at) + 1L, "schema");
        int zero = view.get(textAt(view, at) - 1);
        if (zero != 0) {
            throw Malformed.event(view, at, "a zero after the schema", Integer.toString(zero & 0xff));
        }
    }

    /** The session's id on the source, 0..2^32-1. */
    public static long threadId(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at + THREAD_ID_AT);
    }

    /** Execution time in seconds. */
    static long execTime(ByteBuffer view, int at) {
        return LittleEndian.getU32(view, at + EXEC_TIME_AT);
    }

    /** The error with which it ended on the source; 0 = none. */
    public static int errorCode(ByteBuffer view, int at) {
        return LittleEndian.getU16(view, at + ERROR_CODE_AT);
    }

    /** Offset of the first status variable, see {@link StatusVariables}. */
    public static int variablesAt(int at) {
        return at + VARIABLES_AT;
    }

    /** Offset after the last status variable. */
    public static int variablesEnd(ByteBuffer view, int at) {
        return at + VARIABLES_AT + LittleEndian.getU16(view, at + VARIABLES_LENGTH_AT);
    }

    /** Offset of a status variable's value; -1 if it is absent. */
    public static int variable(ByteBuffer view, int at, int code) {
        return StatusVariables.find(view, variablesAt(at), variablesEnd(view, at), code);
    }

    /** A PolarDB-X commit timestamp, on an XA COMMIT; 0 if there is none. */
    public static long commitGcn(ByteBuffer view, int at) {
        return gcn(view, at, StatusVariables.Q_LIZARD_COMMIT_GCN);
    }

    /** A PolarDB-X prepare timestamp, on an XA END; the commit's is larger; 0 if there is none. */
    public static long prepareGcn(ByteBuffer view, int at) {
        return gcn(view, at, StatusVariables.Q_LIZARD_PREPARE_GCN);
    }

    private static long gcn(ByteBuffer view, int at, int code) {
        int value = variable(view, at, code);
        return value < 0 ? 0 : LittleEndian.getLong(view, value);
    }

    /** Offset of the default schema, which a zero follows. */
    private static int schemaAt(ByteBuffer view, int at) {
        return variablesEnd(view, at);
    }

    /** Bytes of the default schema; 0 if there is none. */
    private static int schemaLength(ByteBuffer view, int at) {
        return LittleEndian.getU8(view, at + SCHEMA_LENGTH_AT);
    }

    /** The default schema; "" if there is none. */
    public static String schema(ByteBuffer view, int at) {
        int from = schemaAt(view, at);
        return Text.utf8(view, from, from + schemaLength(view, at));
    }

    /** Offset of the statement, which extends to the event's end. */
    public static int textAt(ByteBuffer view, int at) {
        return schemaAt(view, at) + schemaLength(view, at) + 1;
    }

    /** The statement, decoded as UTF-8; its character set is in {@link StatusVariables#Q_CHARSET_CODE}. */
    public static String text(ByteBuffer view, int at, int end) {
        return Text.utf8(view, textAt(view, at), end);
    }

    /** Whether the statement equals this upper-case ASCII text, ignoring case. */
    public static boolean textIs(ByteBuffer view, int at, int end, String upperCase) {
        return end - textAt(view, at) == upperCase.length() && textStartsWith(view, at, end, upperCase);
    }

    /** Whether the statement begins with this upper-case ASCII text, ignoring case. */
    public static boolean textStartsWith(ByteBuffer view, int at, int end, String upperCase) {
        return Text.startsWith(view, textAt(view, at), end, upperCase);
    }

    /** Writes BEGIN: an event of {@link #BEGIN_LENGTH} without checksum, log_pos 0, no default schema. */
    public static void writeBegin(ByteBuffer buf, int at, EventOrigin origin, long threadId) {
        buf.put(at, BEGIN_EVENT);
        EventHeader.setOrigin(buf, at, origin);
        LittleEndian.putU32(buf, at + THREAD_ID_AT, threadId);
    }

    /** Bytes of an event without checksum. */
    public static int length(int variablesLength, int schemaLength, int textLength) {
        return VARIABLES_AT + variablesLength + schemaLength + 1 + textLength;
    }

    /**
     * Writes a statement without checksum, log_pos 0, error_code and exec_time 0.
     *
     * @return the offset after it
     */
    public static int write(ByteBuffer buf, int at, EventOrigin origin, LoggedStatement statement) {
        byte[] variables = statement.variables();
        byte[] schema = statement.schema();
        byte[] text = statement.text();
        int size = length(variables.length, schema.length, text.length);
        EventHeader.write(buf, at, origin, EventType.QUERY_EVENT, size);
        EventHeader.setFlags(buf, at, statement.flags());
        writePostHeader(buf, at, statement.threadId(), schema.length, variables.length);
        buf.put(at + VARIABLES_AT, variables);
        return putNames(buf, at + VARIABLES_AT + variables.length, schema, text);
    }

    /**
     * Makes an event as the one at {@code at} with another schema and statement; all other fields, including log_pos and timestamp, stay.
     *
     * @param schema at most 255 bytes, empty = none
     * @return from 0 to its limit, without checksum
     */
    public static ByteBuffer withText(ByteBuffer view, int at, byte[] schema, byte[] text) {
        LoggedStatement.requireSchema(schema);
        int kept = variablesEnd(view, at) - at;
        int size = kept + schema.length + 1 + text.length;
        ByteBuffer event = ByteBuffer.allocate(size);
        event.put(0, view, at, kept);
        EventHeader.setSize(event, 0, size);
        LittleEndian.putU8(event, SCHEMA_LENGTH_AT, schema.length);
        putNames(event, kept, schema, text);
        return event;
    }

    private static void writePostHeader(ByteBuffer buf, int at, long threadId, int schemaLength, int variablesLength) {
        LittleEndian.putU32(buf, at + THREAD_ID_AT, threadId);
        LittleEndian.putU32(buf, at + EXEC_TIME_AT, 0);
        LittleEndian.putU8(buf, at + SCHEMA_LENGTH_AT, schemaLength);
        LittleEndian.putU16(buf, at + ERROR_CODE_AT, 0);
        LittleEndian.putU16(buf, at + VARIABLES_LENGTH_AT, variablesLength);
    }

    private static int putNames(ByteBuffer buf, int at, byte[] schema, byte[] text) {
        buf.put(at, schema);
        LittleEndian.putU8(buf, at + schema.length, 0);
        buf.put(at + schema.length + 1, text);
        return at + schema.length + 1 + text.length;
    }
}
