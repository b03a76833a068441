package io.tributary.sink.mask;

import io.tributary.changes.ChangeColumn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Texts of ASCII in the character sets of columns. */
final class MaskedText {
    private static final Charset UTF_32 = Charset.forName("UTF-32BE");

    private MaskedText() {}

    /** The bytes that a column stores for a text of digits, letters and asterisks. */
    static byte[] stored(ChangeColumn column, String text) {
        Charset charset = switch (column.type().charset()) {
            case "ucs2", "utf16" -> StandardCharsets.UTF_16BE;
            case "utf16le" -> StandardCharsets.UTF_16LE;
            case "utf32" -> UTF_32;
            default -> StandardCharsets.US_ASCII;
        };
        return text.getBytes(charset);
    }
}
