package io.tributary.serve.dump;

import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.serve.filter.FillerEvent;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.filter.TransactionFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A reader's way through the files, block by block. It sends the events that the reader must get, adjacent ones in one piece, and skips
 * those that the reader has and those that its filter drops. On the reader's event loop.
 */
final class DumpCursor implements AutoCloseable {
    private final ReadableFiles files;
    private final ReadLimit limitOfReader;
    private final ReaderLane lane;
    private final ReaderConnection connection;
    private final GtidFilter gtids;
    private final TransactionFilter gate; // null when nothing is filtered
    private final boolean keepsLengths;
    private final ArtificialEvents artificial;
    private final Acknowledgements acks; // null for a reader that is not semi-sync
    private final Checksum checksum = new Checksum();

    private FileCursor cursor;
    private AwaitedFile awaited; // set instead of the cursor while a file is fetched, else null
    private LargeEvent large; // while it is sent in parts, else null
    private boolean hasSkipped;
    private volatile FilePlace sent; // null before the first file is open

    /**
     * Creates a cursor without a position.
     *
     * @param acks null for a reader that is not semi-sync
     */
    DumpCursor(DumpSource source, ReaderConnection connection, DumpOptions options, Acknowledgements acks) {
        TableFilter filter = options.filter();
        this.files = source.files();
        this.limitOfReader = options.format().semiSync() ? ReadLimit.DURABLE : source.gate();
        this.lane = connection.lane();
        this.connection = connection;
        this.gtids = new GtidFilter(options.readerHas().orElse(GtidSet.EMPTY));
        this.gate = filter.isAll() ? null : new TransactionFilter(filter, (into, offset) -> cursor.head(into, offset));
        this.keepsLengths = options.readerHas().isEmpty();
        this.artificial = new ArtificialEvents(
                connection.sink(), options.format(), files.here().serverId());
        this.acks = acks;
    }

    /** Moves to a position in a file, and sends the ROTATE event for it. */
    void moveTo(BinlogFile file, long position) throws IOException {
        artificial.rotate(file.name(), position);
        if (files.here().hold(file)) { // before the old file is released, so that no purge happens in between
            open(new FileCursor(file, limitOfReader, () -> files.here().release(file)), position);
        } else { // release the old file first, so that the archive cache has room
            if (cursor != null) {
                cursor.close();
            }
            awaited = new AwaitedFile(files, file, position, lane::wake);
            openAwaited();
        }
    }

    /** Opens the awaited file if it is available. */
    private boolean openAwaited() throws IOException {
        Optional<FileCursor> there = awaited.cursor(limitOfReader);
        if (there.isPresent()) {
            long position = awaited.position();
            awaited = null;
            open(there.get(), position);
        }
        return there.isPresent();
    }

    /** Whether a file is being fetched from the archive. */
    boolean isWaiting() {
        return awaited != null;
    }

    /** Moves to the next file if this one is finished and sent; false when there is nothing more yet. */
    boolean advance() throws IOException {
        Optional<BinlogFile> next = !isWaiting() && cursor.isAtEnd() ? files.next(cursor.file()) : Optional.empty();
        if (next.isPresent()) {
            moveTo(next.get(), EventHeader.FILE_MAGIC_LENGTH);
        }
        return next.isPresent();
    }

    /** Opens a file and sends its FORMAT_DESCRIPTION event. */
    private void open(FileCursor next, long position) throws IOException {
        FileCursor before = cursor;
        cursor = next;
        if (before != null) {
            before.close();
        }
        ByteBuffer block = cursor.begin(position, lane.block());
        if (gate != null) {
            gate.decide(block, 0, EventHeader.FILE_MAGIC_LENGTH);
            cursor.walkTo(position, gate::decide);
        }
        connection.send(block, 0, EventHeader.size(block, 0));
        sent = new FilePlace(cursor.file(), cursor.at());
    }

    /** Up to where everything is sent; empty before the first file is open. Any thread. */
    Optional<FilePlace> sent() {
        return Optional.ofNullable(sent);
    }

    /** Sends the events that begin in the next block; false when there are none. */
    boolean sendBlock() throws IOException {
        boolean isSent = sendEvents();
        if (isSent && large == null) {
            sent = new FilePlace(cursor.file(), cursor.at());
        }
        return isSent;
    }

