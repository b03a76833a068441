package io.tributary.sink.json;

import io.tributary.changes.ChangeColumn;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** For each byte of a character set in which each character has one byte, this character in UTF-8, escaped for a string of JSON. Immutable. */
public final class CharacterTable {
    /** Bytes as characters with the same numbers. */
    static final CharacterTable LATIN = new CharacterTable(StandardCharsets.ISO_8859_1);

    private static final CharacterTable NONE = new CharacterTable();
    private static final char UNKNOWN = '\ufffd';

    private final byte[][] rows;

    private CharacterTable() {
        rows = new byte[0][];
    }

    private CharacterTable(Charset charset) {
        rows = new byte[256][];
        JsonOutput out = new JsonOutput();
        for (int i = 0; i < rows.length; i++) {
            String character = new String(new byte[] {(byte) i}, charset);
            // the server has control characters where windows-1252, its latin1, has none
            boolean isControl = character.charAt(0) == UNKNOWN && charset.name().equals("windows-1252");
            rows[i] = out.clear()
                    .text(isControl ? String.valueOf((char) i) : character)
                    .toBytes();
        }
    }

    /** The table of a column with characters; without rows if they have more than one byte. */
    public static CharacterTable of(ChangeColumn column) {
        int bytes = Collations.named(column.type().collation())
                .map(Collation::maxLength)
                .orElse(Integer.MAX_VALUE);
        return bytes > 1 || column.isUtf8() ? NONE : new CharacterTable(column.charset());
    }

    /** Whether it has rows. */
    boolean isOfBytes() {
        return rows.length > 0;
    }

    byte[][] rows() {
        return rows;
    }
}
