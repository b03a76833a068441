package io.tributary.sink.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonOutputTest {
    private final JsonOutput out = new JsonOutput();

    private String text() {
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void integersHaveTheirDigits() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            assertEquals(Long.toString(value), integer(value));
            assertEquals(Long.toUnsignedString(value), unsigned(value));
        }
        for (long power = 1; power > 0 && power <= 1_000_000_000_000_000_000L; power *= 10) {
            assertEquals(Long.toString(power), integer(power));
            assertEquals(Long.toString(power - 1), integer(power - 1));
            assertEquals(Long.toString(-power), integer(-power));
            if (power == 1_000_000_000_000_000_000L) {
                break;
            }
        }
        assertEquals("-9223372036854775808", integer(Long.MIN_VALUE));
        assertEquals("18446744073709551615", unsigned(-1));
        assertEquals("000042", new String(out.clear().padded(42, 6).toBytes(), StandardCharsets.US_ASCII));
        assertEquals("7", new String(out.clear().padded(7, 1).toBytes(), StandardCharsets.US_ASCII));
    }

    private String integer(long value) {
        out.clear().integer(value);
        return text();
    }

    private String unsigned(long value) {
        out.clear().unsigned(value);
        return text();
    }

    @Test
    void stringsAreReadAsTheyWere() throws Exception {
        ObjectMapper json = new ObjectMapper();
        Random random = new Random(2);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(40);
            while (text.length() < length) {
                int kind = random.nextInt(20);
                text.appendCodePoint(
                        kind == 0
                                ? random.nextInt(32)
                                : kind == 1
                                        ? "\"\\/\u007f".charAt(random.nextInt(4))
                                        : kind == 2
                                                ? 0x1f600 + random.nextInt(50)
                                                : kind == 3 ? 0x80 + random.nextInt(0x700) : 'a' + random.nextInt(26));
            }
            out.clear().string(text.toString());
            assertEquals(text.toString(), json.readTree(out.toBytes()).textValue());
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            out.clear()
                    .character('"')
                    .utf8(ByteBuffer.wrap(bytes), 0, bytes.length)
                    .character('"');
            assertEquals(text.toString(), json.readTree(out.toBytes()).textValue());
        }
    }

    @Test
    void everyByteIsEscapedAtEachPlaceOfEightBytes() throws Exception {
        ObjectMapper json = new ObjectMapper();
        for (int one = 0; one < 128; one++) {
            for (int at = 0; at < 24; at++) {
                byte[] bytes = new byte[24];
                Arrays.fill(bytes, (byte) 'x');
                bytes[at] = (byte) one;
                out.clear().character('"').utf8(bytes, 0, bytes.length).character('"');
                assertEquals(
                        new String(bytes, StandardCharsets.US_ASCII),
                        json.readTree(out.toBytes()).textValue());
            }
        }
    }

    @Test
    void bytesAreBase64WithZerosAfterThem() {
        Random random = new Random(3);
        for (int length = 0; length < 50; length++) {
            for (int zeros = 0; zeros < 5; zeros++) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                out.clear().base64(ByteBuffer.wrap(bytes), 0, length, zeros);
                assertEquals(Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, length + zeros)), text());
            }
        }
    }

    @Test
    void integersAreTheBytesOfKafkaConnectsDecimal() {
        Random random = new Random(4);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            StoredDecimal.appendUnscaled(out.clear(), value);
            assertEquals(BigInteger.valueOf(value), decoded());
            assertEquals(
                    BigInteger.valueOf(value).toByteArray().length,
                    Base64.getDecoder().decode(text()).length);
            StoredDecimal.appendUnsigned(out.clear(), value);
            assertEquals(new BigInteger(Long.toUnsignedString(value)), decoded());
        }
    }

    private BigInteger decoded() {
        return new BigInteger(Base64.getDecoder().decode(text()));
    }
}
