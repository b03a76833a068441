package io.tributary.dumper.replicate;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Bell;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.DiskTrouble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the leader's files from a place on, as far as they are durable; keeps what it still needs from being purged. For one thread. */
final class LogReader implements AutoCloseable {
    private final BinlogFiles files;
    private final Bell grown = new Bell();
    private final Runnable listener = grown::ring;
    private BinlogFile file; // held
    private Path path;
    private FileChannel channel;
    private long offset;

    /**
     * @param from a file of the leader's and how much of it is there already; {@link BinlogPlace#NONE}: from the oldest file on
     * @throws TributaryException FOLLOWER_BEHIND when it is purged; STREAM_CONTRADICTION when it lies behind the file's end
     */
    LogReader(BinlogFiles files, BinlogPlace from) {
        this.files = files;
        BinlogFile first = files.written().stream()
                .filter(each -> from.file() == 0 || each.number() == from.file())
                .filter(files::hold) // a purge goes on meanwhile
                .findFirst()
                .orElseThrow(() -> purged(from));
        try {
            requireWithin(first, from);
            open(first, from.offset());
        } finally {
            files.letGo(first);
        }
        files.subscribe(listener);
    }

    private static void requireWithin(BinlogFile first, BinlogPlace from) {
        if (from.offset() > first.written()) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected a place up to " + new BinlogPlace(first.number(), first.written())
                            + ", where the leader's file ends, got " + from);
        }
    }

    private void open(BinlogFile next, long at) {
        BinlogFile before = file;
        if (!files.hold(next)) {
            throw purged(new BinlogPlace(next.number(), at));
        }
        try {
            closeChannel();
            channel = next.open();
        } catch (RuntimeException e) {
            files.letGo(next);
            throw e;
        } finally {
            if (before != null) {
                files.letGo(before);
                file = null;
            }
        }
        file = next;
        path = next.path();
        offset = at;
    }

    private static TributaryException purged(BinlogPlace place) {
        return new TributaryException(
                ErrorCode.FOLLOWER_BEHIND, "expected the leader to have " + place + " still, it is purged there");
    }

    /**
     * The next bytes, as many as fit; goes on to the next file when one is read to its end.
     *
     * @param into cleared, and flipped when this returns
     * @return where they stand; empty while there are none
     */
    Optional<BinlogPlace> read(ByteBuffer into) throws IOException {
        boolean isWhole = file.isWhole();
        if (offset == file.written()) {
            grown.listen();
            if (!isWhole || !openNext()) {
                return Optional.empty();
            }
        }
        BinlogPlace place = new BinlogPlace(file.number(), offset);
        into.clear().limit((int) Math.min(into.capacity(), file.written() - offset));
        while (into.hasRemaining()) {
            int read = channel.read(into, offset + into.position());
            if (read < 0) {
                throw DiskTrouble.of(
                        file.path(),
                        "read it to " + file.written(),
                        new IOException("its end at " + (offset + into.position())));
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

    /** Whether what was read last ends at a cut, or with its file. */
    boolean isAtCut() {
        return offset == file.written();
    }

    @Override
    public void close() {
        files.unsubscribe(listener);
        if (file != null) {
            files.letGo(file);
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
            throw DiskTrouble.of(path, "close it", e);
        }
    }
}
