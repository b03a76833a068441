package io.tributary.binlog.replicate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** A digest (CRC-32C and CRC-32) of a file's first bytes, computed in steps. Two Dumpers with the same digest have the same bytes. */
final class FileDigest {
    private static final int STEP = 8 << 20;
    private static final int PIECE = 1 << 20;

    private final FileChannel channel;
    private final long length;
    private final Checksum upper = new CRC32C();
    private final Checksum lower = new CRC32();
    private final ByteBuffer piece;
    private long at;

    /** @param length at most the file's size */
    FileDigest(FileChannel channel, long length) {
        this.channel = channel;
        this.length = length;
        this.piece = ByteBuffer.allocate((int) Math.max(1, Math.min(PIECE, length)));
    }

    /** Computes the whole digest at once. */
    static long of(FileChannel channel, long length) throws IOException {
        FileDigest digest = new FileDigest(channel, length);
        while (!digest.step()) {}
        return digest.value();
    }

    /** Reads the next MiBs; returns whether the digest is complete. */
    boolean step() throws IOException {
        long stop = Math.min(length, at + STEP);
        while (at < stop) {
            piece.clear().limit((int) Math.min(piece.capacity(), stop - at));
            while (piece.hasRemaining()) {
                if (channel.read(piece, at + piece.position()) < 0) {
                    throw new IOException("the file ended at " + (at + piece.position()) + ", not at " + length);
                }
            }
            at += piece.limit();
            upper.update(piece.array(), 0, piece.limit());
            lower.update(piece.array(), 0, piece.limit());
        }
        return at == length;
    }

    long value() {
        return upper.getValue() << 32 | lower.getValue();
    }
}
