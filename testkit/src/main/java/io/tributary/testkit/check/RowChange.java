package io.tributary.testkit.check;

import java.util.List;

/**
 * What one row of a rows event says.
 *
 * @param before null for an insert
 * @param after null for a delete
 */
public record RowChange(String schema, String table, List<Integer> key, Row before, Row after) {
    public boolean isInsert() {
        return before == null;
    }

    public boolean isDelete() {
        return after == null;
    }

    public boolean isOf(String inSchema, String inTable) {
        return schema.equals(inSchema) && table.equals(inTable);
    }

    /** The row that is there after the change, or was there before a delete. */
    public Row row() {
        return after != null ? after : before;
    }

    String name() {
        return schema + "." + table;
    }

    /** Same table, same images: same hash. */
    long hash() {
        long hash = Hash.of(name());
        hash = Hash.join(hash, before == null ? 1 : before.hash());
        return Hash.join(hash, after == null ? 1 : after.hash());
    }

    /** The change in words, for messages: the key, or the first column where there is none. */
    String words() {
        StringBuilder words = new StringBuilder(isInsert() ? "INSERT " : isDelete() ? "DELETE " : "UPDATE ");
        words.append(name()).append(" key");
        for (int column : key.isEmpty() ? List.of(0) : key) {
            words.append(' ').append(row().words(column));
        }
        return words.toString();
    }
}
