package io.tributary.dumper.filter;

import io.tributary.common.value.TableName;
import io.tributary.dumper.JournalEvent;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells of each event of a file, in order, whether a reader with a filter gets it. Where rows of several tables stand in one statement
 * and its last ones are left out, the last that goes out has to say that the statement ends. One reader's.
 */
public final class TransactionGate {
    /** Bytes of a rows event that say what it is. */
    public static final int ROWS_HEAD = EventHeader.LENGTH + 8;

    private static final int MOST_KNOWN = 65_536;

    private final TableFilter filter;
    private final Ahead ahead;
    private final Map<Long, Boolean> tables = new HashMap<>(); // ids are unique within a file
    private boolean groupReads;
    private boolean groupLeaves;

    /** What to do with an event. */
    public enum Verdict {
        /** It goes out as it stands. */
        PASS,
        /** It goes out with the mark that its statement ends. */
        PASS_AS_LAST,
        /** It goes out once {@link #narrow} has taken from it what is not read. */
        NARROW,
        /** It does not go out. */
        LEAVE,
        /** An empty transaction goes out in its place. */
        EMPTY
    }

    /** Reads what stands further on in the file. */
    @FunctionalInterface
    public interface Ahead {
        /** Fills the buffer with the bytes from this offset on. */
        void read(ByteBuffer into, long offset) throws IOException;
    }

    public TransactionGate(TableFilter filter, Ahead ahead) {
        this.filter = filter;
        this.ahead = ahead;
    }

    /**
     * Judges an event.
     *
     * @param view holds its first bytes at least, up to the limit
     * @param offset where it stands in its file
     */
    public Verdict judge(ByteBuffer view, int at, long offset) throws IOException {
        int type = EventHeader.type(view, at);
        if (RowsEvent.isRows(type)) {
            return rows(view, at, offset);
        }
        return switch (type) {
            case EventType.TABLE_MAP_EVENT -> table(view, at);
            case EventType.QUERY_EVENT -> statement(view, at);
            case EventType.ROWS_QUERY_LOG_EVENT -> Verdict.LEAVE; // the text of a statement about whatever tables
            case EventType.FORMAT_DESCRIPTION_EVENT -> {
                tables.clear();
                endGroup();
                yield Verdict.PASS;
            }
            case EventType.GTID_LOG_EVENT, EventType.GTID_TAGGED_LOG_EVENT, EventType.ANONYMOUS_GTID_LOG_EVENT -> {
                endGroup();
                yield Verdict.PASS;
            }
            case EventType.IGNORABLE_LOG_EVENT -> // the cuts; the journal names every table
                JournalEvent.isJournal(view, at, view.limit()) ? Verdict.LEAVE : Verdict.PASS;
            case EventType.TRANSACTION_PAYLOAD_EVENT -> Verdict.EMPTY; // a whole transaction, packed
            default -> isWithoutData(type) ? Verdict.PASS : Verdict.LEAVE;
        };
    }

    /** Of a type that is not known, nobody knows what it carries: it does not go out. */
    private static boolean isWithoutData(int type) {
        return switch (type) {
            case EventType.STOP_EVENT,
                    EventType.ROTATE_EVENT,
                    EventType.XID_EVENT,
                    EventType.XA_PREPARE_LOG_EVENT,
                    EventType.INCIDENT_EVENT,
                    EventType.HEARTBEAT_LOG_EVENT,
                    EventType.HEARTBEAT_LOG_EVENT_V2,
                    EventType.PREVIOUS_GTIDS_LOG_EVENT -> true;
            default -> false;
        };
    }

    private Verdict table(ByteBuffer view, int at) {
        boolean reads = filter.reads(TableMapEvent.schema(view, at), TableMapEvent.table(view, at));
        if (tables.size() >= MOST_KNOWN) {
            tables.clear(); // each statement names its tables again
        }
        tables.put(TableMapEvent.tableId(view, at), reads);
        groupReads |= reads;
        groupLeaves |= !reads;
        return reads ? Verdict.PASS : Verdict.LEAVE;
    }

