package io.tributary.dumper.serve;

import io.tributary.dumper.BinlogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The memory into which the readers of a loop read files, one after another. Those at the tail all want the same bytes when
 * there are new ones: what one has read the others find here.
 */
final class ReadBlock {
    private static final int LENGTH = 256 * 1024;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
    private BinlogFile file;
    private long from;
    private long content;

    /**
     * The bytes of a file from an offset on: at least one, at most a block, none behind {@code end}; empty where there are none.
     * Good until the next call, and not to be changed.
     */
    ByteBuffer read(BinlogFile wanted, FileChannel channel, long at, long end) throws IOException {
        if (wanted == file && at == from && bytes.limit() > 0) {
            return bytes.limit((int) Math.min(bytes.limit(), Math.max(0, end - at)));
        }
        fill(wanted, channel, at, end);
        file = wanted;
        from = at;
        return bytes;
    }

    /** The same, for one who changes what he gets. */
    ByteBuffer readToChange(BinlogFile wanted, FileChannel channel, long at, long end) throws IOException {
        fill(wanted, channel, at, end);
        return bytes;
    }

    /** Another number with each content. */
    long content() {
        return content;
    }

    private void fill(BinlogFile wanted, FileChannel channel, long at, long end) throws IOException {
        file = null;
        content++;
        bytes.clear().limit((int) Math.min(bytes.capacity(), Math.max(0, end - at)));
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, at + bytes.position()) < 0) {
                throw new IOException(wanted.name() + " ends at " + (at + bytes.position()) + ", expected " + end);
            }
        }
        bytes.flip();
    }
}
