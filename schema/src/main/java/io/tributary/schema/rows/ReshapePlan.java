package io.tributary.schema.rows;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.rows.convert.StoredColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The plan by which rows of one table map are converted to rows of another. Immutable. */
public sealed interface ReshapePlan {
    /** The rows' bytes are the same: only table id and table map are replaced. */
    record Identity() implements ReshapePlan {}

    /**
     * There is no plan.
     *
     * @param reason the column and the reason, for messages
     */
    record None(String reason) implements ReshapePlan {}

    /** Rows are rewritten, by {@link RowReshaper}. */
    final class Total implements ReshapePlan {
        private static final int TEXT_OF_FIXED = 1024;

        final String table;
        /** For each source column the width of a value, see {@link TableShape#width}. */
        final int[] widths;
        /** Which source columns are JSON. */
        final boolean[] sourceIsJson;
        /** For each target column. */
        final ColumnOp[] ops;
        /** Which target columns are JSON. */
        final boolean[] targetIsJson;
        /** Approximate number of bytes by which a row may grow: constants, and texts from numbers and ENUM values. */
        final int growth;

        Total(TableShape from, TableShape to, ColumnOp[] ops) {
            this.table = to.schema() + "." + to.table();
            this.widths = new int[from.columnCount()];
            this.sourceIsJson = new boolean[from.columnCount()];
            for (int i = 0; i < widths.length; i++) {
                widths[i] = from.width(i);
                sourceIsJson[i] = from.type(i) == ColumnType.MYSQL_TYPE_JSON;
            }
            this.ops = ops;
            this.targetIsJson = new boolean[ops.length];
            int bytes = 0;
            for (int j = 0; j < ops.length; j++) {
                targetIsJson[j] = to.type(j) == ColumnType.MYSQL_TYPE_JSON;
                bytes += ops[j].constant() == null ? 0 : ops[j].constant().length;
                boolean becomesText = ops[j].kind() == ColumnOp.Kind.CONVERT && to.width(j) < 0;
                bytes += becomesText && widths[ops[j].source()] >= 0 ? TEXT_OF_FIXED : 0;
            }
            this.growth = bytes;
        }

        /** Whether some values may not convert. */
        public boolean mayRefuse() {
            for (ColumnOp op : ops) {
                if (op.kind() == ColumnOp.Kind.CONVERT || op.refusesNull()) {
                    return true;
                }
            }
            return false;
        }

        /** The operation of each column of the target, in order: COPY, PREFIX, CONVERT or CONST; for messages and tests. */
        List<String> operations() {
            List<String> names = new ArrayList<>();
            for (ColumnOp op : ops) {
                names.add(op.kind().name());
            }
            return names;
        }
    }

    /** Compares two table maps. */
    static ReshapePlan of(TableShape from, TableShape to, Columns columns) {
        Optional<None> undecodable = undecodable(from, columns);
        if (undecodable.isPresent()) {
            return undecodable.get();
        }
        Map<String, Integer> sources = new HashMap<>();
        for (int i = 0; i < from.columnCount(); i++) {
            String name = columns.source().name(from, i);
            if (name.isEmpty()) {
                return new None("the names of the columns of " + from.schema() + "." + from.table() + " are not known");
            }
            boolean renamed = columns.isRenamed(name);
            String key = Columns.lower(columns.renamed(name));
            if (renamed || !sources.containsKey(key)) {
                sources.put(key, i);
            }
        }
        ColumnOp[] ops = new ColumnOp[to.columnCount()];
        boolean same = from.columnCount() == to.columnCount();
        for (int j = 0; j < ops.length; j++) {
            String name = columns.target().name(to, j);
            if (name.isEmpty()) {
                return new None("the names of the columns of " + to.schema() + "." + to.table() + " are not known");
            }
            Integer source = sources.get(Columns.lower(name));
            ColumnOp op = source == null
                    ? constant(to, j, columns.constant(name), name)
                    : ColumnOp.of(
                            source,
                            StoredColumn.of(from, source, columns.source().facts(from, source)),
                            StoredColumn.of(to, j, columns.target().facts(to, j)),
                            name);
            if (op.reason() != null) {
                return new None("column " + name + " of " + to.schema() + "." + to.table() + ": " + op.reason());
            }
            ops[j] = op;
            same &= op.kind() == ColumnOp.Kind.COPY && op.source() == j && !op.refusesNull();
        }
        if (same) {
            return new Identity();
        }
        joinCopies(ops);
        return new Total(from, to, ops);
    }

    private static Optional<None> undecodable(TableShape from, Columns columns) {
        for (int i = 0; i < from.columnCount(); i++) {
            if (from.width(i) == TableShape.UNKNOWN_WIDTH) {
                return Optional.of(new None("column " + columns.source().name(from, i) + " of "
                        + from.schema() + "." + from.table() + " has type " + from.type(i)
                        + ", which cannot be decoded in rows"));
            }
        }
        return Optional.empty();
    }

    private static ColumnOp constant(TableShape to, int column, AddedValue constant, String name) {
        if (constant instanceof AddedValue.Unknown unknown) {
            return ColumnOp.none("it is new and its value is not known: " + unknown.reason());
        }
        if (constant instanceof AddedValue.Stored stored) {
            return ColumnOp.constant(name, stored.bytes());
        }
        return to.isNullable(column)
                ? ColumnOp.constant(name, null)
                : ColumnOp.none("it is new, NOT NULL, and its value would be NULL");
    }

    /** Sets for each copied column the number of columns that are copied with it because they are adjacent in both. */
    private static void joinCopies(ColumnOp[] ops) {
        for (int j = ops.length - 2; j >= 0; j--) {
            ColumnOp op = ops[j];
            ColumnOp next = ops[j + 1];
            if (op.kind() == ColumnOp.Kind.COPY
                    && next.kind() == ColumnOp.Kind.COPY
                    && next.source() == op.source() + 1) {
                ops[j] = op.joined(next.run() + 1);
            }
        }
    }
}
