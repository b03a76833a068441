package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mapping of a shard's errors, by MySQL's error numbers (manual, "Server Error Message Reference"), to error codes. */
public final class ShardErrors {
    private static final Logger LOG = LoggerFactory.getLogger(ShardErrors.class);

    static final int TOO_MANY_CONNECTIONS = 1040;
    static final int DATABASE_DENIED = 1044;
    static final int ACCESS_DENIED = 1045;
    static final int UNKNOWN_DATABASE = 1049;
    static final int SHUTDOWN = 1053;
    static final int UNKNOWN_COLUMN = 1054;
    public static final int SYNTAX = 1064;
    static final int HOST_BLOCKED = 1129;
    static final int TABLE_DENIED = 1142;
    static final int COLUMN_DENIED = 1143;
    static final int UNKNOWN_TABLE = 1146;
    static final int PRIVILEGE_NEEDED = 1227;
    static final int BINLOG_UNREADABLE = 1236;
    static final int READ_ONLY_OPTION = 1290;
    static final int NO_BINLOG = 1381;
    static final int READ_ONLY_TRANSACTION = 1792;
    static final int READ_ONLY_MODE = 1836;

    private ShardErrors() {}

    /**
     * Whether to connect to the same server again.
     *
     * @param isLost whether that has failed already: for a shard with several servers, another one may be the primary now
     */
    public static boolean mayPass(TributaryException failure, ShardConfig config, boolean isLost) {
        return isOfConnection(failure) && !(isLost && config.isOneOfSeveral());
    }

    private static boolean isOfConnection(TributaryException failure) {
        return failure.code() == ErrorCode.SHARD_UNREACHABLE || failure.code() == ErrorCode.PROTOCOL_VIOLATED;
    }

    /** The failure that ends the pipeline. If another server of the shard may help, its code makes the next pipeline check all of them. */
    public static TributaryException orElsewhere(TributaryException failure, ShardConfig config) {
        boolean isOfServer = isOfConnection(failure) || failure.code().holdsShard();
        return isOfServer && config.isOneOfSeveral()
                ? new TributaryException(
                        ErrorCode.SHARD_UNREACHABLE,
                        failure.getMessage() + "; the next attempt checks all servers of the shard: "
                                + config.addresses(),
                        failure)
                : failure;
    }

    /** The cause that a future's exception wraps. */
    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The error if a connection could not be opened. */
    public static TributaryException ofLogin(String shard, Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof MysqlServerError error) {
            boolean isBusy = error.errorCode() == TOO_MANY_CONNECTIONS
                    || error.errorCode() == SHUTDOWN
                    || error.errorCode() == HOST_BLOCKED;
            return new TributaryException(
                    isBusy ? ErrorCode.SHARD_UNREACHABLE : ErrorCode.SHARD_LOGIN_REFUSED,
                    "shard " + shard + ": expected a login, found " + error.getMessage(),
                    error);
        }
        return ofTransport(shard, cause);
    }

    /** The error if a statement before the dump, or the dump itself, was refused. */
    public static TributaryException ofStream(String shard, Throwable failure, String place) {
        Throwable cause = unwrap(failure);
        if (cause instanceof MysqlServerError error) {
            return new TributaryException(
                    streamCode(error), "shard " + shard + " " + place + ": " + error.getMessage(), error);
        }
        return ofTransport(shard, cause);
    }

    private static ErrorCode streamCode(MysqlServerError error) {
        String text = error.serverMessage().toLowerCase(Locale.ROOT);
        return switch (error.errorCode()) {
            case PRIVILEGE_NEEDED, ACCESS_DENIED, NO_BINLOG -> ErrorCode.SHARD_UNFIT;
            case BINLOG_UNREADABLE -> {
                if (text.contains("purged")) {
                    yield ErrorCode.SHARD_POSITION_PURGED;
                }
                if (text.contains("anonymous") || text.contains("gtid_mode")) {
                    yield ErrorCode.SHARD_UNFIT;
                }
                yield text.contains("more gtids") ? ErrorCode.SHARD_SAME_SERVER : ErrorCode.SHARD_STREAM_FAILED;
            }
            default -> ErrorCode.SHARD_UNREACHABLE;
        };
    }

    /** The error of a failed statement of the writer of rounds; SHARD_UNREACHABLE if it may pass, such as a lock or a read-only shard. */
    public static TributaryException ofStatement(String shard, Throwable failure, String doing) {
        Throwable cause = unwrap(failure);
        if (cause instanceof MysqlServerError error) {
            ErrorCode code = switch (error.errorCode()) {
                case DATABASE_DENIED, TABLE_DENIED, COLUMN_DENIED, PRIVILEGE_NEEDED -> ErrorCode.SHARD_UNFIT;
                case UNKNOWN_COLUMN, SYNTAX -> ErrorCode.SQL_FAILED;
                default -> ErrorCode.SHARD_UNREACHABLE;
            };
            return new TributaryException(code, "shard " + shard + ": " + doing + ": " + error.getMessage(), error);
        }
        return ofTransport(shard, cause);
    }

    /** Whether the heartbeat table or its schema is missing on the shard. */
    public static boolean isMissingTable(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && (error.errorCode() == UNKNOWN_TABLE || error.errorCode() == UNKNOWN_DATABASE);
    }

    /** Whether the heartbeat table is that of an earlier version, without TSOs. */
    public static boolean isMissingTso(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && error.errorCode() == UNKNOWN_COLUMN
                && error.serverMessage().contains("'tso'");
    }

    /** Whether the shard is read-only: the statement was not executed and will not be. */
    public static boolean isReadOnly(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && (error.errorCode() == READ_ONLY_OPTION
                        || error.errorCode() == READ_ONLY_TRANSACTION
                        || error.errorCode() == READ_ONLY_MODE);
    }

    public static boolean isDenied(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && (error.errorCode() == DATABASE_DENIED
                        || error.errorCode() == TABLE_DENIED
                        || error.errorCode() == COLUMN_DENIED
                        || error.errorCode() == PRIVILEGE_NEEDED);
    }

    /** Logs that a shard did not answer; the shard's own check reports the problem. */
    public static void logUnanswered(String shard, Throwable failure) {
        LOG.debug("writer of rounds unknown: shard={}", shard, unwrap(failure));
    }

    public static TributaryException ofTransport(String shard, Throwable cause) {
        ErrorCode code = cause instanceof TributaryException known ? known.code() : ErrorCode.SHARD_UNREACHABLE;
        return new TributaryException(code, "shard " + shard + ": " + cause.getMessage(), cause);
    }
}
