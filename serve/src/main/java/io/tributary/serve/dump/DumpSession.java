package io.tributary.serve.dump;

import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.EventSink;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One dump. It sends a reader the events from the requested position up to the durable end, waits for more, and sends heartbeats meanwhile.
 * It owns no thread: everything runs on the loop of its lane. A pump ends when the reader has no room, when there is nothing more, or after
 * a bounded amount, so that a slow reader does not delay others.
 */
public final class DumpSession {
    private static final Logger LOG = LoggerFactory.getLogger(DumpSession.class);
    private static final int BLOCKS_PER_PUMP = 16;
    private static final Set<ErrorCode> MAY_PASS = Set.of(ErrorCode.IO_FAILED, ErrorCode.BACKUP_FAILED);

    private final String name;
    private final DumpSource source;
    private final ReaderLane lane;
    private final EventSink sink;
    private final ReaderConnection connection;
    private final boolean blocking;
    private final HeartbeatTimer heartbeats;
    private final Acknowledgements acks; // null for a reader that is not semi-sync
    private final DumpCursor cursor;

    private ScheduledFuture<?> pause;
    private boolean ended;

    /** @param name of the reader in logs */
    public DumpSession(String name, DumpSource source, ReaderConnection connection, DumpOptions options) {
        this.name = name;
        this.source = source;
        this.connection = connection;
        this.lane = connection.lane();
        this.sink = connection.sink();
        this.blocking = options.blocking();
        this.heartbeats = new HeartbeatTimer(connection, options.format().heartbeatNanos(), this::beat);
        this.acks = options.format().semiSync() ? new Acknowledgements(source.gate()) : null;
        this.cursor = new DumpCursor(source, connection, options, acks);
    }

    /** Begins at a position in a file; on the loop. */
    public void start(BinlogFile first, long position) {
        if (ended) {
            return; // the reader has disconnected before the dump began
        }
        lane.joined(this);
        LOG.info("reader starts: reader=\"{}\" from={}:{} semi-sync={}", name, first.name(), position, acks != null);
        if (acks != null) {
            sink.semiSync(acks::received);
        }
        guarded(() -> {
            cursor.moveTo(first, position);
            sink.onRoom(() -> lane.loop().execute(this::pump));
            pumpGuarded();
        });
    }

    /** Up to where everything was sent to the reader; empty before the dump has begun. Any thread. */
    public Optional<FilePlace> sent() {
        return cursor.sent();
    }

    /** Whether it waits for new events at the end of the binlog, instead of ending there. Any thread. */
    public boolean isContinuous() {
        return blocking;
    }

    /** Sends what is available and what the reader has room for; on the loop. */
    void pump() {
        guarded(this::pumpGuarded);
    }

    private void pumpGuarded() throws IOException {
        connection.beginTurn();
        try {
            sendBlocks();
        } finally {
            connection.endTurn();
        }
    }

    private void sendBlocks() throws IOException {
        for (int i = 0; i < BLOCKS_PER_PUMP; i++) {
            if (ended || !sink.hasRoom()) {
                return; // onRoom calls again, or the reader has disconnected
            }
            if (isDelayed()) {
                return;
            }
            if (!cursor.sendBlock() && !cursor.advance()) {
                idle();
                return;
            }
        }
        lane.loop().execute(this::pump);
    }

    /** Whether the rate limit of the user delays this dump; then the next pump is scheduled. */
    private boolean isDelayed() {
        if (pause == null) {
            long nanos = connection.waitNanos();
            if (nanos > 0) {
                pause = lane.loop().schedule(this::resume, nanos, TimeUnit.NANOSECONDS);
            }
        }
        return pause != null;
    }

    private void resume() {
        pause = null;
        pump();
    }

    /** The reader has everything that is available now. */
    private void idle() {
        cursor.sendSkipped();
        if (!blocking && !cursor.isWaiting()) {
            end();
            sink.finish();
            return;
        }
        cursor.acknowledgeAll();
        lane.await(this);
        heartbeats.start();
    }

    private void beat() {
        if (!ended && sink.hasRoom() && !cursor.isWithinAnEvent()) {
            guarded(cursor::heartbeat);
            connection.endSilence();
        }
    }

    /** A step of a dump. */
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
            LOG.warn("reader refused: reader=\"{}\" reason=\"{}\"", name, e.getMessage());
            end();
            sink.fail(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG, e.getMessage());
        } catch (IOException | RuntimeException e) {
            failed(e);
        }
    }

    /** Ends the dump after a failure. A failure of disk or backup may be temporary: the reader may retry. A damaged file or a bug is permanent. */
    private void failed(Exception e) {
        boolean mayPass =
                e instanceof IOException || (e instanceof TributaryException ours && MAY_PASS.contains(ours.code()));
        LOG.error("reader failed: reader=\"{}\" position={} may.retry={}", name, cursor, mayPass, e);
        end();
        if (mayPass) {
            sink.close();
        } else {
            sink.fail(
                    MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG,
                    "expected to read the binlog, found: " + e.getMessage());
        }
    }

    /** Ends this dump for good, because the same reader has begun another one: two dumps with one identity would end each other forever. */
    public void replaced(String by) {
        if (ended) {
            return;
        }
        LOG.info("reader ended: reader=\"{}\" reason=\"same uuid or server id\" other=\"{}\"", name, by);
        end();
        if (sink.hasRoom()) {
            sink.fail(
                    MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG,
                    "another dump with the same replica uuid or server id has begun: " + by);
        } else {
            sink.close(); // it has no room, not even for the reason
        }
    }

    /** Disconnects a reader that has received nothing for too long; returns how many bytes wait for it. */
    long watch() {
        long waiting = sink.waitingBytes();
        if (connection.isStalled(source.config().writeTimeout())) {
            LOG.warn(
                    "reader disconnected: reader=\"{}\" at={} waiting.bytes={} reason=serve.write-timeout",
                    name,
                    cursor,
                    waiting);
            end();
            sink.close();
        }
        return waiting;
    }

    /** Ends the dump: the reader has disconnected, or has everything that it requested; on the loop. */
    public void end() {
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
            cursor.close();
        } catch (IOException e) {
            LOG.warn("binlog file not closed: position={}", cursor, e);
        }
    }
}
