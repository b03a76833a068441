package io.tributary.bench.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/** The dump of a {@link ReplayLog} to one reader: sends blocks of events while the reader accepts them. Runs on the log's event loop. */
final class ReplayReader {
    private static final int BLOCK = 256 << 10;
    /** After this much, the other readers have their turn. */
    private static final int BLOCKS_AT_ONCE = 2;
    /** A buffer for events with changed numbers. */
    private static final long UNCHANGED = -1;

    private final ReplayLog log;
    private final EventSink sink;
    private final Executor loop;
    private final boolean checksummed;
    private final boolean isPermanent;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);

    private long place;
    private int inserted;
    private long transactions;
    private long newestMicros;
    private boolean ended;
    private boolean continues;

    /**
     * @param checksummed whether events go out with their checksums
     * @param isPermanent whether it waits for more events at the end
     * @param known number of the last transaction that the reader has: 1 to this
     */
    ReplayReader(ReplayLog log, EventSink sink, Executor loop, boolean checksummed, boolean isPermanent, long known) {
        this.log = log;
        this.sink = sink;
        this.loop = loop;
        this.checksummed = checksummed;
        this.isPermanent = isPermanent;
        skip(known);
    }

    private void skip(long known) {
        ByteBuffer view = log.canned().view();
        while (transactions + inserted < known) {
            if (inserted < log.insertions().size()
                    && log.insertions().get(inserted).place() == place) {
                inserted++;
            } else if (place < log.length()) {
                transactions++;
                int at = log.viewAt(place);
                place += nextTransaction(view, at) - at;
            } else {
                return;
            }
        }
    }

    private int nextTransaction(ByteBuffer view, int from) {
        int at = EventHeader.end(view, from);
        while (at < log.canned().end() && EventHeader.type(view, at) != EventType.GTID_LOG_EVENT) {
            at = EventHeader.end(view, at);
        }
        return at;
    }

    void begin() {
        sink.onRoom(this::pump);
        if (isPermanent) {
            log.readBegins();
        }
        head();
        pump();
    }

    boolean isOpen() {
        return sink.isOpen();
    }

    /** Sends an artificial rotate, a format description and previous GTIDs. */
    private void head() {
        CannedBinlog canned = log.canned();
        int rotateEnd = RotateEvent.writeArtificial(
                block, 0, canned.serverId(), CannedBinlog.FILE_NAME, EventHeader.FILE_MAGIC_LENGTH);
        if (checksummed) {
            rotateEnd += Checksum.LENGTH;
            EventHeader.setSize(block, 0, rotateEnd);
            checksum.append(block, 0);
        }
        sink.events(block, 0, rotateEnd);
        int format = EventHeader.size(canned.view(), canned.formatAt());
        block.put(0, canned.view(), canned.formatAt(), format);
        if (!checksummed) {
            LittleEndian.putU8(block, FormatDescriptionEvent.LENGTH - 1, Checksum.NONE);
            checksum.append(block, 0);
        }
        sink.events(block, 0, format);
        int end = copy(canned.view(), canned.formatAt() + format, canned.firstAt(), UNCHANGED);
        sink.events(block, 0, end);
    }

    /** Sends events while there is space. */
    void pump() {
        if (!continues) {
            pumpBlocks();
        }
    }

    private void pumpBlocks() {
        continues = false;
        for (int blocks = 0; !ended && sink.hasRoom() && blocks < BLOCKS_AT_ONCE; blocks++) {
            if (!sendNext()) {
                if (!isPermanent) {
                    ended = true;
                    sink.finish();
                }
                return;
            }
        }
        if (!ended && sink.hasRoom()) {
            continues = true;
            loop.execute(this::pumpBlocks);
        }
    }

    /** Returns false if there is nothing more to send now. */
    private boolean sendNext() {
        if (inserted < log.insertions().size() && log.insertions().get(inserted).place() == place) {
            ByteBuffer bytes = ByteBuffer.wrap(log.insertions().get(inserted++).bytes());
            send(bytes, 0, bytes.limit(), UNCHANGED);
            return true;
        }
        long limit = Math.min(
                log.lapEnd(place),
                inserted < log.insertions().size()
                        ? log.insertions().get(inserted).place()
                        : Long.MAX_VALUE);
        if (place == limit) {
            return false;
        }
        int from = log.viewAt(place);
        int end = blockEnd(from, from + (int) (limit - place));
        long earlier =
                log.lap(place) * (log.canned().transactions() - log.canned().statements());
        place += end - from;
        send(log.canned().view(), from, end, earlier);
        if (isPermanent) {
            log.readTo(place, transactions, newestMicros);
        }
        return true;
    }

    /** The place after as many complete transactions as fit into a block. */
    private int blockEnd(int offset, int limit) {
        ByteBuffer view = log.canned().view();
        int end = offset;
        int at = offset;
        while (at < limit && EventHeader.end(view, at) - offset <= BLOCK) {
            at = EventHeader.end(view, at);
            if (at == limit || EventHeader.type(view, at) == EventType.GTID_LOG_EVENT) {
                end = at;
            }
        }
        if (end == offset) {
            throw new IllegalStateException("expected transactions of at most " + BLOCK + " bytes");
        }
        return end;
    }

    private void send(ByteBuffer view, int from, int end, long earlier) {
        sink.events(block, 0, copy(view, from, end, earlier));
    }

    /**
     * Copies events in the form in which they are sent: with the numbers that include all insertions before them.
     *
     * @param earlier number of transactions of the laps before this one, or {@link #UNCHANGED} for unchanged events
     */
    private int copy(ByteBuffer view, int from, int end, long earlier) {
        if (checksummed) {
            block.put(0, view, from, end - from);
        }
        int to = 0;
        for (int at = from; at < end; at = EventHeader.end(view, at)) {
            int size = EventHeader.size(view, at);
            int kept = checksummed ? size : size - Checksum.LENGTH;
            if (!checksummed) {
                block.put(to, view, at, kept);
                EventHeader.setSize(block, to, kept);
            }
            if (earlier != UNCHANGED && EventHeader.type(view, at) == EventType.GTID_LOG_EVENT) {
                renumber(to, size - Checksum.LENGTH, earlier);
            }
            to += kept;
        }
        return to;
    }

    private void renumber(int at, int length, long earlier) {
        transactions++;
        newestMicros = GtidEvent.immediateCommitMicros(block, at, at + length);
        if (inserted + earlier == 0) {
            return;
        }
        long lastCommitted = GtidEvent.lastCommitted(block, at, at + length);
        GtidEvent.setGno(block, at, transactions + inserted);
        GtidEvent.setLogicalClock(
                block, at, lastCommitted == 0 ? 0 : lastCommitted + inserted + earlier, transactions + inserted);
        if (checksummed) {
            checksum.append(block, at);
        }
    }
}
