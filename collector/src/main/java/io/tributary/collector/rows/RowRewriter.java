package io.tributary.collector.rows;

import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.store.PayloadAppender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a new payload from one whose rows are not all written as they are. The rows of some tables are left out with their table maps, those of
 * others get another logical name. This is rare; each event is copied once.
 */
public final class RowRewriter {

    private final CollectorStore store;
    private final Reshaping reshaping;
    private final PayloadAppender appender;
    private final List<TableRef> tables = new ArrayList<>();
    private long tableIds;

    RowRewriter(CollectorStore store, Reshaping reshaping) {
        this.store = store;
        this.reshaping = reshaping;
        this.appender = store.appender().get();
    }

    /**
     * The payload without the rows that the rules leave out.
     *
     * @param payload stays the caller's
     * @param rules by table id
     * @return empty if nothing remains
     */
    Payload rewritten(Payload payload, Map<Long, TableChange> rules) {
        tables.clear();
        BitSet kept = new BitSet();
        BitSet ends = new BitSet();
        plan(payload, rules, kept, ends);
        Map<Long, TableRef> renamed = new HashMap<>();
        try (PayloadEvents events = new PayloadEvents(payload)) {
            for (int place = 0; events.next(); place++) {
                if (kept.get(place)) {
                    append(events, rules, renamed, ends.get(place));
                }
            }
        }
        return appender.finish();
    }

    /** The tables to which the last call of {@link #rewritten} has given other table maps. */
    List<TableRef> changedTables() {
        return List.copyOf(tables);
    }

    /** Determines which events are kept, and which of them end a statement: the last rows event of each statement that is kept. */
    private static void plan(Payload payload, Map<Long, TableChange> rules, BitSet kept, BitSet ends) {
        try (PayloadEvents events = new PayloadEvents(payload)) {
            List<Integer> heads = new ArrayList<>(); // rows-query texts, which stay with the statement's rows
            int lastRows = -1;
            for (int place = 0; events.next(); place++) {
                int type = events.type();
                if (RowsEvent.isRows(type)) {
                    if (!isLeftOut(rules.get(RowsEvent.tableId(events.head(), 0)))) {
                        kept.set(place);
                        lastRows = place;
                        heads.forEach(kept::set);
                        heads.clear();
                    }
                    if ((RowsEvent.flags(events.head(), 0) & RowsEvent.STMT_END_F) != 0) {
                        if (lastRows >= 0) {
                            ends.set(lastRows);
                        }
                        lastRows = -1;
                        heads.clear();
                    }
                } else if (type == EventType.TABLE_MAP_EVENT) {
                    if (!isLeftOut(rules.get(TableMapEvent.tableId(events.head(), 0)))) {
                        heads.add(place);
                    }
                } else {
                    heads.add(place);
                }
            }
        }
    }

    private static boolean isLeftOut(TableChange rule) {
        return rule != null && rule.isLeftOut();
    }

    private void append(
            PayloadEvents events, Map<Long, TableChange> rules, Map<Long, TableRef> renamed, boolean endsStatement) {
        ByteBuffer head = events.head();
        int type = events.type();
        if (type == EventType.TABLE_MAP_EVENT) {
            long id = TableMapEvent.tableId(head, 0);
            TableChange rule = rules.get(id);
            if (rule == null) {
                events.appendTo(appender);
            } else if (rule.reshape() != null) {
                appendMap(events.head(), rule.reshape());
            } else {
                renamed.put(id, appendRenamed(events.copy(), rule));
            }
            return;
        }
        if (RowsEvent.isRows(type)) {
            TableRef other = renamed.get(RowsEvent.tableId(head, 0));
            if (other != null) {
                RowsEvent.setTableId(head, 0, other.id());
            }
            if (endsStatement) {
                RowsEvent.setFlags(head, 0, RowsEvent.flags(head, 0) | RowsEvent.STMT_END_F);
            }
            TableChange rule = rules.get(RowsEvent.tableId(head, 0));
            if (rule != null && rule.reshape() != null) {
                appendRows(events.copy(), rule.reshape());
                return;
            }
        }
        events.appendTo(appender);
    }

    private void appendMap(ByteBuffer source, Reshape reshape) {
        ByteBuffer event = ByteBuffer.allocate(reshape.map().limit());
        event.put(0, reshape.map(), 0, event.limit());
        EventHeader.setTimestamp(event, 0, EventHeader.timestamp(source, 0));
        tableIds = Math.max(tableIds, reshape.target().id());
        tables.add(reshape.target());
        appender.append(event, 0, event.limit());
    }

    /** The event is in one buffer, because the appender needs all of it from the first part to the last. */
    private void appendRows(ByteBuffer event, Reshape reshape) {
        List<ByteBuffer> pieces = new ArrayList<>();
        reshaping.rows(event, reshape, (view, from, to) -> {
            ByteBuffer piece = ByteBuffer.allocate(to - from);
            piece.put(0, view, from, to - from);
            pieces.add(piece);
        });
        ByteBuffer whole = pieces.size() == 1 ? pieces.get(0) : joined(pieces);
        appender.append(whole, 0, whole.limit());
    }

    private static ByteBuffer joined(List<ByteBuffer> pieces) {
        int length = pieces.stream().mapToInt(ByteBuffer::limit).sum();
        ByteBuffer whole = ByteBuffer.allocate(length);
        int at = 0;
        for (ByteBuffer piece : pieces) {
            whole.put(at, piece, 0, piece.limit());
            at += piece.limit();
        }
        return whole;
    }

    private TableRef appendRenamed(ByteBuffer map, TableChange rule) {
        byte[] schema = rule.name().schema().getBytes(StandardCharsets.UTF_8);
        byte[] table = rule.name().table().getBytes(StandardCharsets.UTF_8);
        ByteBuffer event = TableMapEvent.renamed(map, 0, map.limit(), schema, table);
        TableRef ref = store.shapes().table(event, 0, event.capacity(), rule.name());
        tableIds = Math.max(tableIds, ref.id());
        tables.add(ref);
        TableMapEvent.setTableId(event, 0, ref.id());
        EventHeader.setServerId(event, 0, EventHeader.serverId(map, 0));
        EventHeader.setLogPos(event, 0, 0);
        appender.append(event, 0, event.capacity());
        return ref;
    }

    /** The highest table id that a renamed table got; 0 while there is none. */
    long tableIds() {
        return tableIds;
    }

    /** The events after the statements of a payload: the rows of CREATE TABLE ... SELECT; empty if there are none. */
    public Payload rowsAfter(Payload payload, int statements) {
        try (PayloadEvents events = new PayloadEvents(payload)) {
            for (int place = 0; events.next(); place++) {
                if (place >= statements) {
                    events.appendTo(appender);
                }
            }
        }
        return appender.finish();
    }

    /** A statement's event as a payload. */
    public Payload statement(ByteBuffer event) {
        int length = event.remaining();
        appender.append(event, event.position(), length);
        return appender.finish();
    }

    void close() {
        appender.close();
    }
}
