package io.tributary.sink.json;

import io.tributary.changes.ChangeColumn;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** For each byte of a character set in which each character has one byte, this character in UTF-8, escaped for a string of JSON. Immutable. */
public final class ByteCharacters {
    /** Bytes as characters with the same numbers. */
    static final ByteCharacters LATIN = new ByteCharacters(Character::toString);

    private static final ByteCharacters NONE = new ByteCharacters();
    private static final int CODES = 256;

    private final byte[][] rows;

    private ByteCharacters() {
        rows = new byte[0][];
    }

    /** @param characters the character of a byte */
    private ByteCharacters(IntFunction<String> characters) {
        rows = new byte[CODES][];
        JsonOutput out = new JsonOutput();
        for (int i = 0; i < rows.length; i++) {
            rows[i] = out.clear().text(characters.apply(i)).toBytes();
        }
    }

    /** The table of a column with characters; without rows if they have more than one byte. */
    public static ByteCharacters of(ChangeColumn column) {
        int bytes = Collations.named(column.type().collation())
                .map(Collation::maxLength)
                .orElse(Integer.MAX_VALUE);
        return bytes > 1 || column.isUtf8()
                ? NONE
                : new ByteCharacters(i -> column.characters(ByteBuffer.wrap(new byte[] {(byte) i}), 0, 1));
    }

    /** Whether it has rows. */
    boolean isOfBytes() {
        return rows.length > 0;
    }

    byte[][] rows() {
        return rows;
    }
}
