package io.tributary.binlog.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Bytes that are read by position: from a file or from a copy of it in memory. */
public interface ReadableBytes {
    long size() throws IOException;

    /** As {@link FileChannel#read(ByteBuffer, long)}. */
    int read(ByteBuffer into, long at) throws IOException;

    static ReadableBytes of(FileChannel channel) {
        return new ReadableBytes() {
            @Override
            public long size() throws IOException {
                return channel.size();
            }

            @Override
            public int read(ByteBuffer into, long at) throws IOException {
                return channel.read(into, at);
            }
        };
    }
}
