package io.tributary.serve.statement;

import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementToken;
import java.util.Map;

/** The SET statement: session variables are accepted and ignored, user variables are kept, global variables are refused. */
final class SetStatement {
    /** Executes what follows the word SET. */
    Answer answer(SqlReader reader, SqlExpression expression, Map<String, String> userVariables) {
        do {
            if (reader.accept("NAMES") || reader.accept("CHARACTER", "SET") || reader.accept("CHARSET")) {
                reader.next();
                if (reader.accept("COLLATE")) {
                    reader.next();
                }
                continue;
            }
            boolean global = reader.acceptAny("GLOBAL", "PERSIST", "PERSIST_ONLY");
            boolean session = !global && reader.acceptAny("SESSION", "LOCAL");
            if (!global && reader.accept("TRANSACTION")) {
                reader.skipRest();
                break;
            }
            assign(reader, expression, userVariables, global, session);
        } while (reader.accept(","));
        reader.expectEnd();
        return Answer.OK;
    }

    /** MariaDB's SET STATEMENT a = 1, b = 2 FOR ...: the caller must then execute what follows FOR. */
    void forOneStatement(SqlReader reader, SqlExpression expression) {
        do {
            reader.name();
            reader.expect("=");
            value(reader, expression);
        } while (reader.accept(","));
        reader.expect("FOR");
    }

    private static void assign(
            SqlReader reader,
            SqlExpression expression,
            Map<String, String> userVariables,
            boolean global,
            boolean session) {
        StatementToken target = reader.next();
        if (!reader.accept("=")) {
            reader.expect(":", "=");
        }
        if (target.kind() == StatementToken.Kind.USER_VARIABLE && !global && !session) {
            String value = expression.value().text();
            String name = SystemVariables.key(target.text().substring(1));
            if (value == null) {
                userVariables.remove(name);
            } else {
                userVariables.put(name, value);
            }
            return;
        }
        String name = SystemVariables.key(target.text().replace("@@", ""));
        if (global || name.startsWith("global.") || name.startsWith("persist")) {
            throw new SqlRefusal(
                    MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
                    "Access denied; Tributary's variables are set in its configuration file");
        }
        if (!target.isName() && target.kind() != StatementToken.Kind.SYSTEM_VARIABLE) {
            throw SqlRefusal.syntax(target.text());
        }
        if (SystemVariables.plain(name).equals("wait_timeout")) {
            expression.idle();
            return;
        }
        if (SystemVariables.plain(name).equals("max_execution_time")) {
            expression.longest();
            return;
        }
        if (SystemVariables.plain(name).equals("time_zone")) {
            boolean isWord = reader.peek().is("DEFAULT") || reader.peek().is("SYSTEM");
            if (isWord || reader.peek().kind() != StatementToken.Kind.WORD) {
                expression.timeZone(isWord ? reader.next().text() : null);
                return;
            }
        }
        value(reader, expression);
    }

    /** Reads a value and ignores it; SET sql_mode = ANSI and SET character_set_results = utf8 have unquoted words. */
    private static void value(SqlReader reader, SqlExpression expression) {
        StatementToken next = reader.peek();
        boolean isBare = next.kind() == StatementToken.Kind.WORD && !next.is("NULL");
        if (!isBare) {
            expression.value();
            return;
        }
        StatementToken word = reader.next();
        if (reader.peek().is("(")) {
            expression.function(word);
        }
    }
}
