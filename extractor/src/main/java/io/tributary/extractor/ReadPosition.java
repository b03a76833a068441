package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Up to where a server's binlog has been read, in the server's own terms. GTID sets alone do not tell that a binlog was reset and has grown
 * past what was read: its GTIDs are the same again, with other transactions behind them.
 *
 * @param file the file with the first transaction that is not in the set, or the one it would be written to; "" where it is not known
 * @param offset where that transaction begins, bytes from the file's begin
 * @param resume all transactions that need not be read again
 * @param isExact whether none of the set begins there or behind it
 */
record ReadPlace(String file, long offset, GtidSet resume, boolean isExact) {
    /** That of a cut: in tso order it may be in front of transactions that are in the set. */
    static ReadPlace of(ShardCut cut) {
        return new ReadPlace(cut.file(), cut.offset(), cut.resume(), false);
    }

    /** "Error when executing command SHOW BINLOG EVENTS: Wrong offset or I/O error", and the like. */
    private static final int WRONG_PLACE = 1220;

    private static final Pattern NUMBER = Pattern.compile(".*\\.(\\d+)");
    private static final Pattern NEXT_GTID = Pattern.compile(".*GTID_NEXT\\s*=\\s*'([^']+)'.*");

    /**
     * Asks the server that was read so far whether its binlog is still the one that was read; of MariaDB, and where no place is known, it is
     * not asked.
     *
     * @return completed on the connection's event loop: what was found instead, empty where nothing speaks against it
     */
    CompletableFuture<Optional<String>> contradiction(MysqlConnection connection) {
        if (file.isEmpty() || connection.isMariadb()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return connection.query("SHOW BINARY LOGS").thenCompose(files -> {
            Optional<Long> size = size(files);
            if (size.isEmpty()) { // purged files are told by GTID sets
                return CompletableFuture.completedFuture(
                        isBehind(files) ? Optional.of("its newest file is " + newest(files)) : Optional.empty());
            }
            if (size.get() < offset) {
                return CompletableFuture.completedFuture(Optional.of("the file has " + size.get() + " bytes"));
            }
            return connection
                    .query("SHOW BINLOG EVENTS IN '" + file + "' FROM " + offset + " LIMIT 1")
                    .handle(this::judge);
        });
    }

    /** @throws TributaryException SHARD_HISTORY_LOST where something was found instead of the place */
    void require(String shard, Optional<String> contradiction) {
        if (contradiction.isPresent()) {
            throw lost(
                    shard,
                    "expected " + file + ":" + offset + " behind " + ShardFacts.shown(resume) + ", found that "
                            + contradiction.get());
        }
    }

    static TributaryException lost(String shard, String message) {
        return new TributaryException(ErrorCode.SHARD_HISTORY_LOST, "shard " + shard + ": " + message);
    }

    private Optional<String> judge(QueryResult events, Throwable failure) {
        if (failure != null) {
            return ShardErrors.unwrap(failure) instanceof MysqlServerError error && error.errorCode() == WRONG_PLACE
                    ? Optional.of("no event begins there (" + error.serverMessage() + ")")
                    : Optional.empty();
        }
        if (events.isEmpty()) {
            return Optional.empty();
        }
        return gtid(events, 0)
                .filter(gtid -> isExact && isRead(gtid))
                .map(gtid -> "transaction " + gtid + " begins there");
    }

    /** The transaction that an event of SHOW BINLOG EVENTS begins; empty for another event, and where it has no GTID. */
    static Optional<Gtid> gtid(QueryResult events, int row) {
        Matcher next = NEXT_GTID.matcher(events.text(row, "Info"));
        return next.matches() && next.group(1).contains(":")
                ? Optional.of(Gtid.parse(next.group(1)))
                : Optional.empty();
    }

    /** Whether a transaction need not be read again. */
    boolean isRead(Gtid gtid) {
        return resume.contains(gtid.sid(), gtid.gno());
    }

    private Optional<Long> size(QueryResult files) {
        return files.rows().stream()
                .filter(row -> row.text(0).equals(file))
                .map(row -> Long.parseLong(row.text(1)))
                .findFirst();
    }

    private static String newest(QueryResult files) {
        return files.rows().get(files.rows().size() - 1).text(0);
    }

    /** Whether the file's number has not been reached. */
    private boolean isBehind(QueryResult files) {
        Matcher own = NUMBER.matcher(file);
        Matcher theirs = NUMBER.matcher(newest(files));
        return own.matches() && theirs.matches() && Long.parseLong(theirs.group(1)) < Long.parseLong(own.group(1));
    }
}
