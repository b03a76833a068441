package io.tributary.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Simulates a bad disk: damages the payload that a node has written there. */
public final class BlobDamage {
    private static final long STEP = 32 << 10;

    private BlobDamage() {}

    /** Flips a bit in one byte of every 32 KiB of every blob file of a folder; returns the number of flipped bits. */
    public static int flipBytes(Path folder) throws IOException {
        List<Path> blobs;
        try (Stream<Path> files = Files.list(folder)) {
            blobs = files.filter(file -> file.toString().endsWith(".blob")).toList();
        }
        int flipped = 0;
        for (Path blob : blobs) {
            try (FileChannel channel = FileChannel.open(blob, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                for (long at = STEP / 2; at < channel.size(); at += STEP) {
                    channel.read(one.clear(), at);
                    one.put(0, (byte) (one.get(0) ^ 0x40));
                    channel.write(one.flip(), at);
                    flipped++;
                }
            }
        }
        return flipped;
    }
}
