package io.tributary.serve.statement;

import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;

/** Statements that change something: KILL, FLUSH, PURGE. */
final class AdminStatement {
    private final BinlogAdmin binlog;

    AdminStatement(BinlogAdmin binlog) {
        this.binlog = binlog;
    }

    /** Executes what follows the word KILL. */
    Answer kill(SqlReader reader, SqlExpression expression) {
        boolean onlyStatement = reader.accept("QUERY");
        if (!onlyStatement) {
            reader.acceptAny("CONNECTION", "SOFT", "HARD");
        }
        String text = String.valueOf(expression.value().text());
        reader.expectEnd();
        try {
            return new Answer.Kill(Long.parseLong(text), onlyStatement);
        } catch (NumberFormatException e) {
            throw new SqlRefusal(MysqlError.ER_NO_SUCH_THREAD, "Unknown thread id: " + text);
        }
    }

    /** Executes what follows the word FLUSH. There are no tables to close, so FLUSH TABLES succeeds. */
    Answer flush(SqlReader reader) {
        reader.acceptAny("LOCAL", "NO_WRITE_TO_BINLOG");
        if (reader.accept("BINARY", "LOGS") || reader.accept("LOGS")) {
            reader.expectEnd();
            return new Answer.Later(binlog.rotate());
        }
        if (reader.acceptAny("TABLES", "TABLE", "STATUS", "PRIVILEGES")) {
            reader.skipRest();
            return Answer.OK;
        }
        throw reader.refusal();
    }

    /** Executes what follows the word PURGE. */
    Answer purge(SqlReader reader, SqlExpression expression) {
        if (!reader.acceptAny("BINARY", "MASTER")) {
            throw reader.refusal();
        }
        reader.expect("LOGS");
        if (reader.accept("TO")) {
            String file = reader.string();
            reader.expectEnd();
            return new Answer.Later(binlog.purgeTo(file));
        }
        reader.expect("BEFORE");
        SqlValue time = expression.value();
        reader.expectEnd();
        return new Answer.Later(binlog.purgeBefore(SqlTime.micros(time)));
    }
}
