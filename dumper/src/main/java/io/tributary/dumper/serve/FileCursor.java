package io.tributary.dumper.serve;

import io.tributary.dumper.BinlogFile;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A reader's place in one binlog file, up to where the file may be read. For one thread. */
final class FileCursor implements AutoCloseable {
    private final BinlogFile file;
    private final Horizon horizon;
    private final FileChannel channel;
    private long at = EventHeader.FILE_MAGIC_LENGTH;

    FileCursor(BinlogFile file, Horizon horizon) {
        this.file = file;
        this.horizon = horizon;
        this.channel = file.open();
    }

    BinlogFile file() {
        return file;
    }

    String name() {
        return file.name();
    }

    /** Offset of the next byte. */
    long at() {
        return at;
    }

    void advance(long bytes) {
        at += bytes;
    }

    /** Whether the file is finished and read to its end. */
    boolean isAtEnd() {
        return horizon.isFinished(file) && at >= horizon.end(file);
    }

    /**
     * Reads the file's FORMAT_DESCRIPTION into the block and goes to a position behind it.
     *
     * @param position where a reader begins; in the middle of the file the event is changed to log_pos 0, as nothing there follows it
     * @return the block, with the event at 0
     * @throws DumpRefusal when no event begins at the position
     */
    ByteBuffer begin(long position, ByteBuffer block) throws IOException {
        boolean inTheMiddle = position > at;
        if (inTheMiddle) {
            requireEventAt(position, block);
        }
        read(block, at, file.end());
        int size = EventHeader.size(block, 0);
        if (block.limit() < size || EventHeader.type(block, 0) != EventType.FORMAT_DESCRIPTION_EVENT) {
            throw new DumpRefusal(name() + " does not begin with a FORMAT_DESCRIPTION event");
        }
        if (inTheMiddle) {
            EventHeader.setLogPos(block, 0, 0);
            new Checksum().append(block, 0);
        }
        at = Math.max(position, at + size);
        return block;
    }

    /** A position in the middle of an event is refused, as MySQL does. */
    private void requireEventAt(long position, ByteBuffer block) throws IOException {
        long end = file.end();
        if (position > end) {
            throw new DumpRefusal("Client requested source to start replication from position > file size; " + name()
                    + " has " + end);
        }
        if (position == end) {
            return;
        }
        read(block, position, end);
        boolean isEvent = block.limit() >= EventHeader.LENGTH
                && EventHeader.size(block, 0) >= EventHeader.LENGTH
                && position + EventHeader.size(block, 0) <= end
                && EventHeader.logPos(block, 0) == (position + EventHeader.size(block, 0) & 0xffff_ffffL);
        if (!isEvent) {
            throw new DumpRefusal("bogus data in log event: no event begins at position " + position + " of " + name());
        }
    }

    /**
     * Fills the block with the next bytes, as many as fit and may be read; the cursor stays.
     *
     * @return how many may be read, those of the block among them: the file's end moves on all the time, whoever asks for it twice
     *     finds an event behind the end that he knows
     */
    long read(ByteBuffer block) throws IOException {
        long end = horizon.end(file);
        read(block, at, end);
        return end - at;
    }

    private void read(ByteBuffer block, long from, long end) throws IOException {
        block.clear().limit((int) Math.min(block.capacity(), Math.max(0, end - from)));
        while (block.hasRemaining()) {
            if (channel.read(block, from + block.position()) < 0) {
                throw new IOException(name() + " ends at " + (from + block.position()) + ", expected " + end);
            }
        }
        block.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** File and offset, as messages name them. */
    @Override
    public String toString() {
        return name() + ":" + at;
    }
}
