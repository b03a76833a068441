package io.tributary.replay.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Writes floating-point numbers with digits that give them back, in forms that a server does not read as a DECIMAL or an integer. */
final class DoubleText {
    /** More digits before the point are written with an exponent (my_gcvt in strings/dtoa.cc). */
    private static final int MOST_WITHOUT_EXPONENT = 15;

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

    /** A number of a JSON text as a server shows it: with the fewest digits of which this is the nearest DOUBLE, and a point or an exponent. */
    static String shown(double value) {
        String text = finite(value);
        if (value == 0) {
            return text;
        }
        BigDecimal decimal = shortest(new BigDecimal(text).stripTrailingZeros(), value);
        String digits = decimal.unscaledValue().abs().toString();
        int point = digits.length() - decimal.scale();
        if (point > MOST_WITHOUT_EXPONENT || point <= -MOST_WITHOUT_EXPONENT + 1) {
            String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            return (value < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (point - 1);
        }
        return decimal.toPlainString() + (decimal.scale() <= 0 ? ".0" : "");
    }

    /** Double.toString does not always give the fewest digits (JDK-4511638). */
    private static BigDecimal shortest(BigDecimal digits, double value) {
        BigDecimal shortest = digits;
        while (shortest.precision() > 1) {
            MathContext fewer = new MathContext(shortest.precision() - 1, RoundingMode.HALF_EVEN);
            BigDecimal next = new BigDecimal(value).round(fewer);
            if (next.doubleValue() != value) {
                break;
            }
            shortest = next.stripTrailingZeros();
        }
        return shortest;
    }

    private static String finite(double value) {
        if (!Double.isFinite(value)) {
            throw new TributaryException(
                    ErrorCode.EVENT_MALFORMED, "expected a finite floating-point number, found " + value);
        }
        return Double.toString(value);
    }
}
