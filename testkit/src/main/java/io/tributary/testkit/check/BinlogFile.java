package io.tributary.testkit.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Reads a binlog file event by event; verifies each checksum if the file has checksums. */
public final class BinlogFile implements AutoCloseable {
    private static final byte[] MAGIC = {(byte) 0xFE, 'b', 'i', 'n'};
    private static final int CHECKSUM = 4;
    private static final int FLAGS = 17;
    private static final int IN_USE = 1;
    private static final int FIRST_READ = 64 << 10;

    private final String name;
    private final FileChannel channel;
    private ByteBuffer window = ByteBuffer.allocate(FIRST_READ).limit(0);
    private long windowOffset;
    private long offset = MAGIC.length;
    private boolean checksums;
    private long tornAt = -1;

    private BinlogFile(Path file) throws IOException {
        this.name = file.getFileName().toString();
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    /** Opens a file and checks its first four bytes. */
    public static BinlogFile open(Path path) throws IOException {
        BinlogFile file = new BinlogFile(path);
        byte[] magic = new byte[MAGIC.length];
        file.channel.read(ByteBuffer.wrap(magic), 0);
        if (!Arrays.equals(magic, MAGIC)) {
            file.close();
            throw new BinlogDamage(file.name, 0, "expected a binlog's first bytes, found " + Arrays.toString(magic));
        }
        return file;
    }

    /** The next event; null at the end, or if the last event is incomplete. The caller owns its bytes. */
    public BinlogEvent next() throws IOException {
        if (!ensure(BinlogEvent.HEADER)) {
            noteTorn();
            return null;
        }
        long size = window.getInt(position() + 9) & 0xFFFFFFFFL;
        if (size < BinlogEvent.HEADER || size > Integer.MAX_VALUE - FIRST_READ) {
            throw new BinlogDamage(name, offset, "event size " + size);
        }
        if (!ensure((int) size)) {
            noteTorn();
            return null;
        }
        byte[] bytes = new byte[(int) size];
        window.get(position(), bytes);
        BinlogEvent event = event(bytes);
        offset += size;
        return event;
    }

    private BinlogEvent event(byte[] bytes) throws BinlogDamage {
        int type = bytes[4] & 0xFF;
        if (type == BinlogEvent.FORMAT_DESCRIPTION) {
            checksums = bytes[bytes.length - CHECKSUM - 1] == 1;
        }
        int length = bytes.length;
        if (checksums) {
            length -= CHECKSUM;
            byte flags = bytes[FLAGS];
            if (type == BinlogEvent.FORMAT_DESCRIPTION) {
                bytes[FLAGS] &= ~IN_USE; // set and cleared in place, outside the checksum
            }
            CRC32 crc = new CRC32();
            crc.update(bytes, 0, length);
            bytes[FLAGS] = flags;
            int stored = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(length);
            if (stored != (int) crc.getValue()) {
                throw new BinlogDamage(
                        name,
                        offset,
                        "event of type " + type + ": checksum " + Integer.toHexString(stored) + ", expected "
                                + Long.toHexString(crc.getValue()));
            }
        } else if (type == BinlogEvent.FORMAT_DESCRIPTION) {
            length -= CHECKSUM; // a format description always has a checksum
        }
        return new BinlogEvent(
                name, offset, bytes.length, ByteBuffer.wrap(bytes, 0, length).slice());
    }

    private int position() {
        return (int) (offset - windowOffset);
    }

    private boolean ensure(int wanted) throws IOException {
        if (position() + wanted <= window.limit()) {
            return true;
        }
        if (wanted > channel.size() - offset) {
            return false; // checked first: a damaged size must not cause a large allocation
        }
        if (wanted > window.capacity()) {
            window = ByteBuffer.allocate(Math.max(wanted, 2 * window.capacity()));
        }
        window.clear();
        windowOffset = offset;
        int count = 0;
        while (count >= 0 && window.hasRemaining()) {
            count = channel.read(window, windowOffset + window.position());
        }
        window.flip().order(ByteOrder.LITTLE_ENDIAN);
        return wanted <= window.limit();
    }

    private void noteTorn() throws IOException {
        if (channel.size() > offset) {
            tornAt = offset;
        }
    }

    public String name() {
        return name;
    }

    /** The start of an incomplete last event; -1 if the last event is complete. Valid after {@link #next} has returned null. */
    public long tornAt() {
        return tornAt;
    }

    /** The start of the next event. */
    public long offset() {
        return offset;
    }

    /** Whether its events have checksums; valid after the first event. */
    public boolean hasChecksums() {
        return checksums;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
