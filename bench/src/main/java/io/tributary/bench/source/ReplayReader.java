package io.tributary.bench.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.server.EventSink;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/** One reader's way through a {@link ReplayLog}: blocks of events as long as it takes them. On the log's event loop. */
final class ReplayReader {
    private static final int BLOCK = 256 << 10;
    /** Then the other readers have their turn. */
    private static final int BLOCKS_AT_ONCE = 2;
    /** For events that have their numbers. */
    private static final long AS_IT_STANDS = -1;

    private final ReplayLog log;
    private final EventSink sink;
    private final Executor loop;
    private final boolean checksummed;
    private final boolean stays;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);

    private long place;
    private int inserted;
    private long transactions;
    private long newestMicros;
    private boolean ended;
    private boolean goesOn;

    /**
     * @param checksummed whether events go out with their checksums
     * @param stays whether it waits for more at the end
     * @param known the transactions that it has: 1 to this
     */
    ReplayReader(ReplayLog log, EventSink sink, Executor loop, boolean checksummed, boolean stays, long known) {
        this.log = log;
        this.sink = sink;
        this.loop = loop;
        this.checksummed = checksummed;
        this.stays = stays;
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
        if (stays) {
            log.readBegins();
        }
        head();
        pump();
    }

    boolean isOpen() {
        return sink.isOpen();
    }

    /** Artificial rotate, format description, previous GTIDs. */
    private void head() {
        CannedBinlog canned = log.canned();
        int rotateEnd = RotateEvent.write(
                block,
                0,
                0,
                canned.serverId(),
                EventFlags.LOG_EVENT_ARTIFICIAL_F,
                CannedBinlog.FILE_NAME,
                EventHeader.FILE_MAGIC_LENGTH);
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
        int behind = copy(canned.view(), canned.formatAt() + format, canned.firstAt(), AS_IT_STANDS);
        sink.events(block, 0, behind);
    }

    /** Sends what there is room for. */
    void pump() {
        if (!goesOn) {
            pumpBlocks();
        }
    }

    private void pumpBlocks() {
        goesOn = false;
        for (int blocks = 0; !ended && sink.hasRoom() && blocks < BLOCKS_AT_ONCE; blocks++) {
            if (!sendNext()) {
                if (!stays) {
                    ended = true;
                    sink.finish();
                }
                return;
            }
        }
        if (!ended && sink.hasRoom()) {
            goesOn = true;
            loop.execute(this::pumpBlocks);
        }
    }

    /** False where there is nothing more now. */
    private boolean sendNext() {
        if (inserted < log.insertions().size() && log.insertions().get(inserted).place() == place) {
            ByteBuffer bytes = ByteBuffer.wrap(log.insertions().get(inserted++).bytes());
            send(bytes, 0, bytes.limit(), AS_IT_STANDS);
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
        if (stays) {
            log.readTo(place, transactions, newestMicros);
        }
        return true;
    }

    /** Behind as many whole transactions as fit into a block. */
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
     * Copies events as they go out. Those of the file get the numbers that they have with all insertions before them.
     *
     * @param earlier transactions of the laps before this one, or {@link #AS_IT_STANDS}
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
            if (earlier != AS_IT_STANDS && EventHeader.type(view, at) == EventType.GTID_LOG_EVENT) {
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
