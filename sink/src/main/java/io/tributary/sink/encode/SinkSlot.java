package io.tributary.sink.encode;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.sink.CopyPlace;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A part of the stream: whole transactions, or a piece of a large one. The reader adds entries, a worker adds the messages of the entries with rows, the
 * sender takes them. Used again and again; one thread at a time owns it.
 */
public final class SinkSlot {
    /** What an entry is. */
    public enum Kind {
        BEGIN,
        ROWS,
        STATEMENT,
        END,
        /** The end of a part of a snapshot. */
        PART_END
    }

    /** The message is the DELETE of an UPDATE that was split. */
    public static final int DELETE_OF_SPLIT = 1;

    /** The message is the INSERT of an UPDATE that was split. */
    public static final int INSERT_OF_SPLIT = 2;

    private static final int HAS_KEY = 4;
    private static final int HAS_VALUE = 8;
    private static final int KEPT_OUTPUT = 1 << 20;
    private static final int KEPT_INPUT = 256 << 10;
    private static final int FIRST_BYTES = 1 << 16;
    private static final int FIRST_COUNT = 64;

    // ---- entries
    private Kind[] kinds = new Kind[FIRST_COUNT];
    private Object[] subjects = new Object[FIRST_COUNT];
    private ChangeTransaction[] transactions = new ChangeTransaction[FIRST_COUNT];
    private TableRoute[] routes = new TableRoute[FIRST_COUNT];
    private int[] ats = new int[FIRST_COUNT];
    private int[] ends = new int[FIRST_COUNT];
    private long[] numbers = new long[FIRST_COUNT];
    private int[] messageEnds = new int[FIRST_COUNT];
    private int entries;
    private byte[] input = new byte[FIRST_BYTES];
    private ByteBuffer view = ByteBuffer.wrap(input);
    private int used;

    // ---- messages
    private ByteBuf output = Unpooled.buffer(FIRST_BYTES);
    private int[] keyEnds = new int[FIRST_COUNT];
    private int[] valueEnds = new int[FIRST_COUNT];
    private int[] hashes = new int[FIRST_COUNT];
    private int[] rows = new int[FIRST_COUNT];
    private byte[] flags = new byte[FIRST_COUNT];
    private int messages;
    private final Map<Integer, String> notes = new HashMap<>();
    private RuntimeException failure;
    private int failedAt;
    private long charged;
    private boolean isSnapshot;

    // ---- the reader

    /** Sets whether the rows are those of a snapshot. */
    void ofSnapshot(boolean is) {
        isSnapshot = is;
    }

    void partEnd(ChangeTransaction transaction, CopyPlace place) {
        int unused = entry(Kind.PART_END, place, transaction);
    }

    private int entry(Kind kind, Object subject, ChangeTransaction transaction) {
        if (entries == kinds.length) {
            int more = 2 * entries;
            kinds = Arrays.copyOf(kinds, more);
            subjects = Arrays.copyOf(subjects, more);
            transactions = Arrays.copyOf(transactions, more);
            routes = Arrays.copyOf(routes, more);
            ats = Arrays.copyOf(ats, more);
            ends = Arrays.copyOf(ends, more);
            numbers = Arrays.copyOf(numbers, more);
            messageEnds = Arrays.copyOf(messageEnds, more);
        }
        kinds[entries] = kind;
        subjects[entries] = subject;
        transactions[entries] = transaction;
        return entries++;
    }

    void begin(ChangeTransaction transaction) {
        entry(Kind.BEGIN, null, transaction);
    }

    /** Copies a rows event whose first row has a number in its transaction. */
    void rows(ChangeTransaction transaction, ChangeTable table, ByteBuffer event, Range range) {
        int length = range.end() - range.at();
        if (input.length - used < length) {
            input = Arrays.copyOf(input, Math.max(used + length, (int)
                    Math.min(2L * input.length, Integer.MAX_VALUE - 8)));
            view = ByteBuffer.wrap(input);
        }
        int at = used;
        event.get(range.at(), input, at, length);
        used += length;
        int entry = entry(Kind.ROWS, table, transaction);
        ats[entry] = at;
        ends[entry] = used;
        numbers[entry] = range.row();
    }

    /**
     * Where a rows event is.
     *
     * @param at offset of the event
     * @param end offset after its last row
     * @param row the number of its first row in the transaction
     */
    record Range(int at, int end, long row) {}

    void statement(ChangeTransaction transaction, ChangeStatement statement) {
        entry(Kind.STATEMENT, statement, transaction);
    }

    void end(ChangeTransaction transaction, String file, long position) {
        int entry = entry(Kind.END, file, transaction);
        numbers[entry] = position;
    }

    /** Bytes of events. */
    int used() {
        return used;
    }

    void charge(long bytes) {
        charged = bytes;
    }

    long charged() {
        return charged;
    }

    // ---- all

    /** The number of entries. */
    public int entries() {
        return entries;
    }

    /** Whether the rows are those of a snapshot. */
    public boolean isSnapshot() {
        return isSnapshot;
    }

    public Kind kind(int entry) {
        return kinds[entry];
    }

    /** The transaction to which an entry belongs. */
    public ChangeTransaction transaction(int entry) {
        return transactions[entry];
    }

