package io.tributary.common.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LittleEndianTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsWhatItWroteWhateverTheOrderOfTheBuffer(boolean direct) {
        ByteBuffer buf = direct ? ByteBuffer.allocateDirect(64) : ByteBuffer.allocate(64);
        buf.order(direct ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        LittleEndian.putU8(buf, 0, 0x1fe);
        LittleEndian.putU16(buf, 1, 0x1fedc);
        LittleEndian.putU24(buf, 3, 0xfedcba);
        LittleEndian.putU32(buf, 6, 0xfedcba98L);
        LittleEndian.putU48(buf, 10, 0xfedcba987654L);
        LittleEndian.putU56(buf, 16, 0xfedcba98765432L);
        LittleEndian.putLong(buf, 23, 0xfedcba9876543210L);

        assertEquals(0xfe, LittleEndian.getU8(buf, 0));
        assertEquals(0xfedc, LittleEndian.getU16(buf, 1));
        assertEquals((byte) 0xdc, buf.get(1));
        assertEquals(0xfedcba, LittleEndian.getU24(buf, 3));
        assertEquals(0xfedcba98, LittleEndian.getInt(buf, 6));
        assertEquals(0xfedcba98L, LittleEndian.getU32(buf, 6));
        assertEquals(0xfedcba987654L, LittleEndian.getU48(buf, 10));
        assertEquals(0xfedcba98765432L, LittleEndian.getU56(buf, 16));
        assertEquals(0xfedcba9876543210L, LittleEndian.getLong(buf, 23));
        assertEquals(0, buf.position());
    }

    @Test
    void readsArraysAsItReadsBuffers() {
        byte[] array = new byte[32];
        LittleEndian.putU8(array, 0, 0xfe);
        LittleEndian.putU16(array, 1, 0xfedc);
        LittleEndian.putU24(array, 3, 0xfedcba);
        LittleEndian.putU32(array, 6, 0xfedcba98L);
        LittleEndian.putU48(array, 10, 0xfedcba987654L);
        LittleEndian.putLong(array, 16, 0xfedcba9876543210L);

        ByteBuffer buf = ByteBuffer.wrap(array);
        assertEquals(LittleEndian.getU8(buf, 0), LittleEndian.getU8(array, 0));
        assertEquals(LittleEndian.getU16(buf, 1), LittleEndian.getU16(array, 1));
        assertEquals(LittleEndian.getU24(buf, 3), LittleEndian.getU24(array, 3));
        assertEquals(LittleEndian.getU32(buf, 6), LittleEndian.getU32(array, 6));
        assertEquals(LittleEndian.getInt(buf, 6), LittleEndian.getInt(array, 6));
        assertEquals(LittleEndian.getU48(buf, 10), LittleEndian.getU48(array, 10));
        assertEquals(LittleEndian.getLong(buf, 16), LittleEndian.getLong(array, 16));
    }

    @Test
    void refusesToReadPastTheLimit() {
        ByteBuffer buf = ByteBuffer.allocate(16).limit(7);
        assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.getLong(buf, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.getU16(buf, 6));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 250, 251, 0xffff, 0x10000, 0xffffff, 0x1000000, 0xffffffffL, Long.MAX_VALUE, -1})
    void packsIntegersInTheShortestForm(long value) {
        ByteBuffer buf = ByteBuffer.allocate(PackedInteger.MAX_LENGTH);
        int end = PackedInteger.put(buf, 0, value);
        assertEquals(value, PackedInteger.get(buf, 0));
        assertEquals(PackedInteger.length(value), end);
        assertEquals(end, PackedInteger.lengthByFirst(LittleEndian.getU8(buf, 0)));
        PackedInteger.putLongest(buf, 0, value);
        assertEquals(value, PackedInteger.get(buf, 0));
    }

    @Test
    void refusesAnInvalidPackedInteger() {
        ByteBuffer buf = ByteBuffer.allocate(9).put(0, (byte) 251);
        assertThrows(IllegalArgumentException.class, () -> PackedInteger.get(buf, 0));
    }
}
