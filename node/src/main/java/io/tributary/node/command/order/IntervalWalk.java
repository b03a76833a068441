package io.tributary.node.command.order;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.node.command.order.Interval.Written;
import io.tributary.serve.sql.SqlTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A walk over the intervals of the binlog, from a full cut on. It stops at the last cut. For one thread. */
final class IntervalWalk implements AutoCloseable {
    /** How many cuts before an interval its lead is, at most. */
    private static final int LEAD_CUTS = 16;

    private static final int PIECE = 1 << 20;

    private final StoredFiles files;
    private final Deque<Cut> lead = new ArrayDeque<>();
    private final List<Written> transactions = new ArrayList<>();
    private final RowsDigest digest = new RowsDigest();
    private BinlogFile file;
    private FileChannel channel;
    private EventScan events;
    private Cut cut; // null before the first full one
    private long gno; // of the transaction that is being read; 0 for none
    private long micros;
    private boolean isStatement;

    private IntervalWalk(StoredFiles files, BinlogFile first, long from) {
        this.files = files;
        open(first, from);
    }

    /** Begins with the cut in the head of a file. */
    static IntervalWalk from(StoredFiles files, BinlogFile first) {
        return new IntervalWalk(files, first, EventHeader.FILE_MAGIC_LENGTH);
    }

    /**
     * The interval that contains a transaction.
     *
     * @throws TributaryException READER_REFUSED if the transaction is purged, or not written yet; BINLOG_CORRUPT, IO_FAILED
     */
    static Interval of(StoredFiles files, long gno) {
        BinlogFile file = files.of(gno);
        List<SparseEntry> entries = files.index(file);
        int place = 0;
        while (place < entries.size() && entries.get(place).gno() <= gno) {
            place++;
        }
        for (int back = 2; ; back *= 2) {
            boolean isHead = place - back < 0;
            long from = isHead
                    ? EventHeader.FILE_MAGIC_LENGTH
                    : entries.get(place - back).offset();
            try (IntervalWalk walk = new IntervalWalk(files, file, from)) {
                Optional<Interval> next = walk.next();
                boolean isPlaced = isHead || next.isPresent();
                boolean isTooLate = next.isPresent() && next.get().before().transactions() >= gno;
                if (isTooLate && isHead) {
                    throw corrupt(file, "expected a cut before transaction " + files.gtid(gno) + ", found none");
                }
                while (!isTooLate && next.isPresent() && !next.get().contains(gno)) {
                    next = walk.next();
                }
                if (!isTooLate && isPlaced) {
                    return next.orElseThrow(() -> StoredFiles.refused("expected a transaction up to "
                            + walk.newest() + ", the last one that the binlog in " + files.folder() + " has, found "
                            + files.gtid(gno) + ": it is not written yet"));
                }
            }
        }
    }

    /**
     * Chooses the last cut before the first transaction that was committed at a time or later.
     *
     * @param epochMicros µs since 1970
     * @throws TributaryException READER_REFUSED if that transaction is purged, or not written yet; BINLOG_CORRUPT, IO_FAILED
     */
    static TimeChoice before(StoredFiles files, long epochMicros) {
        int number = files.list().size() - 1;
        while (number > 0 && entriesBefore(files, files.list().get(number), epochMicros) == 0) {
            number--;
        }
        BinlogFile file = files.list().get(number);
        List<SparseEntry> entries = files.index(file);
        int place = entriesBefore(files, file, epochMicros);
        for (int back = 2; ; back *= 2) {
            boolean isHead = place - back < 0;
            long from = isHead
                    ? EventHeader.FILE_MAGIC_LENGTH
                    : entries.get(place - back).offset();
            try (IntervalWalk walk = new IntervalWalk(files, file, from)) {
                Optional<Interval> found = walk.before(epochMicros, isHead);
                if (found.isPresent()) {
                    return choice(files, found.get(), epochMicros);
                }
            }
        }
    }

    private static TimeChoice choice(StoredFiles files, Interval interval, long epochMicros) {
        long leftOut = 0;
        for (Written each : interval.transactions()) {
            if (each.micros() >= epochMicros) {
                break;
            }
            leftOut++;
        }
        Cut cut = interval.before();
        boolean isKnown = cut.transactions() > files.before(files.list().get(0));
        return new TimeChoice(epochMicros, cut, isKnown ? micros(files, cut.transactions()) : 0, leftOut);
    }

    /** When a transaction in the files was committed, µs since 1970; 0 for a statement that was written when several shards had it. */
    private static long micros(StoredFiles files, long gno) {
        return IntervalWalk.of(files, gno).transactions().stream()
                .filter(each -> each.gno() == gno)
                .mapToLong(Written::micros)
                .findFirst()
                .orElse(0);
    }

    /** The number of indexed transactions before the first one that is not earlier; clocks of shards differ, so they are not ordered by time. */
    private static int entriesBefore(StoredFiles files, BinlogFile file, long epochMicros) {
        List<SparseEntry> entries = files.index(file);
        int i = 0;
        while (i < entries.size() && entries.get(i).commitMicros() < epochMicros) {
            i++;
        }
        return i;
    }

