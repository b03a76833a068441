package io.tributary.replay.row;

import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.stream.RowImages;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that were inserted into a table, as the newest binlog file of its server has them.
 *
 * @param shape of the last table map
 */
record LoggedImages(TableShape shape, List<Image> images) {
    /**
     * A row.
     *
     * @param view its event
     * @param at offset of its null bitmap
     * @param offsets of the values, and of the end
     */
    record Image(ByteBuffer view, int at, int[] offsets) {
        boolean isNull(int column) {
            return (view.get(at + column / 8) >> column % 8 & 1) != 0;
        }

        /** The stored bytes of a value with the length before it. */
        byte[] bytes(int column) {
            byte[] bytes = new byte[offsets[column + 1] - offsets[column]];
            view.get(offsets[column], bytes);
            return bytes;
        }
    }

    static LoggedImages of(MysqlServer server, String table) {
        List<Path> files = server.binlogFiles();
        List<Image> images = new ArrayList<>();
        TableShape shape = null;
        boolean isMapped = false;
        try (BinlogFile file = BinlogFile.open(files.get(files.size() - 1))) {
            for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                ByteBuffer bytes = event.bytes();
                if (event.type() == EventType.TABLE_MAP_EVENT) {
                    isMapped = TableMapEvent.table(bytes, 0).equals(table);
                    shape = isMapped ? TableShape.of(bytes, 0, bytes.limit()) : shape;
                } else if (isMapped && RowsEvent.isRows(event.type())) {
                    add(images, bytes, shape);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LoggedImages(shape, images);
    }

    private static void add(List<Image> images, ByteBuffer event, TableShape shape) {
        RowImages rows = new RowImages(shape);
        int next = RowsEvent.rowsAt(event, 0);
        while (next < event.limit()) {
            int[] offsets = new int[shape.columnCount() + 1];
            images.add(new Image(event, next, offsets));
            next = rows.end(event, next, event.limit(), offsets);
        }
    }
}
