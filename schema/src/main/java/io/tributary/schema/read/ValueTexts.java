package io.tributary.schema.read;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.schema.definition.SqlType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The values of ENUM and SET in a column's character set. */
final class ValueTexts {
    /** Java's replacement for bytes that are not a character. */
    private static final char NO_CHARACTER = '\uFFFD';

    private static final int BYTE_VALUES = 256;

    private ValueTexts() {}

    /** The values as stored: without trailing spaces, and with question marks for characters that are not in the character set. */
    static List<String> stored(List<String> values, String collation) {
        if (collation.equals("binary")) {
            return values;
        }
        Charset charset = charset(collation);
        return values.stream()
                .map(value -> new String(value.getBytes(charset), charset))
                .map(StoredDefault::stripEnd)
                .toList();
    }

    /** The values after CONVERT TO: a server keeps their bytes and reads them in the other character set. */
    static List<String> converted(List<String> values, String before, String after) {
        Charset from = charset(before);
        Charset to = charset(after);
        List<String> made = values.stream()
                .map(value -> new String(value.getBytes(from), to))
                .toList();
        if (made.stream().anyMatch(value -> value.indexOf(NO_CHARACTER) >= 0)) {
            throw new UnreadableStatementException("values that are not texts of " + after);
        }
        return made;
    }

    /**
     * The number of characters of an index that the column's stored number occupies: a server uses its bytes as the length of a prefix if the
     * column becomes a text.
     */
    static int keyCharacters(SqlType type) {
        int count = type.values().size();
        int bytes = type.name().equals("enum") ? (count < BYTE_VALUES ? 1 : 2) : setBytes(count);
        return bytes
                / Collations.named(type.collation()).map(Collation::maxLength).orElse(1);
    }

    private static int setBytes(int count) {
        int bytes = (count + 7) / 8;
        return bytes > 4 ? 8 : bytes;
    }

    /** The default of a text column after CONVERT TO has made it binary: CHAR is padded with zeros. */
    static String bytes(String value, SqlType text) {
        String bytes = new String(value.getBytes(charset(text.collation())), StandardCharsets.ISO_8859_1);
        boolean fixed = text.name().equals("char");
        return bytes + (fixed ? "\0".repeat(Math.max(0, text.length() - bytes.length())) : "");
    }

    private static Charset charset(String collation) {
        return Collations.named(collation)
                .map(Collation::charset)
                .flatMap(Collations::charset)
                .orElse(StandardCharsets.UTF_8);
    }
}
