package io.tributary.schema.rows;

/** Characters that MySQL 8.0 maps to another code point than the JDK does, measured with CONVERT on a server; 0: it has none. */
final class CharacterExceptions {
    private CharacterExceptions() {}

    /** Changes the tables of a character set: by one byte, by two, and by those behind 0x8f or by GB18030's linear number. */
    static void apply(CharacterSet set, char[] one, char[] two, char[] more) {
        // none measured yet
    }
}
