package io.tributary.binlog.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.write.Dumper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All damages of a file's last 64 KiB, on copies in memory. */
class FileVerifierTest {
    private static final int TAIL = 64 << 10;
    private static final UUID SERVER = UUID.fromString(BinlogSettings.UUID);

    @TempDir
    Path folder;

    private byte[] file;
    /** Transactions before each cut, by the offset after it. */
    private final TreeMap<Long, Long> cuts = new TreeMap<>();

    @BeforeEach
    void writeAFile() throws Exception {
        Random random = new Random(3);
        try (Dumper dumper = new Dumper(BinlogSettings.in(folder))) {
            TaskStream task = new TaskStream(6, Optional.empty());
            cuts.put(dumper.files().durableEnd().offset(), 0L);
            while (dumper.files().durableEnd().offset() < TAIL) {
                if (random.nextInt(5) == 0) {
                    dumper.put(task.large(5, 200, 300));
                } else {
                    dumper.put(task.batch(1 + random.nextInt(6)));
                }
                dumper.put(task.cut());
                dumper.clock.advanceMillis(random.nextInt(300));
                dumper.run();
                cuts.put(dumper.files().durableEnd().offset(), task.gno());
            }
            file = Files.readAllBytes(dumper.files().first().path());
        }
        assertEquals(file.length, cuts.lastKey());
    }

    private static FileVerifier scan(byte[] bytes, int length) throws IOException {
        return FileVerifier.scan(
                new ReadableBytes() {
                    @Override
                    public long size() {
                        return length;
                    }

                    @Override
                    public int read(ByteBuffer into, long at) {
                        int count = (int) Math.min(into.remaining(), length - at);
                        if (count <= 0) {
                            return -1;
                        }
                        into.put(bytes, (int) at, count);
                        return count;
                    }
                },
                SERVER);
    }

    @Test
    void findsTheEndOfAnUndamagedFile() throws IOException {
        FileVerifier tail = scan(file, file.length);
        assertNull(tail.problem());
        assertFound(cuts.lastEntry(), tail, "nothing");
    }

    @Test
    void findsTheLastCutBeforeATruncationAtAnyOffset() throws IOException {
        for (int length = Math.max(0, file.length - TAIL); length < file.length; length++) {
            assertFound(cuts.floorEntry((long) length), scan(file, length), "truncated at " + length);
        }
    }

    @Test
    void findsTheLastCutBeforeAFlippedByteAtAnyOffset() throws IOException {
        Random random = new Random(11);
        for (int at = Math.max(0, file.length - TAIL); at < file.length; at++) {
            byte flip = (byte) (1 + random.nextInt(255));
            file[at] ^= flip;
            assertFound(cuts.floorEntry((long) at), scan(file, file.length), "flipped at " + at);
            file[at] ^= flip;
        }
    }

    @Test
    void findsTheLastCutBeforeGarbageOrZeroes() throws IOException {
        Random random = new Random(12);
        for (int i = 0; i < 2000; i++) {
            int at = random.nextInt(file.length);
            byte[] damaged = file.clone();
            byte[] garbage = new byte[Math.min(1 + random.nextInt(5000), file.length - at)];
            if (random.nextBoolean()) {
                random.nextBytes(garbage);
            }
            garbage[0] = (byte) (damaged[at] + 1);
            System.arraycopy(garbage, 0, damaged, at, garbage.length);
            assertFound(cuts.floorEntry((long) at), scan(damaged, file.length), "garbage at " + at);
        }
    }

    private static void assertFound(Entry<Long, Long> expected, FileVerifier tail, String damage) {
        if (expected == null) {
            assertFalse(tail.hasCut(), damage);
            return;
        }
        assertTrue(tail.hasCut(), damage);
        assertEquals(expected.getKey(), tail.end(), damage);
        assertEquals(expected.getValue(), tail.gno(), damage);
        assertEquals(expected.getValue(), tail.cut().transactions(), damage);
    }
}
