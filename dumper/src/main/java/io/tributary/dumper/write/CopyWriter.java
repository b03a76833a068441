package io.tributary.dumper.write;

import io.tributary.common.cluster.LogPosition;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CopiedFiles;
import io.tributary.dumper.DiskTrouble;
import io.tributary.dumper.FileTail;
import io.tributary.dumper.ReadableBytes;
import io.tributary.dumper.SparseEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Writes a follower's files: the leader's bytes, in their order. They are forced to disk and checked event by event up to the last cut among
 * them, once for all that has come since the time before; only then do they count. For one thread.
 */
public final class CopyWriter implements AutoCloseable {
    private static final long LOOK_AFTER = 16 << 20;

    private final BinlogDirectory directory;
    private final BinlogConfig config;
    private final FileOpener opener;
    private Optional<BinlogFiles> files;
    private FileTail tail;
    private Path path;
    private OutputFile file; // null before the first byte of all
    private FileChannel reader;
    private int number;
    private long received;
    private long finishedEnd; // of the file before, until this one is listed
    private int marked;
    private int snapshotIn; // the newest file with one
    private long lookAt; // how much is to have come before it is looked at without having been told of a cut

    /** Goes on behind what a recovery found. */
    public CopyWriter(BinlogDirectory directory, BinlogConfig config, CopiedFiles found, FileOpener opener) {
        this.directory = directory;
        this.config = config;
        this.opener = opener;
        this.files = found.files();
        this.tail = found.tail();
        this.marked = tail.entries().size();
        BinlogPlace end = found.end();
        this.number = end.file();
        this.received = end.offset();
        this.lookAt = received + LOOK_AFTER;
        files.ifPresent(all -> {
            BinlogFile last = all.written().get(all.written().size() - 1);
            path = last.path();
            file = OutputFile.resume(opener, path, received);
            reader = last.open();
        });
    }

    /** What there is to read; empty until the first file's head is there. */
    public Optional<BinlogFiles> files() {
        return files;
    }

    /** Where the next byte goes. */
    public BinlogPlace received() {
        return new BinlogPlace(number, received);
    }

    /** How far all is durable and sound: behind a cut, or a file's ROTATE event. */
    public BinlogPlace durable() {
        return tail.hasCut()
                ? new BinlogPlace(number, tail.isFinished() ? received : tail.end())
                : files.map(all -> new BinlogPlace(number - 1, finishedEnd)).orElse(BinlogPlace.NONE);
    }

    /** The same for an election. */
    public LogPosition position() {
        BinlogPlace end = durable();
        return tail.hasCut()
                ? new LogPosition(
                        tail.cut().epoch(), end.file(), end.offset(), tail.cut().number())
                : new LogPosition(0, end.file(), end.offset(), 0);
    }

    /**
     * Writes bytes of the current file, or the first ones of the next.
     *
     * @param bytes from position to limit; done with when this returns
     * @throws TributaryException STREAM_CONTRADICTION when they are not the next ones; IO_FAILED, DISK_FULL
     */
    public void write(int toFile, long offset, ByteBuffer bytes) {
        boolean isNext = offset == 0 && (file == null || toFile == number + 1 && isWhole());
        if (isNext) {
            begin(toFile, bytes);
        } else if (toFile == number && offset == received) {
            received += file.write(new ByteBuffer[] {bytes}, 1);
        } else {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected the leader's bytes at " + received() + " or the file behind it, got those at "
                            + new BinlogPlace(toFile, offset));
        }
    }

    /** Whether the current file has its last byte; what has come of it is settled then. */
    private boolean isWhole() {
        if (!tail.isFinished()) {
            look();
        }
        return tail.isFinished();
    }

    private void begin(int next, ByteBuffer first) {
        finishedEnd = received;
        if (file != null) {
            file.mark(new SparseEntry(finishedEnd, tail.gno() + 1, 0, 0));
        }
        close();
        number = next;
        path = directory.path().resolve(directory.fileName(next));
        received = first.remaining();
        file = OutputFile.create(opener, path, first);
        try {
            reader = FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw DiskTrouble.of(path, "open it for reading", e);
        }
        tail = new FileTail(directory.serverUuid());
        marked = 0;
        lookAt = LOOK_AFTER;
    }

    /**
     * Forces what has been written, and looks how far it is sound.
     *
     * @param endsHere whether the leader says that it ends at a cut, or with its file
     * @return whether more is durable than before
     * @throws TributaryException BINLOG_CORRUPT when what came is damaged
     */
    public boolean settle(boolean endsHere) {
        if (file == null || !endsHere && received < lookAt) {
            return false;
        }
        boolean hasMoved = look();
        if (endsHere && !isSound()) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    path + ": expected whole events up to a cut at " + received + " as the leader says, "
                            + Optional.ofNullable(tail.problem()).orElse("found the last cut at " + tail.end()));
        }
        lookAt = hasMoved ? received + LOOK_AFTER : Math.max(lookAt, 2 * received);
        return hasMoved;
    }

    /** Forces what has been written, and tells how far it is sound; whether that is further than before. */
    private boolean look() {
        BinlogPlace before = durable();
        file.force();
        try {
            tail.extend(ReadableBytes.of(reader), received);
        } catch (IOException e) {
            throw DiskTrouble.of(path, "read back what was written", e);
        }
        boolean hasMoved = durable().compareTo(before) > 0;
        if (hasMoved) {
            tell();
        }
        return hasMoved;
    }

    private boolean isSound() {
        return tail.problem() == null && (tail.isFinished() || tail.end() == received);
    }

    private void tell() {
        List<SparseEntry> entries = tail.entries();
        while (marked < entries.size()) {
            file.mark(entries.get(marked++));
        }
        if (files.isEmpty()) {
            files = Optional.of(CopiedFiles.begin(directory, config, path, tail));
            return;
        }
        BinlogFiles known = files.get();
        if (known.writtenEnd().file().number() < number) {
            known.rotate(finishedEnd, path, tail.end(), tail.previousGtids());
        }
        if (tail.cut().schemaNumber() > 0) {
            known.journalBegins(number);
        }
        if (tail.hasSnapshot() && snapshotIn < number) {
            snapshotIn = number;
            known.snapshotEnds(new BinlogPlace(number, tail.end()));
        }
        if (known.writtenEnd().cut() < tail.cut().number() || known.writtenEnd().offset() < tail.end()) {
            known.advance(tail.end(), tail.gno(), tail.cut().number());
        }
    }

    /** Ends at once; what was not settled does not count. */
    @Override
    public void close() {
        if (file != null) {
            file.close();
            try {
                reader.close();
            } catch (IOException e) {
                throw DiskTrouble.of(path, "close it", e);
            }
        }
    }
}
