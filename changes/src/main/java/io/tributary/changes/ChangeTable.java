package io.tributary.changes;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.stream.RowImages;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A table with one definition, prepared for the decoding of its rows. Immutable; compared by identity. */
public final class ChangeTable {
    private static final int[] NO_OFFSETS = new int[0];

    private final TableDefinition definition;
    private final long version;
    private final RowImages images;
    private final TableShape shape;
    private final List<ChangeColumn> columns;
    private final List<ChangeColumn> handle;

    /**
     * Prepares a table.
     *
     * @param definition its first columns are those of the shape; a shape may have hidden columns after them
     * @param shape the columns as rows have them
     * @param version a number that another definition of any table does not have
     */
    ChangeTable(TableDefinition definition, TableShape shape, long version) {
        this(definition, shape, version, false);
    }

    private ChangeTable(TableDefinition definition, TableShape shape, long version, boolean isSelected) {
        this.definition = definition;
        this.version = version;
        this.images = new RowImages(shape);
        this.shape = shape;
        List<ChangeColumn> all = new ArrayList<>();
        for (int i = 0; i < definition.columns().size(); i++) {
            all.add(new ChangeColumn(definition.columns().get(i), shape, i, isSelected));
        }
        this.columns = List.copyOf(all);
        this.handle = handleKey(definition)
                .map(key -> key.parts().stream()
                        .map(part -> all.get(definition.indexOf(part.column())))
                        .toList())
                .orElse(List.of());
    }

    /** The same for rows that were selected, whose JSON values are texts. */
    static ChangeTable selected(TableDefinition definition, TableShape shape, long version) {
        return new ChangeTable(definition, shape, version, true);
    }

    private ChangeTable(ChangeTable whole, TableDefinition definition, List<ChangeColumn> columns) {
        this.definition = definition;
        this.version = whole.version;
        this.images = whole.images;
        this.shape = whole.shape;
        this.columns = columns;
        this.handle = whole.handle;
    }

    /** The same table without some of its columns; its keys are those that have none of them. The columns of the handle key must stay. */
    public ChangeTable without(Predicate<ChangeColumn> hidden) {
        List<ChangeColumn> kept = columns.stream().filter(hidden.negate()).toList();
        if (kept.size() == columns.size()) {
            return this;
        }
        List<Column> definitions = kept.stream().map(ChangeColumn::definition).toList();
        List<TableKey> keys = definition.keys().stream()
                .filter(key -> key.parts().stream()
                        .allMatch(part -> !part.isExpression()
                                && definitions.stream()
                                        .anyMatch(column -> column.name().equalsIgnoreCase(part.column()))))
                .toList();
        return new ChangeTable(
                this,
                new TableDefinition(
                        definition.name(), definitions, keys, TableConstraints.NONE, definition.collation()),
                kept);
    }

    /** The primary key, otherwise the unique key of whole NOT NULL columns with the fewest columns, the first one of these. */
    static Optional<TableKey> handleKey(TableDefinition definition) {
        Optional<TableKey> primary = definition.primaryKey();
        return primary.isPresent()
                ? primary
                : definition.keys().stream()
                        .filter(key -> identifies(definition, key))
                        .min(Comparator.comparingInt(key -> key.parts().size()));
    }

    private static boolean identifies(TableDefinition definition, TableKey key) {
        return key.kind() == TableKey.Kind.UNIQUE
                && !definition.isByHash(key)
                && key.parts().stream().allMatch(part -> isWhole(definition, part));
    }

    private static boolean isWhole(TableDefinition definition, KeyPart part) {
        return !part.isExpression()
                && part.prefix() == 0
                && definition
                        .column(part.column())
                        .filter(column -> !column.nullable())
                        .isPresent();
    }

    public TableName name() {
        return definition.name();
    }

    public TableDefinition definition() {
        return definition;
    }

    /** A number that no other definition of any table has in this process. */
    public long version() {
        return version;
    }

    /** Its columns, in order. */
    public List<ChangeColumn> columns() {
        return columns;
    }

    /** The column with a name, case-insensitive. */
    public Optional<ChangeColumn> column(String name) {
        int index = definition.indexOf(name);
        return index < 0 ? Optional.empty() : Optional.of(columns.get(index));
    }

    /** The columns whose values identify a row, in the order of their key; empty if the table has no such key. */
    public List<ChangeColumn> handle() {
        return handle;
    }

    /**
     * The number of rows of an event.
     *
     * @param at offset of a checked rows event of the table
     * @param end offset after its last row
     * @throws TributaryException REPLAY_FAILED if its images lack columns; EVENT_MALFORMED
     */
    public int rows(ByteBuffer view, int at, int end) {
        requireWhole(view, at);
        int each = RowsEvent.isUpdate(view, at) ? 2 : 1;
        int found = 0;
        int next = RowsEvent.rowsAt(view, at);
        while (next < end && images.columns() > 0) {
            next = images.end(view, next, end, NO_OFFSETS);
            found++;
        }
        return found / each;
    }

    /** Rejects a checked rows event whose images do not have all columns of the table. */
    void requireWhole(ByteBuffer view, int at) {
        int type = EventHeader.type(view, at);
        int columns = RowsEvent.columnCount(view, at);
        if (columns != images.columns()) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED,
                    "rows of " + name() + ": expected " + images.columns() + " columns as in the table map, found "
                            + columns);
        }
        if (RowsEvent.isPartial(type) || !RowsEvent.hasAllColumns(view, at)) {
            throw new TributaryException(
                    ErrorCode.REPLAY_FAILED,
                    "rows of " + name() + ": expected all columns in all images (binlog_row_image=FULL,"
                            + " binlog_row_value_options=''), found " + EventType.name(type) + " that lacks some");
        }
    }

    /** Its columns as rows have them. */
    TableShape shape() {
        return shape;
    }

    RowImages images() {
        return images;
    }

    /** Whether a column is one of the definition's primary key. */
    public boolean isPrimary(Column column) {
        return definition.primaryKey().stream()
                .flatMap(key -> key.parts().stream())
                .anyMatch(part -> part.column().equalsIgnoreCase(column.name()));
    }
}
