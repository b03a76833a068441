package io.tributary.dumper.serve;

import io.tributary.common.gtid.GtidSet;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.ServedFiles;
import io.tributary.dumper.filter.BlankEvent;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.dumper.filter.TransactionGate;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * A reader's way through the files, block by block: sends the events that it is to get, those that lie side by side in
 * one piece, and leaves out those that it has and those that its filter drops. On one reader's loop.
 */
final class EventWalk implements AutoCloseable {
    private final ServedFiles files;
    private final Horizon horizon;
    private final ReaderLane lane;
    private final EventSink sink;
    private final GtidFilter gtids;
    private final TransactionGate gate; // null where nothing is left out
    private final boolean keepsLengths;
    private final ArtificialEvents artificial;
    private final Acknowledgements acks; // null for a reader that is not semi-sync
    private final IntConsumer sent;
    private final Runnable arrived;
    private final Checksum checksum = new Checksum();

    private FileCursor cursor;
    private AwaitedFile awaited; // in place of the cursor while a file is on its way, else null
    private LargeEvent large; // under way, else null
    private boolean hasSkipped;

    /** It tells after each piece how many bytes were sent, and, from any thread, that an awaited file has arrived. */
    EventWalk(
            DumpSource source,
            ReaderLane lane,
            EventSink sink,
            ReaderFormat format,
            Optional<GtidSet> readerHas,
            TableFilter filter,
            Acknowledgements acks,
            IntConsumer sent,
            Runnable arrived) {
        this.files = source.files();
        this.horizon = format.semiSync() ? Horizon.DURABLE : source.gate();
        this.lane = lane;
        this.sink = sink;
        this.gtids = new GtidFilter(readerHas.orElse(GtidSet.EMPTY));
        this.gate = filter.isAll() ? null : new TransactionGate(filter, (into, offset) -> cursor.head(into, offset));
        this.keepsLengths = readerHas.isEmpty();
        this.artificial = new ArtificialEvents(sink, format, files.here().serverId());
        this.acks = acks;
        this.sent = sent;
        this.arrived = arrived;
    }

    /** Goes to a place in a file, and sends what says so. */
    void goTo(BinlogFile file, long position) throws IOException {
        artificial.rotate(file.name(), position);
        if (files.here().hold(file)) { // before the other is let go: a purge never gets in between
            open(new FileCursor(file, horizon, () -> files.here().letGo(file)), position);
        } else { // the one before is given back first, so that there is room for it
            if (cursor != null) {
                cursor.close();
            }
            awaited = new AwaitedFile(files, file, position, arrived);
            arrives();
        }
    }

    /** Opens the awaited file if it is there. */
    private boolean arrives() throws IOException {
        Optional<FileCursor> there = awaited.cursor(horizon);
        if (there.isPresent()) {
            long position = awaited.position();
            awaited = null;
            open(there.get(), position);
        }
        return there.isPresent();
    }

    /** Whether a file is on its way from the archive. */
    boolean isWaiting() {
        return awaited != null;
    }

    /** Goes on to the next file when this one is finished and sent; false when there is nothing more yet. */
    boolean advance() throws IOException {
        Optional<BinlogFile> next = !isWaiting() && cursor.isAtEnd() ? files.next(cursor.file()) : Optional.empty();
        if (next.isPresent()) {
            goTo(next.get(), EventHeader.FILE_MAGIC_LENGTH);
        }
        return next.isPresent();
    }

    /** Opens a file and sends its FORMAT_DESCRIPTION. */
    private void open(FileCursor next, long position) throws IOException {
        FileCursor before = cursor;
        cursor = next;
        if (before != null) {
            before.close();
        }
        ByteBuffer block = cursor.begin(position, lane.block());
        if (gate != null) {
            gate.judge(block, 0, EventHeader.FILE_MAGIC_LENGTH);
            cursor.walkTo(position, gate::judge);
        }
        send(block, 0, EventHeader.size(block, 0));
    }

