package io.tributary.binlog.write;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.CopiedFiles;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.FileVerifier;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * The writer of a follower's files: it writes the leader's bytes in their order. It syncs them to disk and checks every event up to the last
 * cut among them, once for all bytes since the last check. Bytes count only after that. For one thread.
 */
public final class CopyWriter implements AutoCloseable {
    private static final long CHECK_AFTER = 16 << 20;

    private final BinlogDirectory directory;
    private final BinlogConfig config;
    private final FileOpener opener;
    private Optional<BinlogFiles> files;
    private FileVerifier tail;
    private Path path;
    private OutputFile file; // null before the first byte of the first file
    private FileChannel reader;
    private int number;
    private long received;
    private long finishedEnd; // end of the file before, until the current one is listed
    private int marked;
    private int snapshotFile; // number of the newest file with a snapshot
    private long checkAt; // bytes to receive until a check without the leader's notice of a cut

    /** Continues after the end that a recovery found. */
    public CopyWriter(BinlogDisk disk, CopiedFiles found) {
        this.directory = disk.directory();
        this.config = disk.config();
        this.opener = disk.opener();
        this.files = found.files();
        this.tail = found.tail();
        this.marked = tail.entries().size();
        FileOffset end = found.end();
        this.number = end.file();
        this.received = end.offset();
        this.checkAt = received + CHECK_AFTER;
        files.ifPresent(all -> {
            BinlogFile last = all.written().get(all.written().size() - 1);
            path = last.path();
            file = OutputFile.resume(opener, path, received);
            reader = last.open();
        });
    }

    /** The files for readers; empty until the head of the first file is written. */
    public Optional<BinlogFiles> files() {
        return files;
    }

    /** The place of the next byte. */
    private FileOffset received() {
        return new FileOffset(number, received);
    }

    /** The end of what is durable and valid: after a cut or a file's ROTATE event. */
    public FileOffset durable() {
        return tail.hasCut()
                ? new FileOffset(number, tail.isFinished() ? received : tail.end())
                : files.map(all -> new FileOffset(number - 1, finishedEnd)).orElse(FileOffset.NONE);
    }

    /** The same end as a position for an election. */
    public LogPosition position() {
        FileOffset end = durable();
        return tail.hasCut()
                ? new LogPosition(
                        tail.cut().epoch(), end.file(), end.offset(), tail.cut().number())
                : new LogPosition(0, end.file(), end.offset(), 0);
    }

    /**
     * Writes bytes of the current file, or the first ones of the next.
     *
     * @param bytes from position to limit; not used any more when this returns
     * @throws TributaryException STREAM_CONTRADICTION when they are not the next ones; IO_FAILED, DISK_FULL
     */
    public void write(int toFile, long offset, ByteBuffer bytes) {
        boolean isNext = offset == 0 && (file == null || toFile == number + 1 && isWhole());
        if (isNext) {
            beginFile(toFile, bytes);
        } else if (toFile == number && offset == received) {
            received += file.write(new ByteBuffer[] {bytes}, 1);
        } else {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected the leader's bytes at " + received() + " or the next file, found those at "
                            + new FileOffset(toFile, offset));
        }
    }

    /** Whether the current file has its last byte; then everything received of it is checked. */
    private boolean isWhole() {
        if (!tail.isFinished()) {
            syncAndCheck();
        }
        return tail.isFinished();
    }

    private void beginFile(int next, ByteBuffer first) {
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
            throw IoErrors.of(path, "open the file for reading", e);
        }
        tail = new FileVerifier(directory.serverUuid());
        marked = 0;
        checkAt = CHECK_AFTER;
    }

    /**
     * Syncs what has been written, and checks up to where it is valid.
     *
     * @param endsHere whether the leader reports that the bytes end at a cut or at the end of the file
     * @return whether more is durable than before
     * @throws TributaryException BINLOG_CORRUPT when the received bytes are damaged
     */
    public boolean syncAndVerify(boolean endsHere) {
        if (file == null || !endsHere && received < checkAt) {
            return false;
        }
        boolean hasMoved = syncAndCheck();
        if (endsHere && !isValid()) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    path + ": expected complete events up to a cut at " + received + " as the leader reported, "
                            + Optional.ofNullable(tail.problem()).orElse("found the last cut at " + tail.end()));
        }
        checkAt = hasMoved ? received + CHECK_AFTER : Math.max(checkAt, 2 * received);
        return hasMoved;
    }

    /** Syncs what has been written and checks up to where it is valid; returns whether that is further than before. */
    private boolean syncAndCheck() {
        FileOffset before = durable();
        file.force();
        try {
            tail.extend(ReadableBytes.of(reader), received);
        } catch (IOException e) {
            throw IoErrors.of(path, "read the written bytes again", e);
        }
        boolean hasMoved = durable().compareTo(before) > 0;
        if (hasMoved) {
            publish();
        }
        return hasMoved;
    }

    private boolean isValid() {
        return tail.problem() == null && (tail.isFinished() || tail.end() == received);
    }

    private void publish() {
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
        if (tail.hasSnapshot() && snapshotFile < number) {
            snapshotFile = number;
            known.snapshotEnds(new FileOffset(number, tail.end()));
        }
        if (known.writtenEnd().cut() < tail.cut().number() || known.writtenEnd().offset() < tail.end()) {
            known.advance(tail.end(), tail.gno(), tail.cut().number());
        }
    }

    /** Closes the files at once; bytes that were not checked do not count. */
    @Override
    public void close() {
        if (file != null) {
            file.close();
            try {
                reader.close();
            } catch (IOException e) {
                throw IoErrors.of(path, "close the file", e);
            }
        }
    }
}
