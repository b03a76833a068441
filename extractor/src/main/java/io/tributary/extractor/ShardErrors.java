package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mapping of a shard's errors, by MySQL's error numbers, to error codes. */
public final class ShardErrors {
    private static final Logger LOG = LoggerFactory.getLogger(ShardErrors.class);

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
            boolean isBusy = error.is(
                    MysqlError.ER_CON_COUNT_ERROR, MysqlError.ER_SERVER_SHUTDOWN, MysqlError.ER_HOST_IS_BLOCKED);
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
        if (error.is(
                MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
                MysqlError.ER_ACCESS_DENIED_ERROR,
                MysqlError.ER_NO_BINARY_LOGGING)) {
            return ErrorCode.SHARD_UNFIT;
        }
        if (!error.is(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG)) {
            return ErrorCode.SHARD_UNREACHABLE;
        }
        String text = error.serverMessage().toLowerCase(Locale.ROOT);
        if (text.contains("purged")) {
            return ErrorCode.SHARD_POSITION_PURGED;
        }
        if (text.contains("anonymous") || text.contains("gtid_mode")) {
            return ErrorCode.SHARD_UNFIT;
        }
        return text.contains("more gtids") ? ErrorCode.SHARD_SAME_SERVER : ErrorCode.SHARD_STREAM_FAILED;
    }

    /** The error of a failed statement of the writer of rounds; SHARD_UNREACHABLE if it may pass, such as a lock or a read-only shard. */
    public static TributaryException ofStatement(String shard, Throwable failure, String doing) {
        Throwable cause = unwrap(failure);
        if (cause instanceof MysqlServerError error) {
            boolean isWrong = error.is(MysqlError.ER_BAD_FIELD_ERROR, MysqlError.ER_PARSE_ERROR);
            ErrorCode code = isDenied(error)
                    ? ErrorCode.SHARD_UNFIT
                    : isWrong ? ErrorCode.SQL_FAILED : ErrorCode.SHARD_UNREACHABLE;
            return new TributaryException(code, "shard " + shard + ": " + doing + ": " + error.getMessage(), error);
        }
        return ofTransport(shard, cause);
    }

    /** Whether the heartbeat table or its schema is missing on the shard. */
    public static boolean isMissingTable(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && error.is(MysqlError.ER_NO_SUCH_TABLE, MysqlError.ER_BAD_DB_ERROR);
    }

    /** Whether the heartbeat table is that of an earlier version, without TSOs. */
    public static boolean isMissingTso(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && error.is(MysqlError.ER_BAD_FIELD_ERROR)
                && error.serverMessage().contains("'tso'");
    }

    /** Whether the shard is read-only: the statement was not executed and will not be. */
    public static boolean isReadOnly(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && error.is(
                        MysqlError.ER_OPTION_PREVENTS_STATEMENT,
                        MysqlError.ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
                        MysqlError.ER_READ_ONLY_MODE);
    }

    public static boolean isDenied(Throwable failure) {
        return unwrap(failure) instanceof MysqlServerError error
                && error.is(
                        MysqlError.ER_DBACCESS_DENIED_ERROR,
                        MysqlError.ER_TABLEACCESS_DENIED_ERROR,
                        MysqlError.ER_COLUMNACCESS_DENIED_ERROR,
                        MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR);
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
