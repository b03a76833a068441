package io.tributary.sink.route;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How the rows of a table are divided among the partitions of its topic.
 *
 * @param kind by what
 * @param columns for {@link Kind#COLUMNS}, else none
 */
public record Dispatcher(Kind kind, List<String> columns) {
    /** By what rows are divided. */
    public enum Kind {
        /** All rows of a table are in one partition. */
        TABLE,
        /** All rows with the same handle key are in one partition. */
        KEY,
        /** All rows with the same values of some columns are in one partition. */
        COLUMNS,
        /** All rows of a transaction are in one partition of each topic. */
        TRANSACTION,
        /** Rows are spread over all partitions; their order is not kept. */
        NONE
    }

    /** All rows of a table are in one partition. */
    public static final Dispatcher TABLE = new Dispatcher(Kind.TABLE, List.of());

    /** All rows with the same handle key are in one partition. */
    public static final Dispatcher KEY = new Dispatcher(Kind.KEY, List.of());

    /** All rows of a transaction are in one partition. */
    public static final Dispatcher TRANSACTION = new Dispatcher(Kind.TRANSACTION, List.of());

    /** Rows are spread over all partitions. */
    public static final Dispatcher NONE = new Dispatcher(Kind.NONE, List.of());

    private static final String COLUMNS = "columns(";

    /** Checks that columns are named where they are needed. */
    public Dispatcher {
        columns = List.copyOf(columns);
        if (columns.isEmpty() == (kind == Kind.COLUMNS)) {
            throw new IllegalArgumentException("expected columns for COLUMNS only, found " + kind + " " + columns);
        }
    }

    /**
     * Reads {@code table}, {@code key}, {@code columns(a,b)}, {@code transaction} or {@code none}.
     *
     * @throws TributaryException CONFIG_INVALID
     */
    public static Dispatcher parse(String text) {
        String word = text.strip();
        String lower = word.toLowerCase(Locale.ROOT);
        if (lower.startsWith(COLUMNS) && lower.endsWith(")")) {
            List<String> names = Arrays.stream(
                            word.substring(COLUMNS.length(), word.length() - 1).split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList();
            if (!names.isEmpty()) {
                return new Dispatcher(Kind.COLUMNS, names);
            }
        }
        return switch (lower) {
            case "table" -> TABLE;
            case "key" -> KEY;
            case "transaction" -> TRANSACTION;
            case "none" -> NONE;
            default ->
                throw new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "expected table, key, columns(a,b), transaction or none, found '" + text + "'");
        };
    }

    /** Whether the partition of a row depends on its values, so that the number of partitions must not change. */
    public boolean isByValues() {
        return kind == Kind.KEY || kind == Kind.COLUMNS;
    }
}
