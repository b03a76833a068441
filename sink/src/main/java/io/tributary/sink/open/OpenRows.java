package io.tributary.sink.open;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.sink.message.ColumnJson;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.util.List;

/** Writes the rows of a table. */
final class OpenRows implements RowFormat {
    private final ChangeTable table;
    private final List<OpenColumn> columns;
    private final List<OpenColumn> handle;
    private final ColumnJson json = new ColumnJson();

    OpenRows(ChangeTable table) {
        this.table = table;
        this.columns = table.columns().stream()
                .map(column -> new OpenColumn(table, column))
                .toList();
        this.handle = columns.stream().filter(OpenColumn::isHandle).toList();
    }

    @Override
    public boolean key(ByteBuf out, RowChange row) {
        return false;
    }

    @Override
    public boolean key(ByteBuf out, RowChange row, RowPlace place) {
        OpenEvent.key(out, place, table.name(), OpenEvent.ROW);
        return true;
    }

    @Override
    public boolean value(ByteBuf out, RowChange row, RowPlace place) {
        write(out, row, columns);
        return true;
    }

    @Override
    public boolean handleKey(ByteBuf out, RowChange row, RowPlace place, String location) {
        OpenEvent.handleKey(out, place, table.name(), location);
        return true;
    }

    @Override
    public boolean handleValue(ByteBuf out, RowChange row, RowPlace place, String location) {
        if (handle.isEmpty()) {
            return false;
        }
        write(out, row, handle);
        return true;
    }

    private void write(ByteBuf out, RowChange row, List<OpenColumn> of) {
        int from = OpenEvent.beginPart(out);
        out.writeByte('{');
        if (row.operation() == Operation.DELETE) {
            image(out, 'd', row.before(), of);
        } else {
            image(out, 'u', row.after(), of);
        }
        if (row.operation() == Operation.UPDATE) {
            out.writeByte(',');
            image(out, 'p', row.before(), of);
        }
        out.writeByte('}');
        OpenEvent.endPart(out, from);
    }

    private void image(ByteBuf out, char name, RowImage image, List<OpenColumn> of) {
        out.writeByte('"').writeByte(name).writeByte('"').writeByte(':').writeByte('{');
        for (int i = 0; i < of.size(); i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            of.get(i).append(out, image, json);
        }
        out.writeByte('}');
    }
}
