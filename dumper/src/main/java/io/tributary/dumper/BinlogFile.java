package io.tributary.dumper;

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

/** One binlog file, as its readers see it: its name, and how far it may be read. Any thread. */
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
     * @param end bytes that are durable, and may be read
     * @param finished whether nothing follows
     * @param previousGtids null: read from the file when asked for
     */
    BinlogFile(Path path, long end, boolean finished, GtidSet previousGtids) {
        this.path = path;
        this.name = path.getFileName().toString();
        this.number = BinlogDirectory.number(name);
        this.written = end;
        this.whole = finished;
        this.end = end;
        this.finished = finished;
        this.previousGtids = previousGtids;
    }

    /** Such as {@code binlog.000001}. */
    public String name() {
        return name;
    }

    /** The number in its name, 1 up. */
    public int number() {
        return number;
    }

    public Path path() {
        return path;
    }

    /** A finished file as it is found at another place. */
    public BinlogFile movedTo(Path place) {
        return new BinlogFile(place, end, true, previousGtids);
    }

    /** The file with its sparse index. */
    public Path indexPath() {
        return path.resolveSibling(name + ".idx");
    }

    /**
     * Bytes from its beginning that may be read: all of a finished one, else up to the last durable cut, and of both no more than what
     * is acknowledged. Never less than before.
     */
    public long end() {
        return end;
    }

    /** Whether it ends at {@link #end()} with a ROTATE event. Ask this before the end: then the end is the last one. */
    public boolean isFinished() {
        return finished;
    }

    /** Bytes from its beginning that are durable on this disk, whether they are acknowledged or not: at a cut, or behind the ROTATE event. */
    public long written() {
        return written;
    }

    /** Whether {@link #written()} is behind its ROTATE event. Ask this before: then it is the last one. */
    public boolean isWhole() {
        return whole;
    }

    /**
     * When the first transaction of a finished file was committed, µs since 1970; 0 where it holds none. Its index is read once for that.
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

    /** A channel for positional reads below {@link #end()}; the caller closes it. A purge does not disturb it. */
    public FileChannel open() {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw DiskTrouble.of(path, "open it", e);
        }
    }

    /** When it was begun, in seconds since 1970: the file before it was finished then. */
    public long createdSeconds() {
        ByteBuffer head = ByteBuffer.allocate(EventHeader.FILE_MAGIC_LENGTH + EventHeader.LENGTH);
        try (FileChannel channel = open()) {
            while (head.hasRemaining() && channel.read(head, head.position()) >= 0) {}
        } catch (IOException e) {
            throw DiskTrouble.of(path, "read its head", e);
        }
        if (head.hasRemaining()) {
            throw new TributaryException(ErrorCode.BINLOG_CORRUPT, path + ": expected a whole head, found its end");
        }
        return EventHeader.timestamp(head, EventHeader.FILE_MAGIC_LENGTH);
    }

    /**
     * Reads the whole file, which is finished, and checks every event.
     *
     * @throws TributaryException BINLOG_CORRUPT naming file and offset
     */
    public void verify() {
        try {
            FileTail.verified(this);
        } catch (IOException e) {
            throw DiskTrouble.of(path, "read it", e);
        }
    }

    /** So many bytes are durable. */
    void write(long durable) {
        written = durable;
    }

    /** It is durable with its last byte. */
    void complete(long lastEnd) {
        written = lastEnd;
        whole = true;
    }

    /** What another look at the disk found. */
    void write(BinlogFile found) {
        written = found.written;
        whole = found.whole;
    }

    /** So many bytes may be read. */
    void show(long newEnd) {
        end = newEnd;
    }

    /** All of it may be read. */
    void showAll() {
        end = written;
        finished = true;
    }

    /** Nothing of it may be read: for one that nobody has read. */
    void hide() {
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
                    path + ": expected previous GTIDs, " + scan.problem().orElse("found none"));
        } catch (IOException e) {
            throw DiskTrouble.of(path, "read its head", e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
