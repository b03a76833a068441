package io.tributary.binlog.file;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.PreviousGtidsEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** One binlog file as readers see it: its name, and up to which byte it may be read. Any thread. */
public final class BinlogFile {
    private static final long NOT_READ = -1;

    private final Path path;
    private final String name;
    private final int number;
    private volatile GtidSet previousGtids;
    private volatile long firstMicros = NOT_READ;
    private volatile long written;
    private volatile boolean whole;
    private volatile long end;
    private volatile boolean finished;

    /**
     * @param end bytes that are durable and may be read
     * @param finished whether the file is complete
     * @param previousGtids null: read from the file when they are first needed
     */
    public BinlogFile(Path path, long end, boolean finished, GtidSet previousGtids) {
        this.path = path;
        this.name = path.getFileName().toString();
        this.number = BinlogDirectory.number(name);
        this.written = end;
        this.whole = finished;
        this.end = end;
        this.finished = finished;
        this.previousGtids = previousGtids;
    }

    /** Name of the file, such as {@code binlog.000001}. */
    public String name() {
        return name;
    }

    /** The number in its name, from 1. */
    public int number() {
        return number;
    }

    public Path path() {
        return path;
    }

    /** A copy of this finished file's description for the same file in another folder. */
    public BinlogFile movedTo(Path place) {
        return new BinlogFile(place, end, true, previousGtids);
    }

    /** Path of the file's sparse index. */
    public Path indexPath() {
        return path.resolveSibling(name + ".idx");
    }

    /**
     * Number of bytes that may be read: the whole of a finished file, else up to the last durable cut, and in both cases only what is
     * acknowledged. It never gets smaller.
     */
    public long end() {
        return end;
    }

    /** Whether the file ends at {@link #end()} with a ROTATE event. Call this before {@code end()}: then that end is final. */
    public boolean isFinished() {
        return finished;
    }

    /** Number of bytes that are durable on this disk, acknowledged or not: up to a cut, or up to the end of the ROTATE event. */
    public long written() {
        return written;
    }

    /** Whether {@link #written()} is after the ROTATE event. Call this before {@code written()}: then that value is final. */
    public boolean isWhole() {
        return whole;
    }

    /**
     * Commit time of the first transaction of a finished file, µs since 1970; 0 when it has no transaction. Reads its index once.
     *
     * @throws io.tributary.common.error.TributaryException as {@link SparseIndex#of}
     */
    public long firstMicros() {
        if (firstMicros == NOT_READ) {
            List<SparseEntry> entries = SparseIndex.of(this);
            firstMicros = entries.isEmpty() ? 0 : entries.get(0).commitMicros();
        }
        return firstMicros;
    }

    /**
     * All GTIDs of the files before it.
     *
     * @throws TributaryException BINLOG_CORRUPT when the file's head is damaged
     */
    public GtidSet previousGtids() {
        GtidSet known = previousGtids;
        if (known == null) {
            known = readPreviousGtids();
            previousGtids = known;
        }
        return known;
    }

    /** A channel for positional reads below {@link #end()}; the caller closes it. It stays usable when the file is purged. */
    public FileChannel open() {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw IoErrors.of(path, "open the file", e);
        }
    }

    /** When the file was created, in seconds since 1970. The file before it was finished at that time. */
    public long createdSeconds() {
        ByteBuffer head = ByteBuffer.allocate(EventHeader.FILE_MAGIC_LENGTH + EventHeader.LENGTH);
        try (FileChannel channel = open()) {
            while (head.hasRemaining() && channel.read(head, head.position()) >= 0) {}
        } catch (IOException e) {
            throw IoErrors.of(path, "read the file's head", e);
        }
        if (head.hasRemaining()) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT, path + ": expected a complete head, found the end of the file");
        }
        return EventHeader.timestamp(head, EventHeader.FILE_MAGIC_LENGTH);
    }

    /**
     * Reads this finished file from begin to end and checks every event.
     *
     * @throws TributaryException BINLOG_CORRUPT naming file and offset
     */
    public void verify() {
        try {
            FileVerifier.verified(this);
        } catch (IOException e) {
            throw IoErrors.of(path, "read the file", e);
        }
    }

    /** Sets how many bytes are durable. */
    public void write(long durable) {
        written = durable;
    }

    /** Marks the file as complete and durable up to its last byte. */
    public void complete(long lastEnd) {
        written = lastEnd;
        whole = true;
    }

    /** Takes the state that a later recovery found on disk. */
    public void write(BinlogFile found) {
        written = found.written;
        whole = found.whole;
    }

    /** Sets how many bytes may be read. */
    public void show(long newEnd) {
        end = newEnd;
    }

    /** Makes the whole file readable. */
    public void showAll() {
        end = written;
        finished = true;
    }

    /** Makes nothing of the file readable; only for a file that nobody has read. */
    public void hide() {
        finished = false;
        end = 0;
    }

    private GtidSet readPreviousGtids() {
        try (FileChannel channel = open()) {
            EventScan scan = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, written);
            while (scan.next()) {
                if (scan.type() == EventType.PREVIOUS_GTIDS_LOG_EVENT) {
                    return PreviousGtidsEvent.gtids(scan.view(), scan.viewAt(), scan.viewEnd());
                }
            }
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    path + ": expected an event of previous GTIDs, "
                            + scan.problem().orElse("found none"));
        } catch (IOException e) {
            throw IoErrors.of(path, "read the file's head", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
