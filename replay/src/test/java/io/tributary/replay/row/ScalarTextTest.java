package io.tributary.replay.row;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.mysql.event.ColumnType;
import io.tributary.schema.rows.convert.DecimalDigits;
import io.tributary.schema.rows.convert.RowBytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests texts of numbers and times, written into buffers that are too small, against the JDK's. */
class ScalarTextTest {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
    private static final int RANDOM = 100_000;

    private static String text(ScalarText column, ByteBuffer view) {
        ByteBuf out = Unpooled.buffer(1);
        column.append(out, view, 0);
        return out.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void decimalsOfEachPrecisionAndScale() {
        var random = new SplittableRandom(1);
        for (int precision = 1; precision <= 65; precision++) {
            for (int scale = 0; scale <= Math.min(30, precision); scale++) {
                ScalarText column = new ScalarText(ColumnType.MYSQL_TYPE_NEWDECIMAL, 0, precision | scale << 8, false);
                for (int i = 0; i < 10; i++) {
                    int digits = i == 0 ? precision : random.nextInt(precision + 1);
                    BigInteger most = BigInteger.TEN.pow(digits);
                    byte[] bits = new byte[1 + most.bitLength() / 8];
                    random.nextBytes(bits);
                    BigInteger unscaled = i == 0 ? most.subtract(BigInteger.ONE) : new BigInteger(1, bits).mod(most);
                    BigDecimal value = new BigDecimal(i % 2 == 0 ? unscaled : unscaled.negate(), scale);
                    assertEquals(value.toPlainString(), text(column, stored(value, precision, scale)));
                }
            }
        }
    }

    private static ByteBuffer stored(BigDecimal value, int precision, int scale) {
        DecimalDigits digits = new DecimalDigits();
        digits.set(value);
        RowBytes out = new RowBytes();
        assertEquals(true, digits.write(precision, scale, out));
        return out.buffer();
    }

    @Test
    void integersOfEachLength() {
        ScalarText signed = new ScalarText(ColumnType.MYSQL_TYPE_LONGLONG, 8, 0, false);
        ScalarText unsigned = new ScalarText(ColumnType.MYSQL_TYPE_LONGLONG, 8, 0, true);
        var random = new SplittableRandom(2);
        for (int i = 0; i < RANDOM; i++) {
            long value = i < 64 ? 1L << i : random.nextLong() >> random.nextInt(64);
            ByteBuffer view = ByteBuffer.allocate(8).putLong(0, Long.reverseBytes(value));
            assertEquals(Long.toString(value), text(signed, view));
            assertEquals(Long.toUnsignedString(value), text(unsigned, view));
        }
        for (long power = 1; power > 0 && power < Long.MAX_VALUE / 10; power *= 10) {
            for (long value = power - 1; value <= power + 1; value++) {
                ByteBuffer view = ByteBuffer.allocate(8).putLong(0, Long.reverseBytes(value));
                assertEquals(Long.toString(value), text(signed, view));
            }
        }
    }

    @Test
    void timestampsOfEachDay() {
        ScalarText column = new ScalarText(ColumnType.MYSQL_TYPE_TIMESTAMP2, 4, 0, false);
        var random = new SplittableRandom(3);
        for (long day = 0; day <= 0xffff_ffffL / 86_400; day++) {
            long seconds = Math.max(1, Math.min(0xffff_ffffL, day * 86_400 + random.nextInt(86_400)));
            ByteBuffer view = ByteBuffer.allocate(4).putInt(0, (int) seconds);
            assertEquals(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC).format(FORM), text(column, view));
        }
        assertEquals("0000-00-00 00:00:00", text(column, ByteBuffer.allocate(4)));
    }
}