    // ---- the worker

    ChangeTable table(int entry) {
        return (ChangeTable) subjects[entry];
    }

    ByteBuffer view() {
        return view;
    }

    int at(int entry) {
        return ats[entry];
    }

    int end(int entry) {
        return ends[entry];
    }

    ByteBuf output() {
        return output;
    }

    int messages() {
        return messages;
    }

    /** Adds a message that was written to the output; its row is counted from the first one of the entry. */
    void message(int keyEnd, boolean hasKey, boolean hasValue, int row, int split) {
        if (messages == keyEnds.length) {
            int more = 2 * messages;
            keyEnds = Arrays.copyOf(keyEnds, more);
            valueEnds = Arrays.copyOf(valueEnds, more);
            hashes = Arrays.copyOf(hashes, more);
            rows = Arrays.copyOf(rows, more);
            flags = Arrays.copyOf(flags, more);
        }
        keyEnds[messages] = keyEnd;
        valueEnds[messages] = output.writerIndex();
        rows[messages] = row;
        flags[messages] = (byte) (split | (hasKey ? HAS_KEY : 0) | (hasValue ? HAS_VALUE : 0));
        messages++;
    }

    /** Sets the hash of the last message. */
    void hashed(int hash) {
        hashes[messages - 1] = hash;
    }

    /** Remembers which row the last message is of. */
    void note(String text) {
        notes.put(messages - 1, text);
    }

    /** All messages of an entry were added. */
    void encoded(int entry, TableRoute route) {
        routes[entry] = route;
        messageEnds[entry] = messages;
    }

    /** An entry has no messages, because of an error; the entries after it are not encoded. */
    void failed(int entry, RuntimeException cause) {
        failure = cause;
        failedAt = entry;
    }

    /** Whether an entry could not be encoded. */
    boolean hasFailed() {
        return failure != null;
    }

    // ---- the sender

    /** Throws the error of an entry whose messages could not be made. */
    public void check(int entry) {
        if (failure != null && entry >= failedAt) {
            throw failure;
        }
    }

    /** Whether {@link #check} will throw for a transaction. */
    public boolean hasFailure(ChangeTransaction transaction) {
        return failure != null && transactions[failedAt].equals(transaction);
    }

    /** Where the messages of an entry with rows go. */
    public TableRoute route(int entry) {
        return routes[entry];
    }

    /** The number of an entry's first row in its transaction; of {@link Kind#END} the offset after the transaction. */
    public long number(int entry) {
        return numbers[entry];
    }

    /** The file of an entry {@link Kind#END}. */
    public String file(int entry) {
        return (String) subjects[entry];
    }

    /** The place of an entry {@link Kind#PART_END}. */
    public CopyPlace copyPlace(int entry) {
        return (CopyPlace) subjects[entry];
    }

    public ChangeStatement statement(int entry) {
        return (ChangeStatement) subjects[entry];
    }

    /** The first message of an entry. */
    public int messagesFrom(int entry) {
        return entry == 0 ? 0 : messageEnds[entry - 1];
    }

    /** After the last message of an entry. */
    public int messagesEnd(int entry) {
        return messageEnds[entry];
    }

    /** The row of a message, counted from the first one of its entry. */
    public int row(int message) {
        return rows[message];
    }

    public int hash(int message) {
        return hashes[message];
    }

    /** {@link #DELETE_OF_SPLIT}, {@link #INSERT_OF_SPLIT}, or 0. */
    public int split(int message) {
        return flags[message] & (DELETE_OF_SPLIT | INSERT_OF_SPLIT);
    }

    /** A copy of the key, null for none. */
    public byte[] key(int message) {
        return (flags[message] & HAS_KEY) == 0 ? null : copy(from(message), keyEnds[message]);
    }

    /** A copy of the value, null for none. */
    public byte[] value(int message) {
        return (flags[message] & HAS_VALUE) == 0 ? null : copy(keyEnds[message], valueEnds[message]);
    }

    /** Bytes of key and value. */
    public int size(int message) {
        return valueEnds[message] - from(message);
    }

    /** The handle key of the row of a large message, "" for others. */
    public String note(int message) {
        return notes.isEmpty() ? "" : notes.getOrDefault(message, "");
    }

    private int from(int message) {
        return message == 0 ? 0 : valueEnds[message - 1];
    }

    private byte[] copy(int from, int end) {
        byte[] bytes = new byte[end - from];
        output.getBytes(from, bytes);
        return bytes;
    }

    /** Removes all; large buffers are not kept. */
    void clear() {
        Arrays.fill(subjects, 0, entries, null);
        Arrays.fill(transactions, 0, entries, null);
        Arrays.fill(routes, 0, entries, null);
        entries = 0;
        messages = 0;
        used = 0;
        failure = null;
        isSnapshot = false;
        notes.clear();
        output.clear();
        if (input.length > KEPT_INPUT) {
            input = new byte[FIRST_BYTES];
            view = ByteBuffer.wrap(input);
        }
        if (output.capacity() > KEPT_OUTPUT) {
            output = Unpooled.buffer(FIRST_BYTES);
        }
    }
}
