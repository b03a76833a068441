package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.ReadPosition;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.DumpPosition;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for the position at which a shard's stream resumes after transactions without a GTID, in the one file in which an operator has
 * allowed to leave them out. The server refuses to send such a transaction by GTID, and with {@code gtid_mode = ON} also by position. The
 * events after it can be read by position. Runs on the connection's event loop.
 */
final class AnonymousSkip {
    private static final Logger LOG = LoggerFactory.getLogger(AnonymousSkip.class);
    private static final int PAGE = 1000;
    private static final long LARGEST_POSITION = 0xffffffffL;

    private final String shard;
    private final MysqlConnection connection;
    private final String allowed;
    private final ReadPosition read;
    private List<String> files = List.of();
    private Place from;
    private Place first;
    private int transactions;

    /** An offset in a file, in bytes. */
    private record Place(String file, long offset) {
        @Override
        public String toString() {
            return file + ":" + offset;
        }
    }

    private AnonymousSkip(String shard, MysqlConnection connection, String allowed, ReadPosition read) {
        this.shard = shard;
        this.connection = connection;
        this.allowed = allowed;
        this.read = read;
        this.from = new Place(read.file(), read.offset());
    }

    /**
     * The dump that resumes at the next transaction with a GTID that was not read yet.
     *
     * @param allowed name of the file in which transactions without a GTID are left out
     * @param place the position up to which the shard was read; between two transactions
     * @param byGtid the dump to use if nothing has to be left out
     * @return completes on the event loop; fails as a query does
     */
    static CompletableFuture<BinlogDump> dump(
            String shard, MysqlConnection connection, String allowed, ReadPosition place, BinlogDump byGtid) {
        if (place.file().isEmpty()) {
            return CompletableFuture.completedFuture(byGtid);
        }
        return new AnonymousSkip(shard, connection, allowed, place)
                .find()
                .thenApply(end -> end.file().equals(allowed) ? byPosition(shard, byGtid, end) : byGtid);
    }

    private static BinlogDump byPosition(String shard, BinlogDump byGtid, Place at) {
        if (at.offset() > LARGEST_POSITION) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "shard " + shard + ": expected a position below 4 GiB to resume from, found " + at);
        }
        return byGtid.at(at.file(), at.offset());
    }

    private CompletableFuture<Place> find() {
        return connection.query("SHOW BINARY LOGS").thenCompose(logs -> {
            files = logs.rows().stream().map(row -> row.text(0)).toList();
            return page().thenCompose(this::scan);
        });
    }

    private CompletableFuture<QueryResult> page() {
        return connection.query("SHOW BINLOG EVENTS IN '" + from.file() + "' FROM " + from.offset() + " LIMIT " + PAGE);
    }

    private CompletableFuture<Place> scan(QueryResult events) {
        for (int i = 0; i < events.rows().size(); i++) {
            String type = events.text(i, "Event_type");
            Place here = new Place(from.file(), Long.parseLong(events.text(i, "Pos")));
            boolean isAnonymous = type.equals("Anonymous_Gtid");
            boolean isUnread = type.startsWith("Gtid")
                    && !ReadPosition.gtid(events, i).filter(read::isRead).isPresent();
            if (isUnread || isAnonymous && !here.file().equals(allowed)) {
                return finish(here);
            }
            if (isAnonymous) {
                first = transactions == 0 ? here : first;
                transactions++;
            }
            from = new Place(here.file(), Long.parseLong(events.text(i, "End_log_pos")));
        }
        int next = files.indexOf(from.file()) + 1;
        if (events.rows().size() < PAGE) {
            if (next == 0 || next == files.size()) {
                return finish(from);
            }
            from = new Place(files.get(next), DumpPosition.FIRST);
        }
        return page().thenCompose(this::scan);
    }

    private CompletableFuture<Place> finish(Place end) {
        if (transactions > 0) {
            LOG.warn(
                    "transactions without a GTID left out: shard={} transactions={} from={} to={}"
                            + " effect=\"their rows are not in the global binlog\"",
                    shard,
                    transactions,
                    first,
                    end);
        }
        return CompletableFuture.completedFuture(end);
    }
}
