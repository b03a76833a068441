package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.charset.StandardCharsets;

/** Writes floating-point numbers with digits that give them back, in forms that a server does not read as a DECIMAL or an integer. */
final class DoubleText {
    private static final int LONGEST = 32;

    private DoubleText() {}

    /** Writes an SQL literal: with an exponent, without which it would be a DECIMAL. MariaDB reads minus zero as zero. */
    static void literal(ByteBuf out, double value) {
        String text = finite(value);
        AsciiText.text(out, text);
        if (text.indexOf('E') < 0) {
            AsciiText.text(out, "E0");
        }
    }

    /**
     * A number of a JSON text, of which a server reads this DOUBLE: as a server shows it, unless servers read another number of that (see
     * {@link JsonNumber}).
     */
    static String json(double value) {
        String shown = shown(value);
        return JsonNumber.read(shown) == value ? shown : JsonNumber.found(value).orElse(shown);
    }

    static String shown(double value) {
        ByteBuf out = Unpooled.buffer(LONGEST);
        RealText.appendPointed(out, value);
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static String finite(double value) {
        if (!Double.isFinite(value)) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED, "expected a finite floating-point number, found " + value);
        }
        return Double.toString(value);
    }
}
