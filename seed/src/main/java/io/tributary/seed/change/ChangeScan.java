package io.tributary.seed.change;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.mysql.protocol.client.EventConsumer;
import io.tributary.replay.stream.EventEnds;
import io.tributary.replay.stream.StreamStatement;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Reads the events of one binlog file and notes the last change of each wanted row. For one thread. */
final class ChangeScan implements EventConsumer {
    private final Map<TableName, WantedTable> wanted;
    private final String file;
    private final EventEnds ends = new EventEnds();
    private final Map<Long, ChangedTable> maps = new HashMap<>();
    private boolean hasBegun;
    private boolean isAtEnd;
    private long unread;
    private Sid sid;
    /** The transaction that is read. */
    private Gtid gtid;

    private long seconds;
    private long position;

    ChangeScan(Map<TableName, WantedTable> wanted, String file, boolean checksummed) {
        this.wanted = wanted;
        this.file = file;
        ends.begin(checksummed);
    }

    /** Whether the file was read to its end. */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /** Rows events that could not be decoded. */
    long unread() {
        return unread;
    }

    @Override
    public boolean event(ByteBuffer view, int at, int length) {
        int end = ends.of(view, at, length);
        int type = EventHeader.type(view, at);
        hasBegun |= type == EventType.FORMAT_DESCRIPTION_EVENT;
        switch (EventType.category(type)) {
            case ROTATE -> isAtEnd = hasBegun;
            case GTID -> gtid(view, at, end);
            case STATEMENT -> statement(view, at, end);
            case TABLE_MAP -> tableMap(view, at, end);
            case ROWS -> rows(view, at, end);
            default -> {
                // changes no row
            }
        }
        return !isAtEnd;
    }

    private void gtid(ByteBuffer view, int at, int end) {
        GtidEvent.check(view, at, end);
        sid = GtidEvent.sid(view, at, sid);
        gtid = new Gtid(sid, GtidEvent.gno(view, at));
        seconds = EventHeader.timestamp(view, at);
        position = EventHeader.logPos(view, at) - EventHeader.unsignedSize(view, at);
        maps.clear();
    }

    private KeyChange change(String kind) {
        return new KeyChange(gtid, kind, seconds, file, position);
    }

    private void statement(ByteBuffer view, int at, int end) {
        QueryEvent.check(view, at, end);
        if (QueryEvent.textIs(view, at, end, "BEGIN") || QueryEvent.textIs(view, at, end, "COMMIT")) {
            return;
        }
        StreamStatement statement = StreamStatement.of(view, at, end, false);
        StatementKind kind = statement.parsed().kind();
        boolean namesTables = kind == StatementKind.TABLE || kind == StatementKind.ROWS;
        if (!namesTables && !statement.dropsSchema()) {
            return;
        }
        for (TableName target : statement.targets()) {
            wanted.forEach((name, table) -> {
                if (namesTables ? target.equals(name) : target.schema().equals(name.schema())) {
                    table.all()
                            .forEach(row -> row.named(change(statement.parsed().verb())));
                }
            });
        }
    }

    private void tableMap(ByteBuffer view, int at, int end) {
        TableMapEvent.check(view, at, end);
        WantedTable table = wanted.get(new TableName(TableMapEvent.schema(view, at), TableMapEvent.table(view, at)));
        long id = TableMapEvent.tableId(view, at);
        if (table == null || !table.isWanted()) {
            maps.remove(id);
        } else {
            maps.put(id, new ChangedTable(table, TableShape.of(view, at, end)));
        }
    }

    private void rows(ByteBuffer view, int at, int end) {
        RowsEvent.check(view, at, end);
        ChangedTable table = maps.get(RowsEvent.tableId(view, at));
        if (table == null) {
            return;
        }
        KeyChange change =
                change(RowsEvent.isWrite(view, at) ? "insert" : RowsEvent.isUpdate(view, at) ? "update" : "delete");
        if (!table.read(view, at, end, change)) {
            unread++;
        }
    }
}
