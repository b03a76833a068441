package io.tributary.dumper.find;

import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.EventScan;
import io.tributary.mysql.event.EventHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lists the events of one file, as SHOW BINLOG EVENTS does. One thread; each {@link #step()} is bounded. */
public final class EventListing implements AutoCloseable {
    private static final long BYTES_A_STEP = 4 << 20;

    private final BinlogFile file;
    private final FileWalk walk;
    private final long count;
    private final List<Line> lines = new ArrayList<>();
    private long skip;
    private boolean hasMore;

    /** One event. */
    public record Line(String file, long offset, String type, long serverId, long end, String text) {}

    /**
     * @param from offset of an event
     * @param skip how many events to leave out from there on
     * @param count how many to list then at most
     */
    public EventListing(BinlogFile file, long from, long skip, long count) {
        this.file = file;
        this.skip = skip;
        this.count = count;
        this.walk = new FileWalk(file, from);
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
            if (skip > 0) {
                skip--;
            } else if (lines.size() == count) {
                hasMore = true;
                return true;
            } else {
                lines.add(line(walk.events()));
            }
        }
        return false;
    }

    private Line line(EventScan events) {
        return new Line(
                file.name(),
                events.at(),
                EventText.type(events),
                EventHeader.serverId(events.view(), events.viewAt()),
                events.end(),
                EventText.of(events));
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
