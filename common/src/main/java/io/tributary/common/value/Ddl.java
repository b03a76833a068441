package io.tributary.common.value;

import java.util.List;

/**
 * A DDL statement as ordering uses it: its effects on named tables, schemas and programs. The payload of its token has one QUERY event for
 * each part, in the order of the parts, each with logical names; the events after them, if any, are rows (CREATE TABLE ... SELECT).
 *
 * @param verb the first words in upper case, such as {@code ALTER TABLE}
 * @param text the statement with logical names, for display, at most {@link #MOST_TEXT} characters; only the verb if the
 *     text may contain a password
 * @param parts what it changes; at least one
 * @param hidden what it does to tables of online schema change tools. If one replaces a table and the statement that altered it is not
 *     known, the only part names that table, and its event changes nothing: the difference of the definitions is written.
 * @param server the server in whose binlog it is
 */
public record Ddl(String verb, String text, List<Part> parts, HiddenChange hidden, ServerVersion server) {
    /** Maximum number of characters of {@link #text}. */
    public static final int MOST_TEXT = 1024;

    /** A statement without effect on hidden tables. */
    public Ddl(String verb, String text, List<Part> parts) {
        this(verb, text, parts, HiddenChange.NONE, ServerVersion.STANDARD);
    }

    /** The same statement with another server. */
    public Ddl of(ServerVersion other) {
        return other.equals(server) ? this : new Ddl(verb, text, parts, hidden, other);
    }

    public Ddl {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("expected one part or more of " + verb + ", found none");
        }
        text = text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
    }

    /** The effect of a statement on a named table, schema or program. */
    public enum Effect {
        CREATES,
        /** DROP TABLE, DROP SCHEMA. */
        REMOVES,
        /** TRUNCATE TABLE. */
        EMPTIES,
        /** A partition statement that removes or exchanges the rows of some partitions; rows of the others stay. */
        EMPTIES_PARTITIONS,
        CHANGES,
        /** The old name of RENAME; the next target is the new name, with {@link #BECOMES}. */
        RENAMES,
        BECOMES
    }

    /**
     * One change, which is written to the output as one statement.
     *
     * @param kind when it is written
     * @param id identity of the effect on logical names, 16 hex digits: two statements with the same effect have the same one
     * @param reshapes whether rows logged before and after it may differ in their columns; true when in doubt
     * @param conditional whether IF EXISTS or IF NOT EXISTS was written, so that it may have had no effect
     * @param targets the tables, schemas (empty table) or programs that it changes; the first one gives it its name
     */
    public record Part(DdlKind kind, String id, boolean reshapes, boolean conditional, List<Target> targets) {
        public Part {
            targets = List.copyOf(targets);
        }

        /** Whether it removes rows of its targets: all rows of a table, or those of some partitions. */
        public boolean removesRows() {
            return has(Effect.REMOVES) || has(Effect.EMPTIES) || has(Effect.EMPTIES_PARTITIONS);
        }

        /** Whether one of its targets has this effect. */
        public boolean has(Effect effect) {
            for (Target target : targets) {
                if (target.effect() == effect) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * A table, schema or program that a part changes.
     *
     * @param logical its name in the output; with an empty table it means the schema and all its tables
     * @param physical its name on the shard
     */
    public record Target(Effect effect, TableName logical, TableName physical) {
        /** A target whose name is the same on the shard and in the output. */
        public Target(Effect effect, TableName name) {
            this(effect, name, name);
        }
    }
}
