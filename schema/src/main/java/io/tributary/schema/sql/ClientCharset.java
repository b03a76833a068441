package io.tributary.schema.sql;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Java's character sets for MySQL's collation ids, for the sets in which bytes differ from ASCII when a statement is split into tokens: sets in
 * which the second byte of a character may be a quote or a backslash (MySQL manual, INFORMATION_SCHEMA.COLLATIONS).
 */
public final class ClientCharset {
    private ClientCharset() {}

    /**
     * The character set with which to decode a statement; encoding the text with it again gives the same bytes, for UTF-8
     * and two-byte sets only if the statement is well-formed.
     *
     * @param collation character_set_client in a QUERY event; 0 = unknown
     */
    public static Charset of(int collation) {
        return switch (collation) {
            case 1, 84 -> Charset.forName("Big5");
            case 13, 88 -> Charset.forName("Shift_JIS");
            case 95, 96 -> Charset.forName("windows-31j");
            case 12, 91 -> Charset.forName("EUC-JP");
            case 97, 98 -> Charset.forName("EUC-JP");
            case 19, 85 -> Charset.forName("EUC-KR");
            case 24, 86 -> Charset.forName("GB2312");
            case 28, 87 -> Charset.forName("GBK");
            case 248, 249, 250 -> Charset.forName("GB18030");
            default -> isUtf8(collation) ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        };
    }

    /** utf8mb3, utf8mb4, and unknown. */
    private static boolean isUtf8(int collation) {
        return collation == 0
                || collation == 33
                || collation == 83
                || collation == 45
                || collation == 46
                || collation == 76
                || (collation >= 192 && collation <= 247)
                || (collation >= 255 && collation <= 323);
    }
}
