package io.tributary.common.value;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A table of an online schema change tool on its shard, with what is known of it from the stream.
 *
 * @param name its physical name
 * @param original the table whose rows it has (AWAY), otherwise null
 * @param alters the statements that altered it, in order (COPY), otherwise empty
 * @param definition CREATE TABLE in canonical form, if the collector knows it; otherwise, and for a COPY, ""
 */
public record HiddenTable(TableName name, Role role, TableName original, List<Alter> alters, String definition) {
    /** The role of a hidden table. */
    public enum Role {
        /** Created in the stream: the statements that altered it are known. */
        COPY,
        /** It has the rows of its original until a copy replaces the original. */
        AWAY,
        /** At most its definition is known. */
        OTHER,
        /** It no longer exists, or nothing is known of it any more. */
        GONE
    }

    public HiddenTable {
        alters = List.copyOf(alters);
        if ((role == Role.AWAY) != (original != null) || role != Role.COPY && !alters.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected an original for AWAY only, and statements for COPY only, found " + original + " and "
                            + alters.size() + " for " + role);
        }
    }

    /** A hidden table that was created in the stream. */
    public static HiddenTable copy(TableName name, List<Alter> alters) {
        return new HiddenTable(name, Role.COPY, null, alters, "");
    }

    /** A hidden table that has the rows of its original for a while. */
    public static HiddenTable away(TableName name, TableName original) {
        return new HiddenTable(name, Role.AWAY, original, List.of(), "");
    }

    /** A hidden table of which at most the definition is known. */
    public static HiddenTable other(TableName name) {
        return new HiddenTable(name, Role.OTHER, null, List.of(), "");
    }

    /** A hidden table of which nothing is known any more. */
    public static HiddenTable gone(TableName name) {
        return new HiddenTable(name, Role.GONE, null, List.of(), "");
    }

    /** The same with a definition. */
    public HiddenTable withDefinition(String text) {
        return new HiddenTable(name, role, original, alters, text);
    }

    /**
     * A statement that altered a copy, and the session settings with which it is read.
     *
     * @param items the text after the table name, in the form of ALTER TABLE
     */
    public record Alter(String items, SessionSettings session) {}

    /**
     * The settings of the session that ran a statement.
     *
     * @param defaultSchema of the session, physical; "" = none
     * @param ansiQuotes whether {@code "x"} is a name
     * @param backslashEscapes whether a backslash in a string escapes the character after it
     * @param charset the character set of the text, by Java's name
     * @param variables the status variables of its QUERY event, from 0 to the limit; read only, never changed
     */
    public record SessionSettings(
            String defaultSchema, boolean ansiQuotes, boolean backslashEscapes, String charset, ByteBuffer variables) {
        public SessionSettings {
            variables = variables.asReadOnlyBuffer();
        }
    }
}
