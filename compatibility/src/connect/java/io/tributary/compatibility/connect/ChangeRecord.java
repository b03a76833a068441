package io.tributary.compatibility.connect;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A row that Debezium's MySQL connector has read, as text. The modules of Debezium and Flink CDC both compile this class; their classes of
 * Kafka Connect have different names.
 *
 * @param table schema.table
 * @param key the values of the key, separated by commas
 * @param op r for a row of the first copy, c, u or d for a change
 * @param before the row before the change; none for an insert
 * @param after the row after the change; none for a delete
 * @param snapshot Debezium's mark of rows of the first copy, such as last; empty for none
 * @param gtid of the transaction; empty for a row of the first copy
 * @param gtids the GTID set of the offset, which the first copy belongs to; empty for none
 */
public record ChangeRecord(
        String table, String key, String op, String before, String after, String snapshot, String gtid, String gtids) {
    public static final String NONE = "none";

    /**
     * Empty for a record that is no row, such as a heartbeat or a DDL statement.
     *
     * @param key its fields in order
     * @param value its fields in order; before, after and source are maps too
     */
    public static Optional<ChangeRecord> of(Map<?, ?> key, Map<?, ?> value, Map<?, ?> offset) {
        if (!value.containsKey("op") || !(value.get("source") instanceof Map<?, ?> source)) {
            return Optional.empty();
        }
        return Optional.of(new ChangeRecord(
                source.get("db") + "." + source.get("table"),
                key.values().stream().map(String::valueOf).collect(Collectors.joining(",")),
                text(value.get("op")),
                words(value.get("before")),
                words(value.get("after")),
                text(source.get("snapshot")),
                text(source.get("gtid")),
                text(offset.get("gtids"))));
    }

    /** The line of the common text form. */
    public String line() {
        return "R\t" + table + "\t" + key + "\t" + op + "\t" + before + "\t" + after;
    }

    /** Whether it is a row of the first copy, not a change. */
    public boolean isCopied() {
        return op.equals("r");
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }

    private static String words(Object row) {
        if (!(row instanceof Map<?, ?> columns)) {
            return NONE;
        }
        StringBuilder words = new StringBuilder();
        for (Map.Entry<?, ?> column : columns.entrySet()) {
            Object value = column.getValue();
            words.append(column.getKey()).append('=');
            if (value instanceof ByteBuffer bytes) {
                words.append(bytes.remaining()).append(" bytes, hash ").append(bytes.hashCode());
            } else if (value instanceof byte[] bytes) {
                words.append(Arrays.hashCode(bytes));
            } else {
                words.append(value);
            }
            words.append(' ');
        }
        return words.toString();
    }
}
