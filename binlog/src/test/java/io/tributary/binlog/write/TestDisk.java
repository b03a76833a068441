package io.tributary.binlog.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * A file on a disk with room for a number of bytes (a write that does not fit is done in part, then refused), or on a disk that reports how
 * many bytes of each file were synced.
 */
final class TestDisk extends FileChannel {
    private final FileChannel file;
    private final AtomicLong room;
    private final LongConsumer forced;

    private TestDisk(FileChannel file, AtomicLong room, LongConsumer forced) {
        this.file = file;
        this.room = room;
        this.forced = forced;
    }

    static FileOpener after(long bytes) {
        AtomicLong room = new AtomicLong(bytes);
        return (path, options) -> new TestDisk(FileChannel.open(path, options), room, size -> {});
    }

    /**
     * A disk that reports syncs.
     *
     * @param forced called with the size of each file, before its sync has returned
     */
    static FileOpener reporting(LongConsumer forced) {
        return (path, options) -> new TestDisk(FileChannel.open(path, options), new AtomicLong(Long.MAX_VALUE), forced);
    }

    /**
     * A disk that records synced sizes.
     *
     * @param forced gets the size that each file certainly has after a loss of power
     */
    static FileOpener recording(Map<Path, Long> forced) {
        return (path, options) -> new TestDisk(
                FileChannel.open(path, options), new AtomicLong(Long.MAX_VALUE), size -> forced.put(path, size));
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        if (room.get() == 0) {
            throw new IOException("No space left on device");
        }
        int length = (int) Math.min(room.get(), from.remaining());
        ByteBuffer part = from.slice(from.position(), length);
        int done = file.write(part);
        from.position(from.position() + done);
        room.addAndGet(-done);
        return done;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (from[i].hasRemaining()) {
                return write(from[i]);
            }
        }
        return 0;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        long size = file.size();
        file.force(metadata);
        forced.accept(size);
    }

    @Override
    public FileChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    @Override
    public int read(ByteBuffer into) {
        throw new UnsupportedOperationException("not read");
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException("not read");
    }

    @Override
    public int read(ByteBuffer into, long position) {
        throw new UnsupportedOperationException("not read");
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException("not truncated");
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("not transferred");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException("not transferred");
    }

    @Override
    public int write(ByteBuffer from, long position) {
        throw new UnsupportedOperationException("not written at a position");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("not mapped");
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("not locked");
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException("not locked");
    }
}
