package io.tributary.mysql.protocol.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdCodecTest {
    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] decompressed(ZstdCodec codec, byte[] block, int length) {
        codec.nextBlock(length);
        ByteBuffer to = ByteBuffer.allocateDirect(length + 1);
        assertTrue(codec.decompress(direct(block), to));
        byte[] bytes = new byte[to.flip().remaining()];
        to.get(bytes);
        return bytes;
    }

    /** As clients send them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 19, 22})
    void aBlockOfAnyLevelAndLengthIsRead(int level) {
        Random random = new Random(level);
        ZstdCodec codec = new ZstdCodec(3);
        for (int length : new int[] {1, 50, 1023, 1024, 1025, 70_000, 1 << 20, (1 << 20) + 1, 9_000_000}) {
            byte[] content = new byte[length];
            random.nextBytes(content);
            Arrays.fill(content, length / 2, length, (byte) 3);
            assertArrayEquals(content, decompressed(codec, Zstd.compress(content, level), length));
        }
        codec.close();
    }

    /** The memory for a block is that of its length, whatever its frame states. */
    @Test
    void aSmallBlockWithALargeWindowIsRefused() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(frame)) {
            out.setLong(23);
            out.write(new byte[100]);
        }
        ZstdCodec codec = new ZstdCodec(3);
        codec.nextBlock(100);
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> codec.decompress(direct(frame.toByteArray()), ByteBuffer.allocateDirect(200)));
        assertTrue(refusal.getMessage().contains("memory"), refusal.getMessage());
        assertEquals(100, decompressed(codec, frame.toByteArray(), 8 << 20).length);
        codec.close();
    }
}
