package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.math.BigDecimal;

/** Writes floating-point numbers with digits that give them back, in forms that a server does not read as a DECIMAL or an integer. */
final class DoubleText {
    /** More digits before the point are written with an exponent (my_gcvt in strings/dtoa.cc). */
    private static final int MOST_WITHOUT_EXPONENT = 15;

    private DoubleText() {}

    /** Writes an SQL literal: with an exponent, without which it would be a DECIMAL. */
    static void literal(ByteBuf out, double value) {
        String text = finite(value);
        AsciiText.text(out, text);
        if (text.indexOf('E') < 0) {
            AsciiText.text(out, "E0");
        }
    }

    /** Writes a number of a JSON text, as the server shows it: with a point or an exponent. */
    static void json(ByteBuf out, double value) {
        String text = finite(value);
        if (value == 0) {
            AsciiText.text(out, text);
            return;
        }
        BigDecimal decimal = new BigDecimal(text).abs().stripTrailingZeros();
        String digits = decimal.unscaledValue().toString();
        int point = digits.length() - decimal.scale();
        if (value < 0) {
            out.writeByte('-');
        }
        if (point > MOST_WITHOUT_EXPONENT || point <= -MOST_WITHOUT_EXPONENT + 1) {
            AsciiText.text(out, digits.substring(0, 1));
            AsciiText.text(out, digits.length() == 1 ? "" : "." + digits.substring(1));
            AsciiText.text(out, "e" + (point - 1));
        } else {
            AsciiText.text(out, decimal.toPlainString());
            AsciiText.text(out, decimal.scale() <= 0 ? ".0" : "");
        }
    }

    private static String finite(double value) {
        if (!Double.isFinite(value)) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED, "expected a finite floating-point number, found " + value);
        }
        return Double.toString(value);
    }
}
