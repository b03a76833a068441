package io.tributary.sink.simple;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.value.TableName;
import io.tributary.replay.row.JsonString;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.sink.message.DdlAction;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.message.RowFormat;
import io.tributary.sink.message.RowPlace;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * TiCDC's simple protocol, version 1, in JSON (TiCDC manual, "TiCDC Simple Protocol"). Messages have no key. Rows name the version of their schema, which
 * DDL messages and {@link #definitionValue BOOTSTRAP messages} contain. {@code commitTs} is the number of the transaction in the global order.
 *
 * <p>A DDL message has the schema before the statement if this process has read rows or a statement of the table before.
 */
public final class SimpleFormat implements MessageFormat {
    private final Map<TableName, TableDefinition> newest = new ConcurrentHashMap<>();

    @Override
    public RowFormat table(ChangeTable table, String topic) {
        newest.put(table.name(), table.definition());
        return new SimpleRows(table);
    }

    @Override
    public boolean definitionValue(ByteBuf out, ChangeTable table, RowPlace place) {
        ByteBufUtil.writeAscii(
                out, "{\"version\":1,\"type\":\"BOOTSTRAP\",\"commitTs\":0,\"buildTs\":" + place.builtMillis());
        ByteBufUtil.writeAscii(out, ",\"tableSchema\":");
        SimpleSchema.append(out, table.definition());
        out.writeByte('}');
        return true;
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
        DdlAction action = DdlAction.of(statement);
        ByteBufUtil.writeAscii(out, "{\"version\":1,\"type\":\"" + action.word() + "\",\"sql\":");
        JsonString.quoted(out, statement.text());
        times(out, place);
        Optional<TableDefinition> after = statement.tables().stream()
                .filter(definition -> definition.name().equals(table))
                .findFirst();
        TableDefinition before = action == DdlAction.CREATE_TABLE ? null : newest.get(table);
        after.ifPresent(definition -> {
            ByteBufUtil.writeAscii(out, ",\"tableSchema\":");
            SimpleSchema.append(out, definition);
        });
        if (before != null) {
            ByteBufUtil.writeAscii(out, ",\"preTableSchema\":");
            SimpleSchema.append(out, before);
        }
        out.writeByte('}');
        newest.compute(table, (name, known) -> after.orElse(null));
    }

    /** Appends the times of a message that is not the first one. */
    static void times(ByteBuf out, RowPlace place) {
        ByteBufUtil.writeAscii(
                out, ",\"commitTs\":" + place.transaction().gtid().gno() + ",\"buildTs\":" + place.builtMillis());
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
        ByteBufUtil.writeAscii(out, "{\"version\":1,\"type\":\"WATERMARK\"");
        times(out, place);
        out.writeByte('}');
    }
}
