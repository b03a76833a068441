package io.tributary.sink.run;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import io.tributary.common.value.TableName;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.util.HexFormat;

/** A protocol for tests: {@code INSERT schema.table 1,a}, {@code UPDATE schema.table 1,a > 1,b}, {@code DDL text}, {@code UPTO gtid}. */
final class TextFormat implements MessageFormat {
    private final boolean hasKeys;

    TextFormat(boolean hasKeys) {
        this.hasKeys = hasKeys;
    }

    @Override
    public RowFormat table(ChangeTable table, String topic) {
        return new Rows(table, hasKeys);
    }

    private record Rows(ChangeTable table, boolean hasKeys) implements RowFormat {
        @Override
        public boolean key(ByteBuf out, RowChange row) {
            if (hasKeys) {
                values(out, row.newest(), table.handle());
            }
            return hasKeys;
        }

        @Override
        public boolean value(ByteBuf out, RowChange row, RowPlace place) {
            ByteBufUtil.writeUtf8(out, row.operation() + " " + table.name() + " ");
            if (row.operation() == Operation.UPDATE) {
                values(out, row.before(), table.columns());
                ByteBufUtil.writeUtf8(out, " > ");
            }
            values(out, row.newest(), table.columns());
            return true;
        }

        @Override
        public boolean handleValue(ByteBuf out, RowChange row, RowPlace place, String location) {
            ByteBufUtil.writeUtf8(out, "LARGE " + table.name() + " ");
            values(out, row.newest(), table.handle());
            ByteBufUtil.writeUtf8(out, " " + location);
            return true;
        }

        private static void values(ByteBuf out, RowImage image, Iterable<ChangeColumn> columns) {
            String comma = "";
            for (ChangeColumn column : columns) {
                ByteBufUtil.writeUtf8(out, comma);
                comma = ",";
                if (column.isNull(image)) {
                    ByteBufUtil.writeUtf8(out, "NULL");
                } else if (column.kind() == ValueKind.BYTES) {
                    ByteBufUtil.writeAscii(out, HexFormat.of().formatHex(column.bytes(image)));
                } else {
                    column.appendText(out, image);
                }
            }
        }
    }

    @Override
    public boolean hasStatements() {
        return true;
    }

    @Override
    public boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        return false;
    }

    @Override
    public void statementValue(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        ByteBufUtil.writeUtf8(out, "DDL " + statement.text());
    }

    @Override
    public boolean hasWatermarks() {
        return true;
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        return false;
    }

    @Override
    public void watermarkValue(ByteBuf out, RowPlace place) {
        ByteBufUtil.writeUtf8(out, "UPTO " + place.transaction().gtid());
    }
}
