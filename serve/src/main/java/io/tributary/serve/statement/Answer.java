package io.tributary.serve.statement;

import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.select.TableSelect;
import io.tributary.serve.sql.SqlValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The answer to a statement. */
public sealed interface Answer {
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
        public static Rows of(List<String> columns, List<List<String>> rows) {
            return new Rows(columns, columns.stream().map(name -> false).toList(), rows);
        }

        /** One row of values. */
        public static Rows of(List<String> columns, SqlValue... values) {
            List<Boolean> numeric = new ArrayList<>();
            List<String> row = new ArrayList<>();
            for (SqlValue value : values) {
                numeric.add(value.isNumber());
                row.add(value.text());
            }
            return new Rows(columns, numeric, List.of(Collections.unmodifiableList(row)));
        }
    }

    /** A result set with more attributes of its columns than {@link Rows} has. */
    record Typed(ResultSet result) implements Answer {}

    /** The columns of a table, without a result set. */
    record Fields(ResultSet columns) implements Answer {}

    /**
     * A session must be ended; then OK.
     *
     * @param onlyStatement only its current statement must be ended
     */
    record Kill(long threadId, boolean onlyStatement) implements Answer {}

    /** The rows of tables; the session gets them while they are read. */
    record OfTable(TableSelect select) implements Answer {}

    /** The session uses this schema from now on. */
    record Use(String schema) implements Answer {}

    /**
     * An answer that is completed later, possibly with a {@link io.tributary.serve.sql.SqlRefusal} or another failure. It is cancelled when no
     * client waits any more.
     */
    record Later(CompletableFuture<Answer> answer) implements Answer {}

    Answer OK = new Ok();
}
