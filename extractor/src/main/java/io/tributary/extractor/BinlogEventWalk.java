package io.tributary.extractor;

import io.tributary.mysql.protocol.client.QueryResult;

/**
 * A walk over the events of a shard's binlog files, page by page, with SHOW BINLOG EVENTS. The caller runs the statements, blocking or not.
 */
public final class BinlogEventWalk {
    private static final int PAGE = 1000;

    private String file;
    private long offset;

    /** @param offset at which an event of the file begins */
    public BinlogEventWalk(String file, long offset) {
        this.file = file;
        this.offset = offset;
    }

    /** How a page ended. */
    public enum PageEnd {
        /** An event was found; the walk is at its beginning. */
        FOUND,
        /** There is another page of the file. */
        MORE,
        /** The file has no further events. */
        END_OF_FILE
    }

    /** The condition that ends the walk. */
    @FunctionalInterface
    public interface Search {
        /** Called for each event of a page before the walk passes it. */
        boolean isFound(QueryResult page, int row);
    }

    /** Whether an event begins a transaction without a GTID. */
    public static boolean isAnonymous(QueryResult page, int row) {
        return page.text(row, "Event_type").equals("Anonymous_Gtid");
    }

    /** The statement for the next page. */
    public String statement() {
        return "SHOW BINLOG EVENTS IN '" + file + "' FROM " + offset + " LIMIT " + PAGE;
    }

    /** Walks over the page that {@link #statement} has returned. */
    public PageEnd read(QueryResult page, Search search) {
        int rows = page.rows().size();
        for (int row = 0; row < rows; row++) {
            if (search.isFound(page, row)) {
                offset = begin(page, row);
                return PageEnd.FOUND;
            }
            offset = Long.parseLong(page.text(row, "End_log_pos"));
        }
        return rows < PAGE ? PageEnd.END_OF_FILE : PageEnd.MORE;
    }

    /** The offset at which an event begins. */
    public static long begin(QueryResult page, int row) {
        return Long.parseLong(page.text(row, "Pos"));
    }

    /** Continues at the beginning of another file. */
    public void enter(String other, long firstOffset) {
        file = other;
        offset = firstOffset;
    }

    public String file() {
        return file;
    }

    public long offset() {
        return offset;
    }

    /** The position in the form {@code file:offset}. */
    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
