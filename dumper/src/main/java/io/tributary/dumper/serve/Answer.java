package io.tributary.dumper.serve;

import io.tributary.dumper.sql.SqlValue;
import io.tributary.mysql.protocol.server.ResultSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What a statement is answered with. */
sealed interface Answer {
    /** An OK packet. */
    record Ok() implements Answer {}

    /**
     * A result set.
     *
     * @param columns names
     * @param numeric which columns are whole numbers
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
            return new Rows(columns, numeric, List.of(Collections.unmodifiableList(row)));
        }
    }

    /** A result set whose columns say more than {@link Rows} does. */
    record Typed(ResultSet result) implements Answer {}

    /** The columns of a table; no result set. */
    record Fields(ResultSet columns) implements Answer {}

    /**
     * A session is to be ended, then OK.
     *
     * @param onlyStatement only what it is doing is to be ended
     */
    record Kill(long threadId, boolean onlyStatement) implements Answer {}

    /** The session goes on in this schema. */
    record Use(String schema) implements Answer {}

    /** Comes later; a {@link io.tributary.dumper.sql.SqlRefusal} or another failure may come in its place. Cancelled when nobody waits any more. */
    record Later(CompletableFuture<Answer> answer) implements Answer {}

    Answer OK = new Ok();
}
