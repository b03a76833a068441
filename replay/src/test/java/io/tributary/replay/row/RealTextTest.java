package io.tributary.replay.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the digits of floating-point numbers: they give the number back, there are no fewer that do, and no nearer ones. */
class RealTextTest {
    private static final int RANDOM = 200_000;

    private static String text(double value) {
        ByteBuf out = Unpooled.buffer(1);
        RealText.append(out, value);
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static String text(float value) {
        ByteBuf out = Unpooled.buffer(1);
        RealText.append(out, value);
        return out.toString(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "1, 1",
        "-1.5, -1.5",
        "100, 100",
        "0.001, 0.001",
        "123456789012345, 123456789012345",
        "999999999999999, 999999999999999",
        "1e15, 1e15",
        "1234567890123456, 1.234567890123456e15",
        "1234567890123456.8, 1234567890123456.8",
        "123456789012345.67, 123456789012345.67",
        "9007199254740993, 9.007199254740992e15",
        "1e-14, 0.00000000000001",
        "1e-15, 0.000000000000001",
        "9.87e-15, 0.00000000000000987",
        "1e-16, 1e-16",
        "1.5e-16, 1.5e-16",
        "2e23, 2e23",
        "1e23, 1e23",
        "2.2250738585072014E-308, 2.2250738585072014e-308",
        "4.9e-324, 5e-324",
        "9.9e-324, 1e-323",
        "1.7976931348623157e308, 1.7976931348623157e308",
        "9223372036854775808, 9.223372036854776e18",
        "0.3, 0.3",
        "2.0E-3, 0.002"
    })
    void theUsualFormIsThatOfAServer(double value, String expected) {
        assertEquals(expected, text(value));
    }

    @ParameterizedTest
    @CsvSource({
        "1.4e-45, 1e-45",
        "3.4028235e38, 3.4028235e38",
        "1.17549435e-38, 1.1754944e-38",
        "16777216, 16777216",
        "0.1, 0.1",
        "-33554432, -33554432",
        "8.5899346e9, 8589935000"
    })
    void aFloatHasTheDigitsOfAFloat(float value, String expected) {
        assertEquals(expected, text(value));
    }

    @Test
    void randomDoublesHaveTheFewestAndNearestDigits() {
        var random = new SplittableRandom(4);
        for (int i = 0; i < RANDOM; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value) && value != 0) {
                assertShortest(value, text(value));
            }
        }
        for (int exponent = -1074; exponent <= 1023; exponent++) {
            double power = Math.scalb(1.0, exponent);
            assertShortest(power, text(power));
            assertShortest(Math.nextDown(power), text(Math.nextDown(power)));
            assertShortest(Math.nextUp(power), text(Math.nextUp(power)));
        }
        for (int i = 0; i < RANDOM; i++) {
            double value = random.nextInt(1 << 30) / Math.pow(10, random.nextInt(10));
            if (value != 0) {
                assertShortest(value, text(value));
            }
        }
    }

    private static void assertShortest(double value, String text) {
        if (value == 0) {
            return;
        }
        assertEquals(value, Double.parseDouble(text), text);
        BigDecimal digits = new BigDecimal(text).stripTrailingZeros();
        BigDecimal exact = new BigDecimal(value);
        BigDecimal nearest = exact.round(new MathContext(digits.precision(), RoundingMode.HALF_EVEN));
        boolean isNearest = nearest.compareTo(digits) == 0;
        // below a power of two the nearest one may give the number below back
        assertEquals(true, isNearest || nearest.doubleValue() != value, () -> text + " is not nearest to " + exact);
        if (digits.precision() > 1) {
            MathContext fewer = new MathContext(digits.precision() - 1, RoundingMode.FLOOR);
            MathContext more = new MathContext(digits.precision() - 1, RoundingMode.CEILING);
            assertEquals(false, exact.round(fewer).doubleValue() == value, () -> text + " has too many digits");
            assertEquals(false, exact.round(more).doubleValue() == value, () -> text + " has too many digits");
        }
    }

    @Test
    void randomFloatsHaveTheFewestDigits() {
        var random = new SplittableRandom(5);
        for (int i = 0; i < RANDOM; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (!Float.isFinite(value) || value == 0) {
                continue;
            }
            String text = text(value);
            assertEquals(value, Float.parseFloat(text), text);
            BigDecimal digits = new BigDecimal(text).stripTrailingZeros();
            if (digits.precision() > 1) {
                MathContext fewer = new MathContext(digits.precision() - 1, RoundingMode.HALF_EVEN);
                BigDecimal next = new BigDecimal(value).round(fewer);
                assertEquals(false, next.floatValue() == value, () -> text + " has too many digits");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aNumberThatNoServerStoresIsRefused(double value) {
        assertEquals(
                ErrorCode.EVENT_MALFORMED,
                assertThrows(TributaryException.class, () -> text(value)).code());
        assertThrows(TributaryException.class, () -> text((float) value));
    }
}
