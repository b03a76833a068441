package io.tributary.serve.select;

import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.SessionMemoryException;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.serve.sql.SqlRefusal;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client gets when its SELECT fails. */
final class SelectFailure {
    private static final Logger LOG = LoggerFactory.getLogger(SelectFailure.class);

    private SelectFailure() {}

    static ErrPacket packet(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof SqlRefusal refusal) {
            return refusal.packet();
        }
        if (cause instanceof SessionMemoryException full) {
            return full.error();
        }
        if (cause instanceof MysqlServerError error) {
            return new ErrPacket(error.errorCode(), error.sqlState(), error.getMessage());
        }
        if (cause instanceof CancellationException) {
            return MysqlError.ER_QUERY_INTERRUPTED.packet("Query execution was interrupted");
        }
        if (!(cause instanceof TributaryException)) {
            LOG.warn("SELECT failed", cause);
        }
        return MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE.packet(
                "SELECT on tables: cannot read all members of the table: " + cause.getMessage());
    }
}
