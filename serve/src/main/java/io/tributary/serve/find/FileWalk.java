package io.tributary.serve.find;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A walk over the events of one file, from one of them up to an end. */
final class FileWalk implements AutoCloseable {
    private final BinlogFile file;
    private final FileChannel channel;
    private final EventScan events;

    /**
     * Begins a walk.
     *
     * @param end after an event, at most the end of the file
     */
    FileWalk(BinlogFile file, long from, long end) {
        this.file = file;
        this.channel = file.open();
        this.events = new EventScan(ReadableBytes.of(channel), from, Math.max(from, end));
    }

    EventScan events() {
        return events;
    }

    /** Offset of the next event. */
    long at() {
        return events.end();
    }

    /**
     * Moves to the next event; false after the last.
     *
     * @throws TributaryException BINLOG_CORRUPT when no valid event begins there
     */
    boolean next() throws IOException {
        if (events.next()) {
            return true;
        }
        if (events.problem().isPresent()) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    file.path() + ": " + events.problem().get());
        }
        return false;
    }

    /** Fills the buffer with the bytes from an offset on. */
    void read(ByteBuffer into, long offset) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into, offset + into.position()) < 0) {
                throw new IOException(file.name() + " ends within an event at " + offset);
            }
        }
        into.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
