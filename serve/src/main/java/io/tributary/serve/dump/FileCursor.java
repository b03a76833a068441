package io.tributary.serve.dump;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

/** A reader's position in one binlog file, up to the readable end of the file. For one thread. */
final class FileCursor implements AutoCloseable {
    /** Bytes that are enough for an event's header and the names in a table map. */
    private static final int HEAD = 1024;

    /** Positions in events, and those that a reader without GTIDs sends, have 32 bits. */
    private static final long POSITIONS = 1L << 32;

    private final BinlogFile file;
    private final ReadLimit limit;
    private final Runnable release;
    private final FileChannel channel;
    private long at = EventHeader.FILE_MAGIC_LENGTH;
    private long skippedTo; // the number for which the index was searched last; 0 for none

    /**
     * Opens a file that the caller holds.
     *
     * @param release releases the file; run once, when this is closed or cannot be opened
     */
    FileCursor(BinlogFile file, ReadLimit limit, Runnable release) {
        this.file = file;
        this.limit = limit;
        this.release = release;
        try {
            this.channel = file.open();
        } catch (RuntimeException e) {
            release.run();
            throw e;
        }
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

    /** Skips to a transaction before the one of this number, as near as the index allows; never back. A file without an index is read completely. */
    void skipTo(long gno) {
        if (gno > skippedTo) {
            skippedTo = gno;
            at = Files.exists(file.indexPath())
                    ? Math.max(at, SparseIndex.offsetBefore(SparseIndex.of(file), SparseEntry::gno, gno))
                    : at;
        }
    }

    /** Whether the file is finished and read to its end. */
    boolean isAtEnd() {
        return limit.isFinished(file) && at >= limit.end(file);
    }

    /**
     * Reads the file's FORMAT_DESCRIPTION event into the block and moves to a position after it.
     *
     * @param position where a reader begins; for a position in the middle of the file the event gets log_pos 0, because its successor is missing
     * @return the block, with the event at 0
     * @throws DumpRefusal when no event begins at the position
     */
    ByteBuffer begin(long position, ReadBlock block) throws IOException {
        boolean inTheMiddle = position > at;
        if (inTheMiddle) {
            requireEventAt(position, block);
        }
        ByteBuffer head = block.readToChange(file, channel, at, file.end());
        int size = EventHeader.size(head, 0);
        if (head.limit() < size || EventHeader.type(head, 0) != EventType.FORMAT_DESCRIPTION_EVENT) {
            throw new DumpRefusal(name() + " does not begin with a FORMAT_DESCRIPTION event");
        }
        if (inTheMiddle) {
            EventHeader.setLogPos(head, 0, 0);
            new Checksum().append(head, 0);
        }
        at = Math.max(position, at + size);
        return head;
    }

    /** Refuses a position in the middle of an event, as MySQL does. */
    private void requireEventAt(long position, ReadBlock block) throws IOException {
        long end = file.end();
        if (position > end) {
            throw new DumpRefusal("Client requested source to start replication from position > file size; " + name()
                    + " has " + end);
        }
        if (position == end) {
            return;
        }
        ByteBuffer event = block.read(file, channel, position, end);
        boolean isEvent = event.limit() >= EventHeader.LENGTH
                && EventHeader.size(event, 0) >= EventHeader.LENGTH
                && position + EventHeader.size(event, 0) <= end
                && EventHeader.logPos(event, 0) == (position + EventHeader.size(event, 0) & 0xffff_ffffL);
        if (!isEvent) {
            throw new DumpRefusal("bogus data in log event: no event begins at position " + position + " of " + name());
        }
        if (end > POSITIONS && isInTransaction(EventType.category(EventHeader.type(event, 0)))) {
            throw new DumpRefusal(
                    "expected a position between two transactions: " + name() + " has a transaction of more than"
                            + " 4 GiB, in which a position of 32 bits means several places, found " + position
                            + "; read by GTID, or from the beginning of the file");
        }
    }

    private static boolean isInTransaction(EventCategory category) {
        return switch (category) {
            case STATEMENT, STATEMENT_CONTEXT, TABLE_MAP, ROWS, ROWS_QUERY, COMMIT -> true;
            default -> false;
        };
    }

    /** The end of what the reader may read now. It may grow between two calls: a second call may then include a further event. */
    long end() {
        return limit.end(file);
    }

    /**
     * Reads the next bytes up to an {@link #end()}, as many as fit into a block; the position does not change.
     *
     * @param changes whether the caller changes them: then no other reader gets them
     */
    ByteBuffer read(ReadBlock block, long end, boolean changes) throws IOException {
        return changes ? block.readToChange(file, channel, at, end) : block.read(file, channel, at, end);
    }

    /**
     * The size of an event in a block that begins at the position.
     *
     * @param left number of bytes that may be read from the position on
     * @throws TributaryException BINLOG_CORRUPT when no event has that size
     */
    long sizeOf(ByteBuffer block, int next, long left) {
        long size = Integer.toUnsignedLong(EventHeader.size(block, next));
        if (size < EventHeader.LENGTH || size > left - next) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    "expected an event " + next + " bytes after " + this + ", found a size of " + size);
        }
        return size;
    }

    /** Fills the buffer with bytes from an offset on; the position does not change. */
    void head(ByteBuffer into, long offset) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into, offset + into.position()) < 0) {
                throw new IOException(name() + " ends within an event at " + offset);
            }
        }
        into.flip();
    }

    /** Receives events: the first bytes of each and its offset. */
    interface Visitor {
        Object visit(ByteBuffer view, int at, long offset) throws IOException;
    }

    /**
     * Passes the events of the transaction that contains a position, up to that position: a filter must have seen them. The cursor's position
     * does not change.
     */
    void walkTo(long position, Visitor visitor) throws IOException {
        if (position <= EventHeader.FILE_MAGIC_LENGTH) {
            return;
        }
        ByteBuffer view = ByteBuffer.allocate(HEAD);
        long offset = SparseIndex.offsetBefore(SparseIndex.of(file), SparseEntry::offset, position);
        while (offset < position) {
            view.clear().limit((int) Math.min(HEAD, file.end() - offset));
            head(view, offset);
            visitor.visit(view, 0, offset);
            offset += Integer.toUnsignedLong(EventHeader.size(view, 0));
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            release.run();
        }
        channel.close();
    }

    /** File and offset, for messages. */
    @Override
    public String toString() {
        return name() + ":" + at;
    }
}