    private boolean sendEvents() throws IOException {
        if (isWaiting() && !openAwaited()) {
            return false;
        }
        long end = cursor.end();
        long left = end - cursor.at();
        if (left <= 0) {
            return false;
        }
        ByteBuffer block = cursor.read(lane.block(), end, gate != null);
        int limit = block.limit();
        if (large != null) {
            sendPart(block);
            return true;
        }
        int next = 0;
        int runStart = 0;
        while (limit - next >= EventHeader.LENGTH) {
            long size = cursor.sizeOf(block, next, left);
            if (size > limit - next) {
                break;
            }
            if (gtids.skips(block, next)) {
                connection.send(block, runStart, next);
                hasSkipped = true;
                runStart = next + (int) size;
            } else {
                sendSkippedTo(cursor.at() + next);
                if (gate != null && isRemoved(block, runStart, next)) {
                    runStart = next + (int) size;
                }
            }
            next += (int) size;
        }
        sendRun(block, runStart, next, next == left);
        cursor.advance(next);
        if (next == 0) {
            beginLarge(block);
        }
        cursor.skipTo(gtids.skippingTo()); // events that the reader has need not be read
        return true;
    }

    /** Sends the rest of a block; a semi-sync reader must acknowledge its last event if nothing follows it yet. */
    private void sendRun(ByteBuffer block, int from, int to, boolean isLast) {
        if (acks != null && isLast && from < to) {
            connection.sendToAcknowledge(block, from, to);
            acks.ask(cursor.file(), cursor.at() + to);
        } else if (gate == null && from < to && lane.isShared()) {
            connection.sendShared(block, from, to);
        } else {
            connection.send(block, from, to);
        }
    }

    /** Whether an event is not sent as it is in the block. If so, the events before it, from the run's start on, have been sent. */
    private boolean isRemoved(ByteBuffer block, int runStart, int at) throws IOException {
        long offset = cursor.at() + at;
        switch (gate.decide(block, at, offset)) {
            case PASS -> {
                return false;
            }
            case PASS_AS_LAST -> {
                RowsEvent.setFlags(block, at, RowsEvent.flags(block, at) | RowsEvent.STMT_END_F);
                checksum.append(block, at);
                return false;
            }
            case NARROW -> {
                gate.narrow(block, at);
                checksum.append(block, at);
                return false;
            }
            case DROP -> {
                if (keepsLengths) {
                    FillerEvent.blank(block, at);
                    return false;
                }
                connection.send(block, runStart, at);
            }
            case EMPTY -> {
                connection.send(block, runStart, at);
                sendEmpty(block, at, offset);
            }
        }
        return true;
    }

    private void sendEmpty(ByteBuffer block, int at, long offset) {
        ByteBuffer empty = FillerEvent.transaction(block, at, offset);
        connection.send(empty, 0, empty.limit());
    }

    /** Starts to send an event that is larger than a block, in parts. */
    private void beginLarge(ByteBuffer block) throws IOException {
        long size = Integer.toUnsignedLong(EventHeader.size(block, 0));
        if (gtids.skips(block, 0)) {
            hasSkipped = true;
            cursor.advance(size);
            return;
        }
        sendSkipped();
        TransactionFilter.Verdict verdict =
                gate == null ? TransactionFilter.Verdict.PASS : gate.decide(block, 0, cursor.at());
        if (verdict == TransactionFilter.Verdict.EMPTY || verdict == TransactionFilter.Verdict.DROP && !keepsLengths) {
            if (verdict == TransactionFilter.Verdict.EMPTY) {
                sendEmpty(block, 0, cursor.at());
            }
            cursor.advance(size);
            return;
        }
        large = new LargeEvent(size, verdict);
        connection.sink().begin(size);
        sendPart(block);
    }

    private void sendPart(ByteBuffer block) {
        int length = large.next(block);
        connection.sendPart(block, length);
        cursor.advance(length);
        large = large.isSent() ? null : large;
    }

    /** Sends the reader's position after a run of skipped transactions. */
    void sendSkipped() {
        sendSkippedTo(isWaiting() ? 0 : cursor.at());
    }

    private void sendSkippedTo(long position) {
        if (hasSkipped && !isWaiting()) {
            hasSkipped = false;
            artificial.heartbeat(cursor.name(), position);
        }
    }

    /** Sends a heartbeat with the position of a reader that has everything. */
    void heartbeat() {
        artificial.heartbeat(
                isWaiting() ? awaited.name() : cursor.name(), isWaiting() ? awaited.position() : cursor.at());
    }

    /** Whether an event has been sent only in part: no other event may be sent now. */
    boolean isWithinAnEvent() {
        return large != null;
    }

    /** Records that the reader has everything up to here. */
    void acknowledgeAll() {
        if (acks != null && !isWaiting()) {
            acks.has(cursor.file(), cursor.at());
        }
    }

    @Override
    public void close() throws IOException {
        if (awaited != null) {
            awaited.close();
        }
        if (cursor != null) {
            cursor.close();
        }
    }

    /** File and offset, for messages. */
    @Override
    public String toString() {
        return String.valueOf(isWaiting() ? awaited : cursor);
    }
}
