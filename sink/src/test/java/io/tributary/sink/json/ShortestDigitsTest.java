package io.tributary.sink.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ShortestDigitsTest {
    private static final int RANDOM = 20_000;

    private final ShortestDigits digits = new ShortestDigits();
    private final JsonOutput out = new JsonOutput();

    private String plain() {
        out.clear();
        digits.plain(out);
        return new String(out.toBytes(), StandardCharsets.US_ASCII);
    }

    private String number() {
        out.clear();
        digits.number(out);
        return new String(out.toBytes(), StandardCharsets.US_ASCII);
    }

    /** The nearest number with the fewest digits that is read as the value again. */
    private static BigDecimal shortest(BigDecimal exact, Predicate<BigDecimal> isValue) {
        for (int precision = 1; ; precision++) {
            for (RoundingMode mode : List.of(RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP)) {
                BigDecimal rounded = exact.round(new MathContext(precision, mode));
                if (isValue.test(rounded)) {
                    return rounded;
                }
            }
        }
    }

    private void checkDouble(double value) {
        digits.set(value);
        BigDecimal expected = shortest(new BigDecimal(value), text -> text.doubleValue() == value);
        assertEquals(
                0, expected.compareTo(new BigDecimal(plain())), value + " as " + number() + ", expected " + expected);
        assertEquals(0, expected.compareTo(new BigDecimal(number())), value + " as " + number());
    }

    private void checkFloat(float value) {
        digits.set(value);
        BigDecimal expected = shortest(new BigDecimal(value), text -> text.floatValue() == value);
        assertEquals(
                0, expected.compareTo(new BigDecimal(plain())), value + " as " + number() + ", expected " + expected);
        assertEquals(0, expected.compareTo(new BigDecimal(number())), value + " as " + number());
    }

    @Test
    void randomDoublesHaveTheFewestDigits() {
        Random random = new Random(7);
        for (int i = 0; i < RANDOM; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                checkDouble(value);
            }
            checkDouble(random.nextInt(1_000_000) / 1000.0);
            checkDouble(random.nextDouble());
        }
    }

    @Test
    void randomFloatsHaveTheFewestDigits() {
        Random random = new Random(8);
        for (int i = 0; i < RANDOM; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (Float.isFinite(value)) {
                checkFloat(value);
            }
            checkFloat(random.nextInt(100_000) / 100f);
        }
    }

    @Test
    void powersOfTwoAndTheirNeighboursHaveTheFewestDigits() {
        for (int power = -1074; power < 1024; power++) {
            double value = Math.scalb(1.0, power);
            List.of(value, Math.nextUp(value), Math.nextDown(value)).forEach(this::checkDouble);
        }
        for (int power = -149; power < 128; power++) {
            float value = Math.scalb(1f, power);
            List.of(value, Math.nextUp(value), Math.nextDown(value)).forEach(this::checkFloat);
        }
        checkDouble(Double.MAX_VALUE);
        checkFloat(Float.MAX_VALUE);
    }

    @Test
    void numbersHaveTheFormOfJson() {
        assertEquals(List.of("0", "0"), shown(0));
        assertEquals(List.of("-0", "-0.0"), shown(-0.0));
        assertEquals(List.of("1", "1"), shown(1));
        assertEquals(List.of("-1200", "-1200"), shown(-1200));
        assertEquals(List.of("0.002", "0.002"), shown(2e-3));
        assertEquals(List.of("0.00000012", "1.2e-7"), shown(1.2e-7));
        assertEquals(List.of("200000000000000000000000", "2e23"), shown(2e23));
        assertEquals(List.of("9007199254740992", "9007199254740992"), shown(9007199254740993d));
        assertEquals("1.7976931348623157e308", shown(Double.MAX_VALUE).get(1));
        assertEquals("5e-324", shown(Double.MIN_VALUE).get(1));
    }

    private List<String> shown(double value) {
        digits.set(value);
        return List.of(plain(), number());
    }
}
