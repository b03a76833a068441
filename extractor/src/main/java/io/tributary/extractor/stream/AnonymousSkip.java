package io.tributary.extractor.stream;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.BinlogEventWalk;
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
    private static final long LARGEST_POSITION = 0xffffffffL;

    private final String shard;
    private final MysqlConnection connection;
    private final String allowed;
    private final ReadPosition read;
    private List<String> files = List.of();
    private final BinlogEventWalk walk;
    private String first; // position of the first transaction that is left out
    private int transactions;

    private AnonymousSkip(String shard, MysqlConnection connection, String allowed, ReadPosition read) {
        this.shard = shard;
        this.connection = connection;
        this.allowed = allowed;
        this.read = read;
        this.walk = new BinlogEventWalk(read.file(), read.offset());
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

    private static BinlogDump byPosition(String shard, BinlogDump byGtid, BinlogEventWalk at) {
        if (at.offset() > LARGEST_POSITION) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNFIT,
                    "shard " + shard + ": expected a position below 4 GiB to resume from, found " + at);
        }
        return byGtid.at(at.file(), at.offset());
    }

    private CompletableFuture<BinlogEventWalk> find() {
        return connection.query("SHOW BINARY LOGS").thenCompose(logs -> {
            files = logs.rows().stream().map(row -> row.text(0)).toList();
            return page().thenCompose(this::scan);
        });
    }

    private CompletableFuture<QueryResult> page() {
        return connection.query(walk.statement());
    }

    private CompletableFuture<BinlogEventWalk> scan(QueryResult events) {
        BinlogEventWalk.PageEnd end = walk.read(events, this::isEnd);
        if (end == BinlogEventWalk.PageEnd.FOUND) {
            return finish();
        }
        if (end == BinlogEventWalk.PageEnd.END_OF_FILE) {
            int next = files.indexOf(walk.file()) + 1;
            if (next == 0 || next == files.size()) {
                return finish();
            }
            walk.enter(files.get(next), DumpPosition.FIRST);
        }
        return page().thenCompose(this::scan);
    }

    /** Whether an event begins a transaction that is not left out; counts those that are. */
    private boolean isEnd(QueryResult events, int row) {
        if (BinlogEventWalk.isAnonymous(events, row)) {
            if (!walk.file().equals(allowed)) {
                return true;
            }
            first = transactions == 0 ? walk.file() + ":" + BinlogEventWalk.begin(events, row) : first;
            transactions++;
            return false;
        }
        return events.text(row, "Event_type").startsWith("Gtid")
                && !ReadPosition.gtid(events, row).filter(read::isRead).isPresent();
    }

    private CompletableFuture<BinlogEventWalk> finish() {
        if (transactions > 0) {
            LOG.warn(
                    "transactions without a GTID left out: shard={} transactions={} from={} to={}"
                            + " effect=\"their rows are not in the global binlog\"",
                    shard,
                    transactions,
                    first,
                    walk);
        }
        return CompletableFuture.completedFuture(walk);
    }
}
