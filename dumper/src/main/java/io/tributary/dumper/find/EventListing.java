package io.tributary.dumper.find;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.EventScan;
import io.tributary.dumper.SparseEntry;
import io.tributary.dumper.SparseIndex;
import io.tributary.dumper.filter.TableFilter;
import io.tributary.dumper.filter.TransactionGate;
import io.tributary.dumper.filter.TransactionGate.Verdict;
import io.tributary.mysql.event.EventHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the events of one file, as SHOW BINLOG EVENTS does; of what a filter leaves out, only that something is there. One thread; each
 * {@link #step()} is bounded.
 */
public final class EventListing implements AutoCloseable {
    private static final long BYTES_A_STEP = 4 << 20;
    private static final int HEAD = 1024; // what an event's header and the names in a table map take
    private static final String LEFT_OUT = "Ignorable";

    private final BinlogFile file;
    private final long from;
    private final FileWalk walk;
    private final long count;
    private final TransactionGate gate; // null where nothing is left out
    private final List<Line> lines = new ArrayList<>();
    private long skip;
    private boolean hasMore;

    /** One event. */
    public record Line(String file, long offset, String type, long serverId, long end, String text) {}

    /**
     * @param from offset of an event
     * @param skip how many events to leave out from there on
     * @param count how many to list then at most
     * @param reads the tables that the listing may tell of
     * @param end how far to go, at most to the file's end
     */
    public EventListing(BinlogFile file, long from, long skip, long count, TableFilter reads, long end) {
        this.file = file;
        this.from = from;
        this.skip = skip;
        this.count = count;
        this.walk = new FileWalk(file, reads.isAll() ? from : transactionBefore(file, from), end);
        this.gate = reads.isAll() ? null : new TransactionGate(reads, walk::read);
    }

    /** A filter has to have seen the transaction from its beginning. */
    private static long transactionBefore(BinlogFile file, long offset) {
        return SparseIndex.offsetBefore(SparseIndex.of(file), SparseEntry::offset, offset);
    }

    /**
     * Does a bit of the work; true when all is done.
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
            Verdict verdict = gate == null ? Verdict.PASS : judge(events);
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

    private Verdict judge(EventScan events) throws IOException {
        ByteBuffer view = events.view();
        if (events.viewEnd() <= view.limit()) {
            return gate.judge(view, events.viewAt(), events.at());
        }
        ByteBuffer head = ByteBuffer.allocate(HEAD);
        walk.read(head, events.at());
        return gate.judge(head, 0, events.at());
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
                isShown ? EventText.type(events) : LEFT_OUT,
                EventHeader.serverId(events.view(), events.viewAt()),
                events.end(),
                isShown ? EventText.of(events) : "");
    }

    public List<Line> lines() {
        return lines;
    }

    /** Whether there are events behind the listed ones. */
    public boolean hasMore() {
        return hasMore;
    }

    @Override
    public void close() throws IOException {
        walk.close();
    }
}
