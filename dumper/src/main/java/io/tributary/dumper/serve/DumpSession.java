package io.tributary.dumper.serve;

import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.mysql.protocol.server.EventSink;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
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
    private static final Set<ErrorCode> MAY_PASS = Set.of(ErrorCode.IO_FAILED, ErrorCode.BACKUP_FAILED);

    private final String name;
    private final DumpSource source;
    private final ReaderLane lane;
    private final EventSink sink;
    private final boolean blocking;
    private final Pace pace;
    private final SilenceTimer heartbeats;
    private final Acknowledgements acks; // null for a reader that is not semi-sync
    private final TakenWatch taken = new TakenWatch();
    private final EventWalk walk;

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
        this.lane = lane;
        this.sink = sink;
        this.blocking = blocking;
        this.pace = pace;
        this.heartbeats = new SilenceTimer(lane.loop(), source.clock(), format.heartbeatNanos(), this::beat);
        this.acks = format.semiSync() ? new Acknowledgements(source.gate()) : null;
        this.walk = new EventWalk(
                source, lane, sink, format, readerHas, filter, acks, this::sent, () -> lane.later(this::pump));
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
            walk.goTo(first, position);
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
            if (!walk.sendBlock() && !walk.advance()) {
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

    /** The reader has all there is, or all that is here yet. */
    private void idle() {
        walk.tellSkipped();
        if (!blocking && !walk.isWaiting()) {
            end();
            sink.finish();
            return;
        }
        walk.acknowledgeAll();
        lane.await(this);
        heartbeats.start();
    }

    private void beat() {
        if (!ended && sink.hasRoom() && !walk.isWithinAnEvent()) {
            guarded(walk::heartbeat);
            heartbeats.sent();
        }
    }

    private void sent(int bytes) {
        lane.sent(bytes);
        pace.sent(bytes);
        taken.sent(bytes);
        heartbeats.sent();
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

    /** What the disk or the backup refuses may pass: the reader may try again. A damaged file, or our own mistake, stays. */
    private void failed(Exception e) {
        boolean mayPass =
                e instanceof IOException || (e instanceof TributaryException ours && MAY_PASS.contains(ours.code()));
        LOG.error("reader {} at {} is {}", name, walk, mayPass ? "disconnected and may try again" : "ended", e);
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
                    walk,
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
            walk.close();
        } catch (IOException e) {
            LOG.warn("cannot close {}", walk, e);
        }
    }
}
