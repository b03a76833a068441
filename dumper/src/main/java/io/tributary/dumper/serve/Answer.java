package io.tributary.dumper.serve;

import java.util.ArrayList;
import java.util.List;

/** What a statement is answered with. */
sealed interface Answer {
    /** An OK packet. */
    record Ok() implements Answer {}

    /**
     * A result set.
     *
     * @param columns names
     * @param numeric which columns are numbers
     * @param rows values as text; null is NULL
     */
    record Rows(List<String> columns, List<Boolean> numeric, List<List<String>> rows) implements Answer {
        /** Columns of text only. */
        static Rows of(List<String> columns, List<List<String>> rows) {
            return new Rows(columns, columns.stream().map(name -> false).toList(), rows);
        }

        /** One row of values. */
        static Rows of(List<String> columns, SqlValue... values) {
            List<Boolean> numeric = new ArrayList<>();
            List<String> row = new ArrayList<>();
            for (SqlValue value : values) {
                numeric.add(value.isNumber());
                row.add(value.text());
            }
            return new Rows(columns, numeric, List.of(java.util.Collections.unmodifiableList(row)));
        }
    }

    /** The session with this thread id is to be ended, then OK. */
    record Kill(long threadId) implements Answer {}

    Answer OK = new Ok();
}
