package io.tributary.sink.message;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.function.BiPredicate;

/** A protocol whose rows lack some columns. Statements are as they are: they may have the names of these columns. */
public final class HiddenColumns implements MessageFormat {
    private final MessageFormat format;
    private final BiPredicate<TableName, String> hidden;

    /** @param hidden whether no message has a column of a table */
    public HiddenColumns(MessageFormat format, BiPredicate<TableName, String> hidden) {
        this.format = format;
        this.hidden = hidden;
    }

    @Override
    public RowFormat table(ChangeTable table, String topic) {
        return format.table(shown(table), topic);
    }

    @Override
    public boolean isPreparedInOrder() {
        return format.isPreparedInOrder();
    }

    private ChangeTable shown(ChangeTable table) {
        for (ChangeColumn column : table.handle()) {
            if (hidden.test(table.name(), column.name())) {
                throw new TributaryException(
                        ErrorCode.SINK_TABLE_UNFIT,
                        "table " + table.name() + ": expected that the columns of its key are sent, found the column "
                                + column.name() + " in sink.columns.hidden");
            }
        }
        return table.without(column -> hidden.test(table.name(), column.name()));
    }

    @Override
    public boolean definitionValue(ByteBuf out, ChangeTable table, RowPlace place) {
        return format.definitionValue(out, shown(table), place);
    }

    @Override
    public boolean hasStatements() {
        return format.hasStatements();
    }

    @Override
    public boolean statementKey(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        return format.statementKey(out, statement, table, place);
    }

    @Override
    public void statementValue(ByteBuf out, ChangeStatement statement, TableName table, RowPlace place) {
        format.statementValue(out, statement, table, place);
    }

    @Override
    public boolean hasWatermarks() {
        return format.hasWatermarks();
    }

    @Override
    public boolean watermarkKey(ByteBuf out, RowPlace place) {
        return format.watermarkKey(out, place);
    }

    @Override
    public void watermarkValue(ByteBuf out, RowPlace place) {
        format.watermarkValue(out, place);
    }
}
