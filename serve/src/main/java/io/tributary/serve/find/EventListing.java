package io.tributary.serve.find;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.event.EventHeader;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.filter.TransactionFilter;
import io.tributary.serve.filter.TransactionFilter.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the events of one file, as SHOW BINLOG EVENTS does. For events that a filter drops, it lists only that there is an event. One thread;
 * each {@link #step()} is bounded.
 */
public final class EventListing implements AutoCloseable {
    private static final long BYTES_A_STEP = 4 << 20;
    private static final int HEAD = 1024; // enough for an event's header and the names in a table map
    private static final String FILTERED = "Ignorable";

    private final BinlogFile file;
    private final long from;
    private final FileWalk walk;
    private final long count;
    private final TransactionFilter gate; // null when nothing is filtered
    private final List<Line> lines = new ArrayList<>();
    private long skip;
    private boolean hasMore;

    /** One event. */
    public record Line(String file, long offset, String type, long serverId, long end, String text) {}

    /**
     * @param from offset of an event
     * @param end offset at which to stop, at most the end of the file
     * @param limit of the events from there on
     * @param reads the tables that the listing may contain
     */
    public EventListing(BinlogFile file, long from, long end, RowLimit limit, TableFilter reads) {
        this.file = file;
        this.from = from;
        this.skip = limit.skip();
        this.count = limit.count();
        this.walk = new FileWalk(file, reads.isAll() ? from : transactionBefore(file, from), end);
        this.gate = reads.isAll() ? null : new TransactionFilter(reads, walk::read);
    }

    /** Offset of a transaction at or before an event: a filter must see a transaction from its beginning. */
    private static long transactionBefore(BinlogFile file, long offset) {
        return SparseIndex.offsetBefore(SparseIndex.of(file), SparseEntry::offset, offset);
    }

    /**
     * Does a part of the work; true when all is done.
     *
     * @throws io.tributary.common.error.TributaryException BINLOG_CORRUPT when no event begins where one should
     */
    public boolean step() throws IOException {
        long stop = walk.at() + BYTES_A_STEP;
        while (walk.at() < stop) {
            if (!walk.next()) {
                return true;
            }
            EventScan events = walk.events();
            Verdict verdict = gate == null ? Verdict.PASS : decide(events);
            if (events.at() < from) {
                requireEventAtFrom(events);
            } else if (skip > 0) {
                skip--;
            } else if (lines.size() == count) {
                hasMore = true;
                return true;
            } else {
                lines.add(line(events, verdict));
            }
        }
        return false;
    }

    private Verdict decide(EventScan events) throws IOException {
        ByteBuffer view = events.view();
        if (events.viewEnd() <= view.limit()) {
            return gate.decide(view, events.viewAt(), events.at());
        }
        ByteBuffer head = ByteBuffer.allocate(HEAD);
        walk.read(head, events.at());
        return gate.decide(head, 0, events.at());
    }

    private void requireEventAtFrom(EventScan before) {
        if (before.end() > from) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT, file.path() + ": expected an event at offset " + from + ", found none");
        }
    }

    private Line line(EventScan events, Verdict verdict) {
        boolean isShown = verdict == Verdict.PASS || verdict == Verdict.PASS_AS_LAST;
        return new Line(
                file.name(),
                events.at(),
                isShown ? EventText.type(events) : FILTERED,
                EventHeader.serverId(events.view(), events.viewAt()),
                events.end(),
                isShown ? EventText.of(events) : "");
    }

    public List<Line> lines() {
        return lines;
    }

    /** Whether there are events after the listed ones. */
    public boolean hasMore() {
        return hasMore;
    }

    @Override
    public void close() throws IOException {
        walk.close();
    }
}
