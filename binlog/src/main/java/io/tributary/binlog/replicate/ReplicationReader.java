package io.tributary.binlog.replicate;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Wakeup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the leader's durable files from a place on, and holds the files that it still needs. For one thread. */
final class ReplicationReader implements AutoCloseable {
    private final BinlogFiles files;
    private final Wakeup grown = new Wakeup();
    private final Runnable listener = grown::ring;
    private BinlogFile file; // held
    private Path path;
    private FileChannel channel;
    private long offset;

    /**
     * @param from a file of the leader and how many bytes of it the follower has; {@link FileOffset#NONE}: from the oldest file on
     * @throws TributaryException FOLLOWER_BEHIND when the file is purged; STREAM_CONTRADICTION when the place is after the end of the file
     */
    ReplicationReader(BinlogFiles files, FileOffset from) {
        this.files = files;
        BinlogFile first = files.written().stream()
                .filter(each -> from.file() == 0 || each.number() == from.file())
                .filter(files::hold) // a purge may run meanwhile
                .findFirst()
                .orElseThrow(() -> purged(from));
        try {
            requireWithin(first, from);
            open(first, from.offset());
        } finally {
            files.release(first);
        }
        files.subscribe(listener);
    }

    private static void requireWithin(BinlogFile first, FileOffset from) {
        if (from.offset() > first.written()) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected a place up to the end of the leader's file "
                            + new FileOffset(first.number(), first.written()) + ", found " + from);
        }
    }

    private void open(BinlogFile next, long at) {
        BinlogFile before = file;
        if (!files.hold(next)) {
            throw purged(new FileOffset(next.number(), at));
        }
        try {
            closeChannel();
            channel = next.open();
        } catch (RuntimeException e) {
            files.release(next);
            throw e;
        } finally {
            if (before != null) {
                files.release(before);
                file = null;
            }
        }
        file = next;
        path = next.path();
        offset = at;
    }

    private static TributaryException purged(FileOffset place) {
        return new TributaryException(
                ErrorCode.FOLLOWER_BEHIND, "expected the leader to have " + place + ", found it purged");
    }

    /**
     * The next bytes, as many as fit. Continues with the next file at the end of a finished one.
     *
     * @param into cleared, and flipped when this returns
     * @return place of the bytes; empty when there are none
     */
    Optional<FileOffset> read(ByteBuffer into) throws IOException {
        boolean isWhole = file.isWhole();
        if (offset == file.written()) {
            grown.listen();
            if (!isWhole || !openNext()) {
                return Optional.empty();
            }
        }
        FileOffset place = new FileOffset(file.number(), offset);
        into.clear().limit((int) Math.min(into.capacity(), file.written() - offset));
        while (into.hasRemaining()) {
            int read = channel.read(into, offset + into.position());
            if (read < 0) {
                throw IoErrors.of(
                        file.path(),
                        "read up to " + file.written(),
                        new IOException("end of the file at " + (offset + into.position())));
            }
        }
        offset += into.flip().limit();
        return Optional.of(place);
    }

    private boolean openNext() {
        Optional<BinlogFile> next = files.written().stream()
                .filter(other -> other.number() > file.number())
                .findFirst();
        next.ifPresent(other -> open(other, 0));
        return next.isPresent();
    }

    /** Whether the last bytes read end at a cut or at the end of the file. */
    boolean isAtCut() {
        return offset == file.written();
    }

    @Override
    public void close() {
        files.unsubscribe(listener);
        if (file != null) {
            files.release(file);
            file = null;
        }
        closeChannel();
    }

    private void closeChannel() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw IoErrors.of(path, "close the file", e);
        }
    }
}
