package io.tributary.schema.definition;

import java.util.List;

/**
 * A key or index of a table.
 *
 * @param kind its kind
 * @param name its name on the server; {@code PRIMARY} for the primary key
 * @param parts in order
 * @param visible false for INVISIBLE
 */
public record TableKey(Kind kind, String name, List<KeyPart> parts, boolean visible) {
    /** The name of every primary key. */
    public static final String PRIMARY_NAME = "PRIMARY";

    /** Kinds of keys. */
    public enum Kind {
        PRIMARY,
        UNIQUE,
        PLAIN,
        FULLTEXT,
        SPATIAL
    }

    public TableKey {
        parts = List.copyOf(parts);
    }

    /** PRIMARY or UNIQUE. */
    public boolean isUnique() {
        return kind == Kind.PRIMARY || kind == Kind.UNIQUE;
    }

    public TableKey named(String other) {
        return new TableKey(kind, other, parts, visible);
    }

    public TableKey withParts(List<KeyPart> other) {
        return new TableKey(kind, name, other, visible);
    }

    public TableKey withVisible(boolean other) {
        return new TableKey(kind, name, parts, other);
    }
}
