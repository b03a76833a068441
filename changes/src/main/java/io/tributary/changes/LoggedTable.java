package io.tributary.changes;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.PackedInteger;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.OptionalMetadata;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.write.Metadata;
import io.tributary.schema.write.TableMap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A table as a checked table map describes it. Immutable; the event must not change meanwhile. */
final class LoggedTable {
    private static final int MOST_DIGITS = 65;
    private static final int MOST_FRACTION = 6;

    private final ByteBuffer view;
    private final int at;
    private final int end;
    private final TableShape shape;
    private final boolean saysCharsets;

    /** @throws TributaryException EVENT_MALFORMED */
    LoggedTable(ByteBuffer view, int at, int end) {
        this.view = view;
        this.at = at;
        this.end = end;
        this.shape = TableShape.of(view, at, end);
        boolean hasGeometry = false;
        for (int i = 0; i < shape.columnCount(); i++) {
            hasGeometry |= shape.type(i) == ColumnType.MYSQL_TYPE_GEOMETRY;
            requireType(i);
        }
        // MariaDB, which does not write visibility, counts geometries among the columns with characters
        this.saysCharsets = !hasGeometry || field(OptionalMetadata.COLUMN_VISIBILITY) >= 0;
    }

    /** Rejects metadata that no column has, on which the decoding of values relies. */
    private void requireType(int column) {
        int metadata = shape.metadata(column);
        int low = metadata & 0xff;
        int high = metadata >> 8;
        boolean isPossible = switch (shape.type(column)) {
            case ColumnType.MYSQL_TYPE_NEWDECIMAL -> low > 0 && low <= MOST_DIGITS && high <= low;
            case ColumnType.MYSQL_TYPE_TIME2, ColumnType.MYSQL_TYPE_DATETIME2, ColumnType.MYSQL_TYPE_TIMESTAMP2 ->
                metadata <= MOST_FRACTION;
            case ColumnType.MYSQL_TYPE_BIT -> {
                int bits = high * Byte.SIZE + low;
                yield low < Byte.SIZE && bits > 0 && bits <= Long.SIZE;
            }
            case ColumnType.MYSQL_TYPE_ENUM -> metadata == 1 || metadata == 2;
            case ColumnType.MYSQL_TYPE_SET -> metadata > 0 && metadata <= Long.BYTES;
            default -> true;
        };
        if (!isPossible) {
            throw Malformed.event(
                    view,
                    at,
                    "metadata of a column",
                    metadata + " of type " + shape.type(column) + ", column " + column);
        }
    }

    TableShape shape() {
        return shape;
    }

    private int field(int type) {
        return OptionalMetadata.find(view, TableMapEvent.optionalAt(view, at), end, type);
    }

    /** Whether it names the columns (binlog_row_metadata=FULL), so that {@link #definition} is possible. */
    boolean namesColumns() {
        return shape.columnCount() > 0 && !shape.name(shape.columnCount() - 1).isEmpty();
    }

    /**
     * Whether rows have the columns of a definition: their types and whether they allow NULL, which each table map has, and what else it says of them.
     * MariaDB's rows have hidden columns after these.
     */
    boolean hasColumnsOf(TableDefinition definition) {
        if (!hasTypesOf(definition, false) && !hasTypesOf(definition, true)) {
            return false;
        }
        List<Column> columns = definition.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (!new LoggedColumn(shape, i, saysCharsets).isLike(columns.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean hasTypesOf(TableDefinition definition, boolean isMariadb) {
        byte[] body;
        try {
            body = TableMap.body(definition, new Metadata(Metadata.Kind.NONE, isMariadb, 0));
        } catch (IllegalArgumentException e) { // a type of another product
            return false;
        }
        int from = TableMapEvent.bodyAt(view, at);
        if (body.length != TableMapEvent.optionalAt(view, at) - from) {
            return false;
        }
        for (int i = 0; i < body.length; i++) {
            if (body[i] != view.get(from + i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A definition with the columns of the rows and the key that the table map names. A column is that of the other definition with the same name, if
     * its values are the same; otherwise its default and comment are not known.
     *
     * @param other such as one before or after a schema change
     * @throws TributaryException EVENT_MALFORMED
     * @throws IllegalArgumentException for a type or a collation that is not known
     */
    TableDefinition definition(TableName name, Optional<TableDefinition> other) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < shape.columnCount(); i++) {
            LoggedColumn logged = new LoggedColumn(shape, i, saysCharsets);
            Optional<Column> same =
                    other.flatMap(one -> one.column(logged.shape().name(logged.index())));
            columns.add(same.filter(column -> isSame(column, logged)).orElseGet(logged::column));
        }
        String collation = other.map(TableDefinition::collation).orElse("");
        return new TableDefinition(name, columns, key(columns, other), TableConstraints.NONE, collation);
    }

    private boolean isSame(Column column, LoggedColumn logged) {
        TableDefinition alone =
                new TableDefinition(new TableName("", ""), List.of(column), List.of(), TableConstraints.NONE, "");
        byte[] body;
        try {
            body = TableMap.body(alone, new Metadata(Metadata.Kind.NONE, false, 0));
        } catch (IllegalArgumentException e) { // a type of another product
            return false;
        }
        ByteBuffer map = TableMapEvent.withBody(view, at, new byte[0], new byte[0], body);
        TableShape one = TableShape.of(map, 0, map.limit());
        return one.type(0) == shape.type(logged.index())
                && one.metadata(0) == shape.metadata(logged.index())
                && one.isNullable(0) == shape.isNullable(logged.index())
                && logged.isLike(column);
    }

    /** The key by which the server identifies rows: the primary key, or a unique key of NOT NULL columns. */
    private List<TableKey> key(List<Column> columns, Optional<TableDefinition> other) {
        int simple = field(OptionalMetadata.SIMPLE_PRIMARY_KEY);
        int prefixed = field(OptionalMetadata.PRIMARY_KEY_WITH_PREFIX);
        int field = Math.max(simple, prefixed);
        if (field < 0) {
            return List.of();
        }
        List<KeyPart> parts = new ArrayList<>();
        int fieldEnd = OptionalMetadata.next(view, field);
        for (int next = OptionalMetadata.valueAt(view, field); next < fieldEnd; ) {
            long column = PackedInteger.get(view, next);
            next = PackedInteger.end(view, next);
            long prefix = field == prefixed && next < fieldEnd ? PackedInteger.get(view, next) : 0;
            next = field == prefixed && next < fieldEnd ? PackedInteger.end(view, next) : next;
            if (column < 0 || column >= columns.size() || prefix < 0 || prefix > Integer.MAX_VALUE) {
                throw Malformed.event(view, at, "a key of its columns", "column " + column + ", prefix " + prefix);
            }
            parts.add(KeyPart.of(columns.get((int) column).name()).withPrefix((int) prefix));
        }
        boolean isUnique = other.isPresent() && other.get().primaryKey().isEmpty();
        TableKey.Kind kind = isUnique ? TableKey.Kind.UNIQUE : TableKey.Kind.PRIMARY;
        return List.of(new TableKey(kind, isUnique ? "logged" : TableKey.PRIMARY_NAME, parts, true));
    }
}