    /** The interval that has the first transaction of this time or later; empty if the walk has to begin earlier. */
    private Optional<Interval> before(long epochMicros, boolean isHead) {
        boolean isFirst = true;
        long newest = 0;
        for (Optional<Interval> next = next(); next.isPresent(); next = next()) {
            Interval interval = next.get();
            if (interval.transactions().isEmpty()) {
                continue;
            }
            for (Written each : interval.transactions()) {
                newest = Math.max(newest, each.micros());
            }
            if (newest >= epochMicros) {
                requireNotPurged(interval.before(), isFirst && isHead);
                return isFirst && !isHead ? Optional.empty() : next;
            }
            isFirst = false;
        }
        if (!isHead && newest == 0) {
            return Optional.empty();
        }
        if (newest == 0 && files.before(files.list().get(0)) > 0) {
            throw StoredFiles.refused("expected a time of the transactions in the files of " + files.folder()
                    + ", found no transaction there: all are purged");
        }
        throw StoredFiles.refused("expected a time up to that of the last transaction in the binlog in "
                + files.folder()
                + (newest == 0 ? "" : ", " + SqlTime.text(newest) + " UTC") + ", found " + SqlTime.text(epochMicros)
                + ": nothing that was committed then is written yet");
    }

    private void requireNotPurged(Cut first, boolean isFirst) {
        boolean isOldest = files.before(files.list().get(0)) == first.transactions();
        if (isFirst && isOldest && first.transactions() > 0) {
            throw StoredFiles.refused("expected a time after the first transaction in the files of " + files.folder()
                    + ", found an earlier one: the transactions from then are purged");
        }
    }

    private String newest() {
        return cut == null || cut.transactions() == 0
                ? "none"
                : files.gtid(cut.transactions()).toString();
    }

    private void open(BinlogFile next, long from) {
        file = next;
        channel = files.open(next);
        events = new EventScan(ReadableBytes.of(channel), from, Math.max(from, next.end()));
        gno = 0;
    }

    /** The next interval; empty after the last cut. */
    Optional<Interval> next() {
        try {
            while (true) {
                while (events.next()) {
                    files.requireRunning();
                    Optional<Interval> found = event();
                    if (found.isPresent()) {
                        return found;
                    }
                }
                BinlogFile next = files.next(file);
                if (next == null) { // a running node may be writing its last bytes
                    return Optional.empty();
                }
                if (events.problem().isPresent()) {
                    throw corrupt(file, events.problem().get());
                }
                close();
                open(next, EventHeader.FILE_MAGIC_LENGTH);
            }
        } catch (IOException e) {
            throw IoErrors.of(file.path(), "read the file", e);
        }
    }

    private static TributaryException corrupt(BinlogFile file, String problem) {
        return new TributaryException(ErrorCode.BINLOG_CORRUPT, file.path() + ": " + problem);
    }

    private Optional<Interval> event() throws IOException {
        if (events.isCut()) {
            return cut();
        }
        int type = events.type();
        if (type == EventType.GTID_LOG_EVENT) {
            endTransaction();
            gno = GtidEvent.gno(events.view(), events.viewAt());
            micros = GtidEvent.immediateCommitMicros(events.view(), events.viewAt(), events.viewEnd());
            isStatement = (GtidEvent.flags(events.view(), events.viewAt()) & GtidEvent.FLAG_MAY_HAVE_SBR) != 0;
            digest.clear();
        } else if (RowsEvent.isRows(type)) {
            rows(type);
        }
        return Optional.empty();
    }

    private void endTransaction() {
        if (gno > 0) {
            transactions.add(new Written(gno, micros, isStatement, digest.sum()));
            gno = 0;
        }
    }

    /** An event of up to 1 MiB is in the view of the walk, a larger one is read in pieces. */
    private void rows(int type) throws IOException {
        long size = events.end() - events.at() - Checksum.LENGTH;
        digest.begin(type, size);
        if (size <= PIECE - Checksum.LENGTH) {
            digest.add(events.view(), events.viewAt(), events.viewEnd());
            return;
        }
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        for (long done = 0; done < size; done += piece.limit()) {
            piece.clear().limit((int) Math.min(PIECE, size - done));
            while (piece.hasRemaining()) {
                if (channel.read(piece, events.at() + done + piece.position()) < 0) {
                    throw new IOException("expected a whole event at " + events.at() + ", found the end of the file");
                }
            }
            digest.add(piece, 0, piece.limit());
        }
    }

    private Optional<Interval> cut() {
        endTransaction();
        ByteBuffer bytes = events.cut();
        if (cut == null && !CutCodec.isFull(bytes)) {
            transactions.clear();
            return Optional.empty();
        }
        Cut before = cut;
        cut = CutCodec.decode(before, bytes);
        if (before == null) {
            transactions.clear();
            return Optional.empty();
        }
        if (!lead.isEmpty() && !lead.peekFirst().hasSameShards(before)) {
            lead.clear();
        }
        lead.addLast(before);
        if (lead.size() > LEAD_CUTS) {
            lead.removeFirst();
        }
        Interval interval = new Interval(lead.peekFirst(), before, transactions, cut);
        transactions.clear();
        return Optional.of(interval);
    }

    /** The last cut that was read; null before the first one. */
    Cut last() {
        return cut;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw IoErrors.of(file.path(), "close the file", e);
        }
    }
}
