package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks for transactions without a GTID in a MySQL shard's binlogs. A dump by GTIDs ends with an error at the first one in the files that it
 * reads. A change of gtid_mode begins a new file, so the head of each file tells. It blocks, and reads a few events of each file.
 */
final class AnonymousTransactions {
    private static final int EVENTS = 50;
    private static final int MOST_FILES = 1000;

    private final String shard;
    private final MysqlConnection connection;
    private final Duration deadline;
    private final Optional<String> allowed;

    /** @param allowed the file in which they are left out */
    AnonymousTransactions(String shard, Optional<String> allowed, MysqlConnection connection, Duration deadline) {
        this.shard = shard;
        this.allowed = allowed;
        this.connection = connection;
        this.deadline = deadline;
    }

    /**
     * Looks from the newest file back to the one at which the server begins a dump.
     *
     * @param resume all transactions that need not be read
     * @throws MysqlServerError where the server refuses to list its files
     */
    Optional<ShardProblem> problem(GtidSet resume) {
        List<QueryResult.Row> files =
                connection.query("SHOW BINARY LOGS", deadline).rows();
        List<String> found = new ArrayList<>();
        int oldest = Math.max(0, files.size() - MOST_FILES);
        for (int i = files.size() - 1; i >= oldest; i--) {
            Head head = head(files.get(i).text(0));
            String file = files.get(i).text(0);
            if (head.isAnonymous && !allowed.equals(Optional.of(file))) {
                found.add(file);
            }
            if (head.previous.minus(resume).isEmpty()) {
                break;
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(problem(found));
    }

    private ShardProblem problem(List<String> files) {
        return new ShardProblem(
                ErrorCode.SHARD_UNFIT,
                false,
                shard,
                "anonymous transactions",
                "a GTID for each transaction that is to be read",
                "transactions without one in " + files.get(files.size() - 1)
                        + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " later files")
                        + ": the server refuses to send them",
                "run SET GLOBAL gtid_mode = ON and FLUSH BINARY LOGS, then set shard." + shard + ".skip.anonymous = "
                        + files.get(files.size() - 1)
                        + " to leave them out; their rows are not in the global binlog");
    }

    /** What the first events of a file tell. */
    private record Head(GtidSet previous, boolean isAnonymous) {}

    private Head head(String file) {
        GtidSet previous = GtidSet.EMPTY;
        boolean isAnonymous = false;
        QueryResult events = connection.query("SHOW BINLOG EVENTS IN '" + file + "' LIMIT " + EVENTS, deadline);
        for (int i = 0; i < events.rows().size(); i++) {
            String type = events.text(i, "Event_type");
            if (type.equals("Previous_gtids")) {
                previous = GtidSet.parse(events.text(i, "Info"));
            }
            isAnonymous |= type.equals("Anonymous_Gtid");
        }
        return new Head(previous, isAnonymous);
    }
}
