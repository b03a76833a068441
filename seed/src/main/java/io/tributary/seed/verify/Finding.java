package io.tributary.seed.verify;

import io.tributary.common.value.TableName;
import java.util.List;
import java.util.Optional;

/**
 * A difference between the shards and the replica.
 *
 * @param key the row key as text; "" for a whole table
 * @param row the row key; empty for a whole table
 * @param columns the columns that differ, with their values if those are shown
 * @param where the members that have the row
 */
public record Finding(
        TableName table, String key, Optional<RowKey> row, Kind kind, List<ChangedColumn> columns, List<String> where) {
    public Finding {
        columns = List.copyOf(columns);
        where = List.copyOf(where);
    }

    /** About a row. */
    static Finding of(TableName table, RowKey row, Kind kind, List<ChangedColumn> columns, List<String> where) {
        return new Finding(table, row.toString(), Optional.of(row), kind, columns, where);
    }

    /** About a whole table. */
    static Finding of(TableName table, Kind kind, List<String> where) {
        return new Finding(table, "", Optional.empty(), kind, List.of(), where);
    }

    /** What a difference is. */
    public enum Kind {
        MISSING("missing on the replica"),
        EXTRA("only on the replica"),
        DIFFERS("differs"),
        /** A row whose columns that differ are defined differently on both sides, such as in the middle of a schema change. */
        DEFINITION("differs, and the columns are defined differently"),
        SEVERAL("on several shards"),
        TABLE("the table differs"),
        UNREADABLE("the table cannot be compared"),
        /** Rows that were changed each time they were compared. */
        BUSY("not compared, because it changes all the time");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** In words. */
        public String words() {
            return words;
        }
    }

    /**
     * One column of a row that differs.
     *
     * @param shard the value on the shard, and {@code replica} that on the replica; "" if values are not shown
     */
    public record ChangedColumn(String column, String shard, String replica) {
        @Override
        public String toString() {
            return shard.isEmpty() && replica.isEmpty() ? column : column + " (" + shard + " / " + replica + ")";
        }
    }

    /**
     * Whether it says that the replica is wrong, or that a table was not compared. A single row that changes all the time is no such difference: each
     * transaction of the stream that changes it writes the whole row, or stops the replica if the row is not there.
     */
    public boolean isDifference() {
        return kind != Kind.BUSY || key.isEmpty();
    }

    /** One line. */
    @Override
    public String toString() {
        return table + (key.isEmpty() ? "" : " " + key) + ": " + kind.words()
                + (columns.isEmpty()
                        ? ""
                        : ": "
                                + String.join(
                                        ", ",
                                        columns.stream()
                                                .map(ChangedColumn::toString)
                                                .toList()))
                + (where.isEmpty() ? "" : " [" + String.join(", ", where) + "]");
    }
}