    /** Sends the events that begin in the next block; false when there are none. */
    boolean sendBlock() throws IOException {
        if (isWaiting() && !arrives()) {
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
                send(block, runStart, next);
                hasSkipped = true;
                runStart = next + (int) size;
            } else {
                tellSkippedTo(cursor.at() + next);
                if (gate != null && leaves(block, runStart, next)) {
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
        cursor.skipTo(gtids.skippingTo()); // what a reader has need not be read to be left out
        return true;
    }

    /** Sends the rest of a block; what is behind the last of all there is, a semi-sync reader is to acknowledge. */
    private void sendRun(ByteBuffer block, int from, int to, boolean isLast) {
        if (acks != null && isLast && from < to) {
            sink.eventsToAcknowledge(block, from, to);
            acks.ask(cursor.file(), cursor.at() + to);
            sent.accept(to - from);
        } else if (gate == null && from < to && lane.isShared()) {
            sink.events(block, from, to, lane.frames(), lane.block().content());
            sent.accept(to - from);
        } else {
            send(block, from, to);
        }
    }

    /** Whether an event does not go out as it lies in the block; then those before it, from the run's start, have been sent. */
    private boolean leaves(ByteBuffer block, int runStart, int at) throws IOException {
        long offset = cursor.at() + at;
        switch (gate.judge(block, at, offset)) {
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
            case LEAVE -> {
                if (keepsLengths) {
                    BlankEvent.blank(block, at);
                    return false;
                }
                send(block, runStart, at);
            }
            case EMPTY -> {
                send(block, runStart, at);
                sendEmpty(block, at, offset);
            }
        }
        return true;
    }

    private void sendEmpty(ByteBuffer block, int at, long offset) {
        ByteBuffer empty = BlankEvent.transaction(block, at, offset);
        send(empty, 0, empty.limit());
    }

    /** An event that is larger than a block goes out in parts. */
    private void beginLarge(ByteBuffer block) throws IOException {
        long size = Integer.toUnsignedLong(EventHeader.size(block, 0));
        if (gtids.skips(block, 0)) {
            hasSkipped = true;
            cursor.advance(size);
            return;
        }
        tellSkipped();
        TransactionGate.Verdict verdict =
                gate == null ? TransactionGate.Verdict.PASS : gate.judge(block, 0, cursor.at());
        if (verdict == TransactionGate.Verdict.EMPTY || verdict == TransactionGate.Verdict.LEAVE && !keepsLengths) {
            if (verdict == TransactionGate.Verdict.EMPTY) {
                sendEmpty(block, 0, cursor.at());
            }
            cursor.advance(size);
            return;
        }
        large = new LargeEvent(size, verdict);
        sink.begin(size);
        sendPart(block);
    }

    private void sendPart(ByteBuffer block) {
        int length = large.next(block);
        sink.part(block, 0, length);
        sent.accept(length);
        cursor.advance(length);
        large = large.isSent() ? null : large;
    }

    private void send(ByteBuffer block, int from, int to) {
        if (from < to) {
            sink.events(block, from, to);
            sent.accept(to - from);
        }
    }

    /** A run of skipped transactions moves the reader's position all the same. */
    void tellSkipped() {
        tellSkippedTo(isWaiting() ? 0 : cursor.at());
    }

    private void tellSkippedTo(long position) {
        if (hasSkipped && !isWaiting()) {
            hasSkipped = false;
            artificial.heartbeat(cursor.name(), position);
        }
    }

    /** Tells a reader that has all there is, up to where. */
    void heartbeat() {
        artificial.heartbeat(
                isWaiting() ? awaited.name() : cursor.name(), isWaiting() ? awaited.position() : cursor.at());
    }

    /** Whether only a part of an event has gone out yet: nothing may go between. */
    boolean isWithinAnEvent() {
        return large != null;
    }

    /** Tells that the reader has everything up to here, which the reader has said. */
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

    /** File and offset, as messages name them. */
    @Override
    public String toString() {
        return String.valueOf(isWaiting() ? awaited : cursor);
    }
}
