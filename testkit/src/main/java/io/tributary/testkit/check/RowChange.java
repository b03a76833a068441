package io.tributary.testkit.check;

import java.util.List;

/**
 * One row change of a rows event.
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

    /** The after-image; for a delete the before-image. */
    public Row row() {
        return after != null ? after : before;
    }

    String name() {
        return schema + "." + table;
    }

    /** A hash of the table and the images. */
    long hash() {
        long hash = Hash.of(name());
        hash = Hash.join(hash, before == null ? 1 : before.hash());
        return Hash.join(hash, after == null ? 1 : after.hash());
    }

    /** The change in words, for messages: with the key, or with the first column if there is no key. */
    String words() {
        StringBuilder words = new StringBuilder(isInsert() ? "INSERT " : isDelete() ? "DELETE " : "UPDATE ");
        words.append(name()).append(" key");
        for (int column : key.isEmpty() ? List.of(0) : key) {
            words.append(' ').append(row().words(column));
        }
        return words.toString();
    }
}
