package io.tributary.serve.dump;

import io.tributary.binlog.file.BinlogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The memory into which the readers of an event loop read files, one after another. Readers at the end of the binlog need the same new bytes:
 * after the first one has read them, the others find them here.
 */
final class ReadBlock {
    private static final int LENGTH = 256 * 1024;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    private BinlogFile file;
    private long from;
    private long content;

    /**
     * The bytes of a file from an offset on: at least one, at most a block, none after {@code end}; empty when there are none. Valid until the
     * next call; must not be changed.
     */
    ByteBuffer read(BinlogFile source, FileChannel channel, long at, long end) throws IOException {
        if (source == file && at == from && bytes.limit() > 0) {
            return bytes.limit((int) Math.min(bytes.limit(), Math.max(0, end - at)));
        }
        fill(source, channel, at, end);
        file = source;
        from = at;
        return bytes;
    }

    /** As {@link #read}, for a caller that changes the bytes. */
    ByteBuffer readToChange(BinlogFile source, FileChannel channel, long at, long end) throws IOException {
        fill(source, channel, at, end);
        return bytes;
    }

    /** A number that is different for each content. */
    long content() {
        return content;
    }

    private void fill(BinlogFile source, FileChannel channel, long at, long end) throws IOException {
        file = null;
        content++;
        bytes.clear().limit((int) Math.min(bytes.capacity(), Math.max(0, end - at)));
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, at + bytes.position()) < 0) {
                throw new IOException(source.name() + " ends at " + (at + bytes.position()) + ", expected " + end);
            }
        }
        bytes.flip();
    }
}
