package io.tributary.node.command.log;

import io.netty.buffer.ByteBuf;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeLiterals;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.changes.RowImage;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.sql.SqlNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the statements that undo changes of rows of one table with one definition. For one thread. */
final class UndoStatement {
    private final List<ChangeColumn> written;
    private final List<ChangeColumn> key;
    private final ChangeLiterals literals;
    private final String name;

    /** @throws io.tributary.common.error.TributaryException TARGET_UNFIT for a column of a type of which no literal can be written */
    UndoStatement(ChangeTable table) {
        this.written = table.columns().stream()
                .filter(column -> column.definition().generation().isEmpty())
                .toList();
        this.key = table.handle();
        this.literals = new ChangeLiterals(table);
        this.name = SqlNames.name(table.name());
    }

    /** Appends the statement without its end; nothing if the row did not change. */
    void append(ByteBuf out, RowChange row) {
        switch (row.operation()) {
            case INSERT -> delete(out, row.after());
            case DELETE -> insert(out, row.before());
            case UPDATE -> update(out, row.before(), row.after());
        }
    }

    private void insert(ByteBuf out, RowImage row) {
        add(
                out,
                "INSERT INTO " + name
                        + written.stream()
                                .map(column -> SqlNames.name(column.name()))
                                .collect(Collectors.joining(", ", " (", ") VALUES (")));
        for (int i = 0; i < written.size(); i++) {
            add(out, i == 0 ? "" : ", ");
            literals.append(out, written.get(i), row);
        }
        add(out, ")");
    }

    private void delete(ByteBuf out, RowImage row) {
        add(out, "DELETE FROM " + name);
        condition(out, row);
    }

    private void update(ByteBuf out, RowImage before, RowImage after) {
        List<ChangeColumn> changed = written.stream()
                .filter(column -> isChanged(column, before, after))
                .toList();
        if (changed.isEmpty()) {
            return;
        }
        String separator = "UPDATE " + name + " SET ";
        for (ChangeColumn column : written) {
            // a column that the server sets itself is always named, so that it gets the value before
            if (changed.contains(column) || !column.definition().onUpdate().isEmpty()) {
                add(out, separator + SqlNames.name(column.name()) + " = ");
                literals.append(out, column, before);
                separator = ", ";
            }
        }
        condition(out, after);
    }

    /** Whether an update has changed the value of a column. */
    static boolean isChanged(ChangeColumn column, RowImage before, RowImage after) {
        if (column.isNull(before) || column.isNull(after)) {
            return column.isNull(before) != column.isNull(after);
        }
        ByteBuffer one = before.view().slice(column.at(before), column.length(before));
        return !one.equals(after.view().slice(column.at(after), column.length(after)));
    }

    private void condition(ByteBuf out, RowImage row) {
        boolean hasKey = !key.isEmpty();
        String separator = " WHERE ";
        for (ChangeColumn column : hasKey ? key : written) {
            add(out, separator + SqlNames.name(column.name()) + (hasKey ? " = " : " <=> "));
            literals.append(out, column, row);
            if (!hasKey && isText(column) && !column.isNull(row)) { // equal in its collation is not the same
                add(out, " AND CAST(" + SqlNames.name(column.name()) + " AS BINARY) = CAST(CONVERT(");
                literals.append(out, column, row);
                add(out, " USING " + column.type().charset() + ") AS BINARY)");
            }
            separator = " AND ";
        }
        add(out, hasKey ? "" : " LIMIT 1");
    }

    private static boolean isText(ChangeColumn column) {
        SqlType type = column.type();
        return type.isCharacter() && !type.hasValues() && !type.charset().isEmpty();
    }

    private static void add(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
    }
}
