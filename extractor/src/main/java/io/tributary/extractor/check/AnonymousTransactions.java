package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.BinlogEventWalk;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The check for transactions without a GTID in the binlogs of a MySQL shard. A dump by GTIDs fails at the first one in the files that it
 * reads. A change of gtid_mode begins a new file, so it reads the first events of each file, and up to 20,000 events after the position in the cut, also those of later files. It blocks.
 */
final class AnonymousTransactions {
    private static final int EVENTS = 50;
    private static final int MOST_PAGES = 20;
    /** After the magic number of a file. */
    private static final int FIRST_EVENT = 4;

    private static final int MOST_FILES = 1000;

    private final String shard;
    private final MysqlConnection connection;
    private final Duration deadline;
    private final Optional<String> allowed;

    /** @param allowed the file in which such transactions are left out */
    AnonymousTransactions(String shard, Optional<String> allowed, MysqlConnection connection, Duration deadline) {
        this.shard = shard;
        this.allowed = allowed;
        this.connection = connection;
        this.deadline = deadline;
    }

    /**
     * Checks the files from the newest one back to the one at which the server begins a dump, and what follows the position in the cut: a
     * shard that is held at such a transaction was read up to there, or up to a branch before it that is prepared.
     *
     * @param from where the shard is read from
     * @throws MysqlServerError if the server refuses to list its files
     */
    Optional<ShardProblem> problem(ShardCut from) {
        List<String> files = connection.query("SHOW BINARY LOGS", deadline).rows().stream()
                .map(row -> row.text(0))
                .toList();
        Optional<String> next = nextAfter(from, files);
        List<String> found = new ArrayList<>();
        int oldest = Math.max(0, files.size() - MOST_FILES);
        for (int i = files.size() - 1; i >= oldest; i--) {
            String file = files.get(i);
            Head head = head(file);
            boolean isFound = head.isAnonymous || next.equals(Optional.of(file));
            if (isFound && !allowed.equals(Optional.of(file))) {
                found.add(file);
            }
            if (head.previous.minus(from.resume()).isEmpty()) {
                break;
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(problem(found));
    }

    /** The file of the first one in the events after a position; empty if no event begins there, which another part of the check reports. */
    private Optional<String> nextAfter(ShardCut from, List<String> files) {
        int number = files.indexOf(from.file());
        if (number < 0) {
            return Optional.empty();
        }
        try {
            return nextAfter(new BinlogEventWalk(from.file(), from.offset()), files.listIterator(number + 1));
        } catch (MysqlServerError e) {
            return Optional.empty();
        }
    }

    private Optional<String> nextAfter(BinlogEventWalk walk, Iterator<String> later) {
        for (int page = 0; page < MOST_PAGES; page++) {
            switch (walk.read(connection.query(walk.statement(), deadline), BinlogEventWalk::isAnonymous)) {
                case FOUND -> {
                    return Optional.of(walk.file());
                }
                case END_OF_FILE -> {
                    if (!later.hasNext()) {
                        return Optional.empty();
                    }
                    walk.enter(later.next(), FIRST_EVENT);
                }
                case MORE -> {
                    // the next page
                }
            }
        }
        return Optional.empty();
    }

    private ShardProblem problem(List<String> files) {
        return new ShardProblem(
                ErrorCode.SHARD_UNFIT,
                false,
                shard,
                "anonymous transactions",
                "a GTID in each transaction that must be read",
                "transactions without one in " + files.get(files.size() - 1)
                        + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " later files")
                        + ": the server refuses to send them",
                "run SET GLOBAL gtid_mode = ON and FLUSH BINARY LOGS, then set shard." + shard + ".skip.anonymous = "
                        + files.get(files.size() - 1)
                        + " to leave them out; their rows are not in the global binlog");
    }

    /** The relevant content of the first events of a file. */
    private record Head(GtidSet previous, boolean isAnonymous) {}

    private Head head(String file) {
        GtidSet previous = GtidSet.EMPTY;
        boolean isAnonymous = false;
        QueryResult events = connection.query("SHOW BINLOG EVENTS IN '" + file + "' LIMIT " + EVENTS, deadline);
        for (int i = 0; i < events.rows().size(); i++) {
            if (events.text(i, "Event_type").equals("Previous_gtids")) {
                previous = GtidSet.parse(events.text(i, "Info"));
            }
            isAnonymous |= BinlogEventWalk.isAnonymous(events, i);
        }
        return new Head(previous, isAnonymous);
    }
}
