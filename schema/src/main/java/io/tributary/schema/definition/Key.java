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
public record Key(Kind kind, String name, List<KeyPart> parts, boolean visible) {
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

    public Key {
        parts = List.copyOf(parts);
    }

    /** PRIMARY or UNIQUE. */
    public boolean isUnique() {
        return kind == Kind.PRIMARY || kind == Kind.UNIQUE;
    }

    public Key named(String other) {
        return new Key(kind, other, parts, visible);
    }

    public Key withParts(List<KeyPart> other) {
        return new Key(kind, name, other, visible);
    }

    public Key withVisible(boolean other) {
        return new Key(kind, name, parts, other);
    }
}
