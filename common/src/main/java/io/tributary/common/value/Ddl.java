package io.tributary.common.value;

import java.util.List;

/**
 * A DDL statement as the order sees it: what it does to which named things. The payload of its token has one QUERY event for each
 * part, in the order of the parts, each written with logical names; the events after them, if any, are rows (CREATE TABLE ... SELECT).
 *
 * @param verb the first words in upper case, such as {@code ALTER TABLE}
 * @param text the statement with logical names for operators to read, at most {@link #MOST_TEXT} characters; the verb alone where the
 *     text may hold a password
 * @param parts what it changes; at least one
 * @param hidden what it does to tables of online schema change tools. Where one takes the place of a table and nobody knows what altered it,
 *     the only part names that table, and its event changes nothing: what is written is the difference of the definitions.
 * @param server in whose log it stands
 */
public record Ddl(String verb, String text, List<Part> parts, HiddenChange hidden, ServerVersion server)
        implements DdlOrQuestion {
    /** Characters of {@link #text}. */
    public static final int MOST_TEXT = 1024;

    /** A statement that does nothing to hidden tables. */
    public Ddl(String verb, String text, List<Part> parts) {
        this(verb, text, parts, HiddenChange.NONE, ServerVersion.STANDARD);
    }

    /** The same of another server. */
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

    /** What a statement does to a named thing. */
    public enum Effect {
        CREATES,
        /** DROP TABLE, DROP SCHEMA. */
        REMOVES,
        /** TRUNCATE TABLE. */
        EMPTIES,
        /** A partition statement that removes or exchanges the rows of some partitions: rows of the others stay. */
        EMPTIES_PARTITIONS,
        CHANGES,
        /** The old name of RENAME; the next target is the new one, with {@link #BECOMES}. */
        RENAMES,
        BECOMES
    }

    /**
     * One change, which is written to the output as one statement.
     *
     * @param kind when it is written
     * @param id identity of the effect on logical names, 16 hex digits: two statements with the same effect have the same one
     * @param reshapes whether rows logged before and after it may differ in their columns; true when in doubt
     * @param conditional whether IF EXISTS or IF NOT EXISTS was written, so that it may have done nothing
     * @param targets the tables, schemas (empty table) or programs that it changes; the first one names it
     */
    public record Part(DdlKind kind, String id, boolean reshapes, boolean conditional, List<Target> targets) {
        public Part {
            targets = List.copyOf(targets);
        }

        /** Whether it removes rows of its targets: all of a table, or those of some partitions. */
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
     * A named thing that a part changes.
     *
     * @param logical its name in the output; an empty table means the schema and all its tables
     * @param physical its name on the shard
     */
    public record Target(Effect effect, TableName logical, TableName physical) {
        /** A thing whose name is the same on the shard and in the output. */
        public Target(Effect effect, TableName name) {
            this(effect, name, name);
        }
    }
}
