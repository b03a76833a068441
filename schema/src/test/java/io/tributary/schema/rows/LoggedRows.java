package io.tributary.schema.rows;

import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Table maps and rows events of a server's newest binlog file, by table. */
public final class LoggedRows {
    /**
     * The rows events of a table.
     *
     * @param map the last table map
     * @param shape of that
     * @param events in order, without checksums
     */
    public record Table(ByteBuffer map, TableShape shape, List<ByteBuffer> events) {}

    private LoggedRows() {}

    /** The rows events since the beginning of the newest file. */
    public static Map<String, Table> read(MysqlServer server) {
        List<Path> files = server.binlogFiles();
        Map<String, Table> tables = new LinkedHashMap<>();
        Map<Long, String> names = new HashMap<>();
        try (BinlogFile file = BinlogFile.open(files.get(files.size() - 1))) {
            for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                ByteBuffer bytes = event.bytes();
                if (event.type() == EventType.TABLE_MAP_EVENT) {
                    TableMapEvent.check(bytes, 0, bytes.limit());
                    TableShape shape = TableShape.of(bytes, 0, bytes.limit());
                    Table before = tables.get(shape.table());
                    List<ByteBuffer> events = before == null ? new ArrayList<>() : before.events();
                    tables.put(shape.table(), new Table(bytes, shape, events));
                    names.put(TableMapEvent.tableId(bytes, 0), shape.table());
                } else if (RowsEvent.isRows(event.type())) {
                    RowsEvent.check(bytes, 0, bytes.limit());
                    tables.get(names.get(RowsEvent.tableId(bytes, 0))).events().add(bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tables;
    }

    /** The bitmap of columns and the rows of an event, as bytes. */
    public static ByteBuffer rows(ByteBuffer event) {
        int from = RowsEvent.columnsAt(event, 0);
        return event.slice(from, event.limit() - from);
    }

    /** The event that a reshaper writes. */
    public static ByteBuffer reshaped(RowReshaper reshaper, ByteBuffer event, ReshapePlan.Total plan) {
        ByteBuffer[] result = {ByteBuffer.allocate(0)};
        long length = reshaper.reshape(event, plan, 7, (view, from, to) -> {
            ByteBuffer joined = ByteBuffer.allocate(result[0].limit() + to - from);
            joined.put(0, result[0], 0, result[0].limit());
            joined.put(result[0].limit(), view, from, to - from);
            result[0] = joined;
        });
        if (length != result[0].limit()) {
            throw new AssertionError("length " + length + ", written " + result[0].limit());
        }
        RowsEvent.check(result[0], 0, result[0].limit());
        return result[0];
    }
}
