package io.tributary.dumper.serve;

import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
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
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One dump: sends a reader the events from where it asked up to the durable end, waits for more, and sends heartbeats
 * meanwhile. It owns no thread: everything runs on its lane's loop, and a pump ends when the reader has no room, when there
 * is nothing more, or after a bounded amount, so that a slow reader disturbs nobody.
 */
final class DumpSession {
    private static final Logger LOG = LoggerFactory.getLogger(DumpSession.class);
    private static final int BLOCKS_PER_PUMP = 16;

    private final String name;
    private final DumpSource source;
    private final BinlogFiles files;
    private final Horizon horizon;
    private final ReaderLane lane;
    private final EventSink sink;
    private final GtidFilter gtids;
    private final TransactionGate gate; // null where nothing is left out
    private final boolean keepsLengths;
    private final ArtificialEvents artificial;
    private final boolean blocking;
    private final Pace pace;
    private final SilenceTimer heartbeats;
    private final Acknowledgements acks; // null for a reader that is not semi-sync
    private final TakenWatch taken = new TakenWatch();
    private final Checksum checksum = new Checksum();

    private FileCursor cursor;
    private LargeEvent large; // under way, else null
    private boolean hasSkipped;
    private ScheduledFuture<?> pause;
    private boolean ended;

    DumpSession(
            String name,
            DumpSource source,
            ReaderLane lane,
            EventSink sink,
            ReaderFormat format,
            Optional<GtidSet> readerHas,
            TableFilter filter,
            boolean blocking,
            Pace pace) {
        this.name = name;
        this.source = source;
        this.files = source.files();
        this.horizon = format.semiSync() ? Horizon.DURABLE : source.gate();
        this.lane = lane;
        this.sink = sink;
        this.gtids = new GtidFilter(readerHas.orElse(GtidSet.EMPTY));
        this.gate = filter.isAll() ? null : new TransactionGate(filter, (into, offset) -> cursor.head(into, offset));
        this.keepsLengths = readerHas.isEmpty();
        this.artificial = new ArtificialEvents(sink, format, files.serverId());
        this.blocking = blocking;
        this.pace = pace;
        this.heartbeats = new SilenceTimer(lane.loop(), source.clock(), format.heartbeatNanos(), this::beat);
        this.acks = format.semiSync() ? new Acknowledgements(source.gate()) : null;
    }

    /** Begins at a place in a file; on the loop. */
    void start(BinlogFile first, long position) {
        if (ended) {
            return; // gone before it began
        }
        lane.joined(this);
        LOG.info("reader {} reads from {}:{}{}", name, first.name(), position, acks == null ? "" : ", semi-sync");
        if (acks != null) {
            sink.semiSync(acks::received);
        }
        guarded(() -> {
            artificial.rotate(first.name(), position);
            open(first, position);
            sink.onRoom(() -> lane.loop().execute(this::pump));
            pumpGuarded();
        });
    }

    /** Sends what there is and what the reader has room for; on the loop. */
    void pump() {
        guarded(this::pumpGuarded);
    }

    private void pumpGuarded() throws IOException {
        for (int i = 0; i < BLOCKS_PER_PUMP; i++) {
            if (ended || !sink.hasRoom()) {
                return; // onRoom calls again, or the reader is gone
            }
            if (pausesForPace()) {
                return;
            }
            if (!sendBlock() && !advance()) {
                idle();
                return;
            }
        }
        lane.loop().execute(this::pump);
    }

    /** Whether the user's dumps have to slow down; the next pump is set then. */
    private boolean pausesForPace() {
        if (pause == null) {
            long nanos = pace.waitNanos();
            if (nanos > 0) {
                pause = lane.loop().schedule(this::goOn, nanos, TimeUnit.NANOSECONDS);
            }
        }
        return pause != null;
    }

    private void goOn() {
        pause = null;
        pump();
    }

    /** The reader has all there is. */
    private void idle() {
        tellSkipped();
        if (!blocking) {
            end();
            sink.finish();
            return;
        }
        if (acks != null) {
            acks.has(cursor.file(), cursor.at());
        }
        lane.await(this);
        heartbeats.start();
    }

    private void beat() {
        if (!ended && sink.hasRoom() && large == null) {
            guarded(() -> artificial.heartbeat(cursor.name(), cursor.at()));
            heartbeats.sent();
        }
    }

    /** Goes on to the next file when this one is finished and sent; false when there is nothing more yet. */
    private boolean advance() throws IOException {
        BinlogFile next = cursor.isAtEnd() ? files.next(cursor.file()).orElse(null) : null;
        if (next == null) {
            return false;
        }
        artificial.rotate(next.name(), EventHeader.FILE_MAGIC_LENGTH);
        open(next, EventHeader.FILE_MAGIC_LENGTH);
        return true;
    }

