package io.tributary.mysql.event;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Which collation numbers belong to the character sets that every JDK reads (information_schema.collations). */
final class Collations {
    private static final Charset LATIN1 = Charset.forName("windows-1252");

    private Collations() {}

    /** The character set of a collation; null for binary and for what is not read. */
    static Charset charset(int collation) {
        if (isUtf8(collation)) {
            return StandardCharsets.UTF_8;
        }
        return switch (collation) {
            case 11, 65 -> StandardCharsets.US_ASCII;
            case 5, 8, 15, 31, 47, 48, 49, 94 -> LATIN1;
            default -> null;
        };
    }

    private static boolean isUtf8(int collation) {
        boolean utf8mb3 = collation == 33
                || collation == 76
                || collation == 83
                || (collation >= 192 && collation <= 215)
                || collation == 223;
        boolean utf8mb4 = collation == 45
                || collation == 46
                || (collation >= 224 && collation <= 247)
                || (collation >= 255 && collation <= 323);
        return utf8mb3 || utf8mb4;
    }
}
