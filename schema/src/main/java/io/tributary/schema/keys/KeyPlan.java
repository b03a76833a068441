package io.tributary.schema.keys;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.write.TableMap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Where the keys of a table are in the rows of one table map. Immutable, for any thread. */
public final class KeyPlan {
    private final long tableId;
    private final TableKeys.Kind kind;
    final long lock;

    /** By {@link TableShape#width}. */
    final int[] widths;

    /** The number of JSON columns, for partial updates. */
    final int jsonColumns;

    final PlannedKey[] keys;

    /** The keys of whole tables that a transaction shares because some of its values may have no form. */
    final long[] sharedLocks;

    /** A key with the columns' indexes in the row. */
    static final class PlannedKey {
        final long seed;
        final long flags;
        final long lock;
        final int[] columns;
        final KeyForm[] forms;
        final int[] prefixes;

        private PlannedKey(HashedKey key, TableDefinition table) {
            List<HashedColumn> parts = key.columns();
            seed = key.seed();
            flags = key.mode().flags;
            lock = key.lock();
            columns =
                    parts.stream().mapToInt(part -> table.indexOf(part.name())).toArray();
            forms = parts.stream().map(HashedColumn::form).toArray(KeyForm[]::new);
            prefixes = parts.stream().mapToInt(HashedColumn::prefix).toArray();
        }
    }

    private KeyPlan(long tableId, TableKeys of, TableDefinition table, TableShape rows) {
        this.tableId = tableId;
        this.kind = of.kind();
        this.lock = of.lock();
        int columns = rows == null ? 0 : rows.columnCount();
        this.widths = new int[columns];
        int json = 0;
        for (int i = 0; i < columns; i++) {
            widths[i] = rows.width(i);
            json += rows.type(i) == ColumnType.MYSQL_TYPE_JSON ? 1 : 0;
        }
        this.jsonColumns = json;
        this.keys = rows == null
                ? new PlannedKey[0]
                : of.keys().stream().map(key -> new PlannedKey(key, table)).toArray(PlannedKey[]::new);
        this.sharedLocks = of.keys().stream()
                .filter(HashedKey::mayBeUnhashable)
                .mapToLong(HashedKey::lock)
                .distinct()
                .toArray();
    }

    /** The plan of a table whose transactions are compared without its rows. */
    private static KeyPlan withoutRows(long tableId, TableKeys.Kind kind, TableKeys of) {
        return new KeyPlan(tableId, new TableKeys(kind, of.lock(), List.of()), null, null);
    }

    /**
     * The plan for the rows of one table map, which is compared with the one that a server would write for the definition.
     *
     * @param of the keys of its table
     * @param table its definition; empty if it is not known
     * @param map the table map, from 0 to its limit, without checksum
     */
    public static KeyPlan of(long tableId, TableKeys of, Optional<TableDefinition> table, ByteBuffer map) {
        return of(tableId, of, table, TableShape.of(map, 0, map.limit()), table.flatMap(each -> expected(map, each)));
    }

    private static Optional<TableShape> expected(ByteBuffer map, TableDefinition definition) {
        try {
            ByteBuffer rendered = TableMap.like(map, definition, definition.name());
            return Optional.of(TableShape.of(rendered, 0, rendered.limit()));
        } catch (IllegalArgumentException e) { // a type or collation of a later server: its transactions are alone
            return Optional.empty();
        }
    }

    /**
     * The plan for the rows of one table map.
     *
     * @param of the keys of its table
     * @param table its definition; empty if it is not known
     * @param rows the columns of the table map
     * @param expected the columns of a table map of the definition; empty if it cannot be written
     */
    public static KeyPlan of(
            long tableId,
            TableKeys of,
            Optional<TableDefinition> table,
            TableShape rows,
            Optional<TableShape> expected) {
        if (table.isEmpty() || of.kind() == TableKeys.Kind.ALONE) {
            return withoutRows(tableId, of.kind(), of);
        }
        boolean needsRows = !of.keys().isEmpty();
        if (!needsRows) {
            return withoutRows(tableId, of.kind(), of);
        }
        KeyPlan plan = new KeyPlan(tableId, of, table.get(), rows);
        return expected.isPresent() && plan.fits(table.get(), rows, expected.get())
                ? plan
                : withoutRows(tableId, TableKeys.Kind.ALONE, of);
    }

    /** Whether the rows have the values of the keys where, and as, the definition has them. */
    private boolean fits(TableDefinition table, TableShape rows, TableShape expected) {
        if (rows.columnCount() != expected.columnCount()
                || Arrays.stream(widths).anyMatch(width -> width == TableShape.UNKNOWN_WIDTH)) {
            return false;
        }
        for (PlannedKey key : keys) {
            for (int i = 0; i < key.columns.length; i++) {
                int column = key.columns[i];
                if (column < 0 || !isSame(table, rows, expected, column) || !hasWidth(key.forms[i], widths[column])) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isSame(TableDefinition table, TableShape rows, TableShape expected, int column) {
        String name = rows.name(column);
        boolean isNamed = name.isEmpty()
                || name.equalsIgnoreCase(table.columns().get(column).name());
        boolean isSameType =
                rows.type(column) == expected.type(column) && rows.metadata(column) == expected.metadata(column);
        boolean haveSigns = rows.saysSigns() && expected.saysSigns();
        boolean isSameSign = !haveSigns || rows.isUnsigned(column) == expected.isUnsigned(column);
        String collation = table.columns().get(column).type().collation();
        boolean isSameText = collation.isEmpty()
                || table.columns().get(column).type().hasValues()
                || rows.collation(column) == 0
                || KeyCollations.isSameForm(collation, rows.collation(column));
        return isNamed && isSameType && isSameSign && isSameText;
    }

    private static boolean hasWidth(KeyForm form, int width) {
        return switch (form) {
            case FIXED, DECIMAL -> width >= 0;
            case FLOAT -> width == Float.BYTES;
            case DOUBLE -> width == Double.BYTES;
            default -> width < 0;
        };
    }

    /** The table id in its rows events. */
    public long tableId() {
        return tableId;
    }

    /** Whether all transactions after one with such rows depend on it, and it on all before it. */
    public boolean isAlone() {
        return kind == TableKeys.Kind.ALONE;
    }

    /** Whether a transaction with such rows also depends on what its shard reports. */
    public boolean dependsAsItsShardReports() {
        return kind == TableKeys.Kind.UNKNOWN;
    }

    /** Whether the transactions of the table depend on each other in any case. */
    boolean locksTable() {
        return kind == TableKeys.Kind.UNKNOWN || kind == TableKeys.Kind.ONE_AFTER_ANOTHER;
    }
}