    /** Opens a file and sends its FORMAT_DESCRIPTION. */
    private void open(BinlogFile next, long position) throws IOException {
        FileCursor before = cursor;
        cursor = new FileCursor(files, next, horizon); // held before the other is let go: a purge never gets in between
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
    private boolean sendBlock() throws IOException {
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
            long size = Integer.toUnsignedLong(EventHeader.size(block, next));
            if (size < EventHeader.LENGTH || size > left - next) {
                throw new TributaryException(
                        ErrorCode.BINLOG_CORRUPT,
                        "expected an event " + next + " bytes behind " + cursor + ", came a size of " + size);
            }
            if (size > limit - next) {
                break;
            }
            if (gtids.skips(block, next)) {
                send(block, runStart, next);
                hasSkipped = true;
                runStart = next + (int) size;
            } else {
                if (hasSkipped) {
                    heartbeatForSkipped(cursor.at() + next);
                }
                if (gate != null && leaves(block, runStart, next)) {
                    runStart = next + (int) size;
                }
            }
            next += (int) size;
        }
        if (acks != null && next == left && runStart < next) {
            sink.eventsToAcknowledge(block, runStart, next);
            acks.ask(cursor.file(), cursor.at() + next);
            sent(next - runStart);
        } else {
            send(block, runStart, next);
        }
        cursor.advance(next);
        if (next == 0) {
            beginLarge(block);
        }
        return true;
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
        sent(length);
        cursor.advance(length);
        large = large.isSent() ? null : large;
    }

    private void send(ByteBuffer block, int from, int to) {
        if (from >= to) {
            return;
        }
        sink.events(block, from, to);
        sent(to - from);
    }

    private void sent(int bytes) {
        lane.sent(bytes);
        pace.sent(bytes);
        taken.sent(bytes);
        heartbeats.sent();
    }

    /** A run of skipped transactions moves the reader's position all the same. */
    private void tellSkipped() {
        if (hasSkipped) {
            heartbeatForSkipped(cursor.at());
        }
    }

    private void heartbeatForSkipped(long position) {
        hasSkipped = false;
        artificial.heartbeat(cursor.name(), position);
    }

    /** What a step of a dump may throw. */
    private interface Step {
        void run() throws IOException;
    }

    private void guarded(Step step) {
        if (ended) {
            return;
        }
        try {
            step.run();
        } catch (DumpRefusal e) {
            LOG.warn("reader {} is refused: {}", name, e.getMessage());
            end();
            sink.fail(1236, "HY000", e.getMessage());
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    /** What the disk refuses may pass: the reader may try again. A damaged file, or our own mistake, stays. */
    private void failed(Exception e) {
        boolean mayPass = e instanceof IOException
                || (e instanceof TributaryException ours && ours.code() == ErrorCode.IO_FAILED);
        LOG.error("reader {} at {} is {}", name, cursor, mayPass ? "disconnected and may try again" : "ended", e);
        end();
        if (mayPass) {
            sink.close();
        } else {
            sink.fail(1236, "HY000", "cannot read the binlog: " + e.getMessage());
        }
    }

    /** The same reader has begun another dump: this one ends for good, as two with one identity would end each other for ever. */
    void replaced(String by) {
        if (ended) {
            return;
        }
        LOG.info("reader {} is ended: {} reads with the same uuid or server id", name, by);
        end();
        if (sink.hasRoom()) {
            sink.fail(1236, "HY000", "another dump with the same replica uuid or server id has begun: " + by);
        } else {
            sink.close(); // it takes nothing, not even the reason
        }
    }

    /** Disconnects a reader that has taken nothing for too long; how many bytes wait for it. */
    long watch() {
        long waiting = sink.waitingBytes();
        if (taken.isStill(waiting, source.clock().nanoTime(), source.config().writeTimeout())) {
            LOG.warn(
                    "reader {} at {} is disconnected: it takes none of {} bytes (serve.write-timeout)",
                    name,
                    cursor,
                    waiting);
            end();
            sink.close();
        }
        return waiting;
    }

    /** The reader is gone, or has all it asked for; on the loop. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        lane.left(this);
        heartbeats.stop();
        if (acks != null) {
            acks.left();
        }
        if (pause != null) {
            pause.cancel(false);
        }
        try {
            close();
        } catch (IOException e) {
            LOG.warn("cannot close {}", cursor, e);
        }
    }

    private void close() throws IOException {
        if (cursor != null) {
            cursor.close();
        }
    }
}
