package io.tributary.mysql.protocol.client;

import io.tributary.common.io.LittleEndian;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32;

/** Blocks of events with random bodies, correct lengths in their headers, and checksums. */
final class TestEvents {
    static final int HEADER = 19;
    private static final int ROWS = 30;

    private TestEvents() {}

    static ByteBuffer block(Random random, int... lengths) {
        int size = 0;
        for (int length : lengths) {
            size += length;
        }
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        ByteBuffer block = ByteBuffer.wrap(bytes);
        int at = 0;
        for (int length : lengths) {
            block.put(at + 4, (byte) ROWS);
            LittleEndian.putInt(block, at + 9, length);
            checksum(block, at, length);
            at += length;
        }
        return block;
    }

    static void checksum(ByteBuffer block, int at, int length) {
        LittleEndian.putInt(block, at + length - 4, expectedChecksum(block, at, length));
    }

    static int expectedChecksum(ByteBuffer block, int at, int length) {
        CRC32 crc = new CRC32();
        crc.update(block.duplicate().limit(at + length - 4).position(at));
        return (int) crc.getValue();
    }

    /** Frames events as a server does, one packet each (below 16 MiB), with sequence ids from 1 on. */
    static byte[] framed(ByteBuffer block, int... lengths) {
        byte[] framed = new byte[block.capacity() + 5 * lengths.length];
        int at = 0;
        int to = 0;
        for (int i = 0; i < lengths.length; i++) {
            LittleEndian.putInt(framed, to, lengths[i] + 1 | (i + 1) << 24);
            block.get(at, framed, to + 5, lengths[i]);
            at += lengths[i];
            to += 5 + lengths[i];
        }
        return framed;
    }
}
