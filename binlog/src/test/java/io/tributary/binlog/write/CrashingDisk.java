package io.tributary.binlog.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A disk that loses, in a crash, any part of the unsynced bytes; sometimes garbage replaces them. */
public final class CrashingDisk implements FileOpener {
    private static final int MAX_GARBAGE = 200;

    private final Map<Path, Long> forced = new TreeMap<>(); // in order, so that a seed replays in any folder

    @Override
    public FileChannel open(Path path, OpenOption... options) throws IOException {
        long there = Files.exists(path) ? Files.size(path) : 0; // a recovery has synced it
        forced.put(path, there);
        return TestDisk.recording(forced).open(path, options);
    }

    /** Simulates a crash of the machine; none of its files may be open. */
    public void crash(Random random) throws IOException {
        for (Map.Entry<Path, Long> entry : forced.entrySet()) {
            Path path = entry.getKey();
            if (!Files.exists(path)) {
                continue;
            }
            long size = Files.size(path);
            long kept = Math.min(size, entry.getValue());
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                file.truncate(kept + random.nextLong(size - kept + 1));
                if (size > kept && random.nextInt(3) == 0) {
                    byte[] garbage = new byte[random.nextInt(MAX_GARBAGE)];
                    random.nextBytes(garbage);
                    file.write(ByteBuffer.wrap(garbage), file.size());
                }
            }
        }
        forced.clear();
    }
}
