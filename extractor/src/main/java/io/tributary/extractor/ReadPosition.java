package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position up to which a server's binlog was read. GTID sets alone do not show that a binlog was reset and has grown past this position:
 * its GTIDs are the same again, for other transactions.
 *
 * @param file the file with the first transaction that is not in the set, or the one it would be written to; "" if it is not known
 * @param offset offset at which that transaction begins, bytes from the beginning of the file
 * @param resume all transactions that need not be read again
 * @param isExact whether no transaction of the set begins at or after the offset
 */
public record ReadPosition(String file, long offset, GtidSet resume, boolean isExact) {
    /** The position of a cut: in tso order it may be before transactions that are in the set. */
    public static ReadPosition of(ShardCut cut) {
        return new ReadPosition(cut.file(), cut.offset(), cut.resume(), false);
    }

    private static final Pattern NUMBER = Pattern.compile(".*\\.(\\d+)");
    private static final Pattern NEXT_GTID = Pattern.compile(".*GTID_NEXT\\s*=\\s*'([^']+)'.*");

    /**
     * Checks whether the binlog of the server is still the one that was read. It is not checked for MariaDB, or if no position is known.
     *
     * @return completes on the connection's event loop: a text about what was found instead, empty if there is no contradiction
     */
    public CompletableFuture<Optional<String>> contradiction(MysqlConnection connection) {
        if (file.isEmpty() || connection.isMariadb()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return connection.query("SHOW BINARY LOGS").thenCompose(files -> {
            Optional<Long> size = size(files);
            if (size.isEmpty()) { // purged files are detected by GTID sets
                return CompletableFuture.completedFuture(
                        isNewestFileOlder(files)
                                ? Optional.of("its newest file is " + newest(files))
                                : Optional.empty());
            }
            if (size.get() < offset) {
                return CompletableFuture.completedFuture(Optional.of("the file has " + size.get() + " bytes"));
            }
            return connection
                    .query("SHOW BINLOG EVENTS IN '" + file + "' FROM " + offset + " LIMIT 1")
                    .handle(this::checkFirst);
        });
    }

    /** @throws TributaryException SHARD_HISTORY_LOST if a contradiction was found */
    public void require(String shard, Optional<String> contradiction) {
        if (contradiction.isPresent()) {
            throw lost(
                    shard,
                    "expected " + file + ":" + offset + " after " + ShardFacts.shown(resume) + ", found that "
                            + contradiction.get());
        }
    }

    static TributaryException lost(String shard, String message) {
        return new TributaryException(ErrorCode.SHARD_HISTORY_LOST, "shard " + shard + ": " + message);
    }

    private Optional<String> checkFirst(QueryResult events, Throwable failure) {
        if (failure != null) {
            return ShardErrors.unwrap(failure) instanceof MysqlServerError error
                            && error.is(MysqlError.ER_ERROR_WHEN_EXECUTING_COMMAND) // wrong offset, and similar errors
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

    /** The transaction that an event of SHOW BINLOG EVENTS begins; empty for another event, and if it has no GTID. */
    public static Optional<Gtid> gtid(QueryResult events, int row) {
        Matcher next = NEXT_GTID.matcher(events.text(row, "Info"));
        return next.matches() && next.group(1).contains(":")
                ? Optional.of(Gtid.parse(next.group(1)))
                : Optional.empty();
    }

    /** Whether a transaction need not be read again. */
    public boolean isRead(Gtid gtid) {
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

    /** Whether the server's newest file has a smaller number than this position's file. */
    private boolean isNewestFileOlder(QueryResult files) {
        Matcher own = NUMBER.matcher(file);
        Matcher newest = NUMBER.matcher(newest(files));
        return own.matches() && newest.matches() && Long.parseLong(newest.group(1)) < Long.parseLong(own.group(1));
    }
}
