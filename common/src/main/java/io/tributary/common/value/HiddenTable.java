package io.tributary.common.value;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A table of an online schema change tool on its shard, as far as the stream knows it.
 *
 * @param name its physical name
 * @param original the table whose rows it has (AWAY), else null
 * @param alters what altered it, in order (COPY), else empty
 * @param definition CREATE TABLE in canonical form, where the collector knows it; else, and for a COPY, ""
 */
public record HiddenTable(TableName name, Role role, TableName original, List<Alter> alters, String definition) {
    /** What it is. */
    public enum Role {
        /** Made in the stream: what has altered it is known. */
        COPY,
        /** It has the rows of its original until a copy takes that one's place. */
        AWAY,
        /** Of it at most the definition is known. */
        OTHER,
        /** It is not there any more, or nothing is known of it any more. */
        GONE
    }

    public HiddenTable {
        alters = List.copyOf(alters);
        if ((role == Role.AWAY) != (original != null) || role != Role.COPY && !alters.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected an original of AWAY alone, and statements of COPY alone, found " + original + " and "
                            + alters.size() + " of " + role);
        }
    }

    /** One that was made in the stream. */
    public static HiddenTable copy(TableName name, List<Alter> alters) {
        return new HiddenTable(name, Role.COPY, null, alters, "");
    }

    /** One that has the rows of its original for a while. */
    public static HiddenTable away(TableName name, TableName original) {
        return new HiddenTable(name, Role.AWAY, original, List.of(), "");
    }

    /** One of which at most the definition is known. */
    public static HiddenTable other(TableName name) {
        return new HiddenTable(name, Role.OTHER, null, List.of(), "");
    }

    /** One of which nothing is known from here on. */
    public static HiddenTable gone(TableName name) {
        return new HiddenTable(name, Role.GONE, null, List.of(), "");
    }

    /** The same with a definition. */
    public HiddenTable withDefinition(String text) {
        return new HiddenTable(name, role, original, alters, text);
    }

    /**
     * A statement that altered a copy, and what its session makes of it.
     *
     * @param items what stood behind the name, in the form of ALTER TABLE
     * @param defaultSchema of the session, physical; "" where it had none
     * @param ansiQuotes whether {@code "x"} is a name
     * @param backslashEscapes whether a backslash in a string escapes the character behind it
     * @param charset the character set of the text, by Java's name
     * @param variables the status variables of its QUERY event, from 0 to the limit; read-only, never changed
     */
    public record Alter(
            String items,
            String defaultSchema,
            boolean ansiQuotes,
            boolean backslashEscapes,
            String charset,
            ByteBuffer variables) {
        public Alter {
            variables = variables.asReadOnlyBuffer();
        }
    }
}
