package io.tributary.sink.simple;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.replay.row.JsonString;
import io.tributary.sink.message.ColumnJson;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the rows of a table. */
final class SimpleRows implements RowFormat {
    private final byte[] head;
    private final String version;
    private final List<SimpleColumn> columns;
    private final List<SimpleColumn> handle;
    private final ColumnJson json = new ColumnJson();

    SimpleRows(ChangeTable table) {
        String names = "{\"version\":1,\"database\":" + quoted(table.name().schema())
                + ",\"table\":" + quoted(table.name().table())
                + ",\"tableID\":" + SimpleSchema.tableId(table.name())
                + ",\"type\":\"";
        this.head = names.getBytes(StandardCharsets.UTF_8);
        this.version = ",\"schemaVersion\":" + SimpleSchema.version(table.definition());
        this.columns = table.columns().stream().map(SimpleColumn::new).toList();
        this.handle = table.handle().stream().map(SimpleColumn::new).toList();
    }

    private static String quoted(String text) {
        return new String(JsonString.quoted(text), StandardCharsets.UTF_8);
    }

    @Override
    public boolean key(ByteBuf out, RowChange row) {
        return false;
    }

    @Override
    public boolean value(ByteBuf out, RowChange row, RowPlace place) {
        begin(out, row.operation(), place);
        images(out, row, columns);
        return true;
    }

    @Override
    public boolean handleValue(ByteBuf out, RowChange row, RowPlace place, String location) {
        if (handle.isEmpty()) {
            return false;
        }
        begin(out, row.operation(), place);
        if (location.isEmpty()) {
            ByteBufUtil.writeAscii(out, ",\"handleKeyOnly\":true");
        } else {
            ByteBufUtil.writeAscii(out, ",\"claimCheckLocation\":");
            JsonString.quoted(out, location);
        }
        images(out, row, handle);
        return true;
    }

    private void begin(ByteBuf out, Operation operation, RowPlace place) {
        out.writeBytes(head);
        ByteBufUtil.writeAscii(out, operation.name());
        out.writeByte('"');
        SimpleFormat.times(out, place);
        ByteBufUtil.writeAscii(out, version);
    }

    private void images(ByteBuf out, RowChange row, List<SimpleColumn> of) {
        if (row.operation() != Operation.DELETE) {
            image(out, ",\"data\":{", row.after(), of);
        }
        if (row.operation() != Operation.INSERT) {
            image(out, ",\"old\":{", row.before(), of);
        }
        out.writeByte('}');
    }

    private void image(ByteBuf out, String name, RowImage image, List<SimpleColumn> of) {
        ByteBufUtil.writeAscii(out, name);
        for (int i = 0; i < of.size(); i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            of.get(i).append(out, image, json);
        }
        out.writeByte('}');
    }
}