    private Verdict rows(ByteBuffer view, int at, long offset) throws IOException {
        boolean reads = tables.getOrDefault(RowsEvent.tableId(view, at), false);
        boolean isMixed = groupReads && groupLeaves;
        if (RowsEvent.endsStatement(view, at)) {
            endGroup();
            return reads ? Verdict.PASS : Verdict.LEAVE;
        }
        if (!reads) {
            return Verdict.LEAVE;
        }
        return isMixed && !isFollowed(offset + size(view, at)) ? Verdict.PASS_AS_LAST : Verdict.PASS;
    }

    private void endGroup() {
        groupReads = false;
        groupLeaves = false;
    }

    private static long size(ByteBuffer view, int at) {
        return Integer.toUnsignedLong(EventHeader.size(view, at));
    }

    /** Whether rows of the same statement follow that are read. */
    private boolean isFollowed(long from) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(ROWS_HEAD);
        long offset = from;
        while (true) {
            ahead.read(head.clear(), offset);
            if (!RowsEvent.isRows(EventHeader.type(head, 0))) {
                return false;
            }
            if (tables.getOrDefault(RowsEvent.tableId(head, 0), false)) {
                return true;
            }
            if (RowsEvent.endsStatement(head, 0)) {
                return false;
            }
            offset += size(head, 0);
        }
    }

    private Verdict statement(ByteBuffer view, int at) {
        int end = (int) Math.min(view.limit(), at + size(view, at) - Checksum.LENGTH);
        if (QueryEvent.textIs(view, at, end, "BEGIN")) {
            return Verdict.PASS;
        }
        String text = QueryEvent.text(view, at, end);
        StatementNames statement = StatementNames.of(text, QueryEvent.schema(view, at));
        if (statement.names().stream().noneMatch(this::reads)) {
            return Verdict.EMPTY;
        }
        if (statement.list().isEmpty()) {
            return Verdict.PASS;
        }
        boolean isWhole = at + size(view, at) <= view.limit() && isUtf8(text, end - QueryEvent.textAt(view, at));
        if (!isWhole) {
            return Verdict.EMPTY; // what else it names is not known
        }
        return statement.list().stream().allMatch(this::reads) ? Verdict.PASS : Verdict.NARROW;
    }

    private static boolean isUtf8(String text, int bytes) {
        return text.indexOf('\ufffd') < 0 && text.getBytes(StandardCharsets.UTF_8).length == bytes;
    }

    private boolean reads(TableName name) {
        return name.table().isEmpty() ? filter.readsSchema(name.schema()) : filter.reads(name.schema(), name.table());
    }

    private boolean reads(StatementNames.Entry entry) {
        return entry.names().stream().anyMatch(this::reads);
    }

    /**
     * Puts blanks in the place of the tables of a statement's list that are not read; its length stays. Where one is renamed from or to
     * one that is read, both are named: the reader has to be told.
     *
     * @param buf holds the whole event, whose checksum is wrong afterwards
     */
    public void narrow(ByteBuffer buf, int at) {
        int textAt = QueryEvent.textAt(buf, at);
        String text = QueryEvent.text(buf, at, EventHeader.end(buf, at) - Checksum.LENGTH);
        boolean isFirst = true;
        int index = 0;
        for (StatementNames.Entry entry :
                StatementNames.of(text, QueryEvent.schema(buf, at)).list()) {
            int from = textAt + bytes(text, entry.start());
            if (!reads(entry)) {
                blank(buf, from, textAt + bytes(text, entry.end()));
            } else {
                if (isFirst && index > 0) {
                    blank(buf, from, from + 1); // the comma
                }
                isFirst = false;
            }
            index++;
        }
    }

    private static int bytes(String text, int end) {
        return text.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
    }

    private static void blank(ByteBuffer buf, int from, int to) {
        for (int i = from; i < to; i++) {
            buf.put(i, (byte) ' ');
        }
    }
}
