package io.tributary.serve.filter;

import io.tributary.binlog.file.JournalEvent;
import io.tributary.common.value.TableName;
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
 * Decides for each event of a file, in order, whether a reader with a filter gets it. If a statement has rows of several tables and its last
 * rows events are dropped, the last one that is sent must be marked as the end of the statement. One instance for each reader.
 */
public final class TransactionFilter {
    /** Number of bytes of a rows event that identify it. */
    public static final int ROWS_HEAD = EventHeader.LENGTH + 8;

    private static final int MAX_KNOWN = 65_536;

    private final TableFilter filter;
    private final Ahead ahead;
    private final Map<Long, Boolean> tables = new HashMap<>(); // ids are unique within a file
    private boolean groupReads;
    private boolean groupDrops;

    /** What to do with an event. */
    public enum Verdict {
        /** It is sent unchanged. */
        PASS,
        /** It is sent, marked as the end of its statement. */
        PASS_AS_LAST,
        /** It is sent after {@link #narrow} has removed the tables that the reader may not read. */
        NARROW,
        /** It is not sent. */
        DROP,
        /** An empty transaction is sent instead of it. */
        EMPTY
    }

    /** Reads later bytes of the file. */
    @FunctionalInterface
    public interface Ahead {
        /** Fills the buffer with the bytes from this offset on. */
        void read(ByteBuffer into, long offset) throws IOException;
    }

    public TransactionFilter(TableFilter filter, Ahead ahead) {
        this.filter = filter;
        this.ahead = ahead;
    }

    /**
     * Decides about an event.
     *
     * @param view holds at least its first bytes, up to the limit
     * @param offset of the event in its file
     */
    public Verdict decide(ByteBuffer view, int at, long offset) throws IOException {
        int type = EventHeader.type(view, at);
        if (RowsEvent.isRows(type)) {
            return rows(view, at, offset);
        }
        return switch (type) {
            case EventType.TABLE_MAP_EVENT -> table(view, at);
            case EventType.QUERY_EVENT -> statement(view, at);
            case EventType.ROWS_QUERY_LOG_EVENT -> Verdict.DROP; // the text of a statement, which may name any table
            case EventType.FORMAT_DESCRIPTION_EVENT -> {
                tables.clear();
                endGroup();
                yield Verdict.PASS;
            }
            case EventType.GTID_LOG_EVENT, EventType.GTID_TAGGED_LOG_EVENT, EventType.ANONYMOUS_GTID_LOG_EVENT -> {
                endGroup();
                yield Verdict.PASS;
            }
            case EventType.IGNORABLE_LOG_EVENT -> // cuts pass; the journal names every table
                JournalEvent.isJournal(view, at, view.limit()) ? Verdict.DROP : Verdict.PASS;
            case EventType.TRANSACTION_PAYLOAD_EVENT -> Verdict.EMPTY; // a whole compressed transaction
            default -> isWithoutData(type) ? Verdict.PASS : Verdict.DROP;
        };
    }

    /** Whether a type of events has no table data. The content of an unknown type is unknown, so it is not sent. */
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
        if (tables.size() >= MAX_KNOWN) {
            tables.clear(); // each statement names its tables again
        }
        tables.put(TableMapEvent.tableId(view, at), reads);
        groupReads |= reads;
        groupDrops |= !reads;
        return reads ? Verdict.PASS : Verdict.DROP;
    }

    private Verdict rows(ByteBuffer view, int at, long offset) throws IOException {
        boolean reads = tables.getOrDefault(RowsEvent.tableId(view, at), false);
        boolean isMixed = groupReads && groupDrops;
        if (RowsEvent.endsStatement(view, at)) {
            endGroup();
            return reads ? Verdict.PASS : Verdict.DROP;
        }
        if (!reads) {
            return Verdict.DROP;
        }
        return isMixed && !isFollowed(offset + EventHeader.unsignedSize(view, at))
                ? Verdict.PASS_AS_LAST
                : Verdict.PASS;
    }

    private void endGroup() {
        groupReads = false;
        groupDrops = false;
    }

    /** Whether readable rows of the same statement follow. */
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
            offset += EventHeader.unsignedSize(head, 0);
        }
    }

    private Verdict statement(ByteBuffer view, int at) {
        int end = (int) Math.min(view.limit(), at + EventHeader.unsignedSize(view, at) - Checksum.LENGTH);
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
        boolean isWhole = at + EventHeader.unsignedSize(view, at) <= view.limit()
                && isUtf8(text, end - QueryEvent.textAt(view, at));
        if (!isWhole) {
            return Verdict.EMPTY; // the other names in it are not known
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
     * Replaces the unreadable tables in a statement's list by blanks; the length does not change. If a table is renamed from or to a readable
     * name, both names stay, because the reader needs them.
     *
     * @param buf holds the whole event; its checksum is wrong afterwards
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
