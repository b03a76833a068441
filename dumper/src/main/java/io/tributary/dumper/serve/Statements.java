package io.tributary.dumper.serve;

import io.tributary.common.pipeline.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Answers the statements that clients of a binlog send. What it does not understand is an error that names it, never an
 * OK: a client that waits for a result set would take what follows for one.
 */
final class Statements {
    private final BinlogStatus status;
    private final SystemVariables variables;
    private final ShowStatement show;
    private final Clock clock;

    Statements(BinlogStatus status, Clock clock) {
        this.status = status;
        this.variables = SystemVariables.of(status);
        this.show = new ShowStatement(status, variables);
        this.clock = clock;
    }

    /**
     * Answers one statement.
     *
     * @param userVariables the session's user variables by lower-case name; SET changes them
     * @throws SqlRefusal when it is not understood or cannot be done
     */
    Answer answer(String sql, Map<String, String> userVariables, SqlExpression.SessionFacts session) {
        SqlReader reader = new SqlReader(sql);
        if (reader.atEnd()) {
            throw new SqlRefusal(1065, "42000", "Query was empty");
        }
        SqlExpression expression = new SqlExpression(reader, variables, userVariables, session, clock);
        if (reader.accept("SELECT")) {
            return select(reader, expression);
        }
        if (reader.accept("SET")) {
            return set(reader, expression, userVariables);
        }
        if (reader.accept("SHOW")) {
            return show.answer(reader);
        }
        if (reader.accept("KILL")) {
            reader.acceptAny("CONNECTION", "QUERY");
            return new Answer.Kill(number(reader, expression));
        }
        return ignored(reader);
    }

    private Answer select(SqlReader reader, SqlExpression expression) {
        List<String> names = new ArrayList<>();
        List<SqlValue> values = new ArrayList<>();
        do {
            int start = reader.peek().start();
            values.add(expression.value());
            String name = reader.written(start);
            names.add(alias(reader, name));
        } while (reader.accept(","));
        if (reader.accept("LIMIT")) {
            expression.value();
        }
        if (reader.accept("FROM", "DUAL")) {
            reader.accept("LIMIT", "1");
        }
        if (reader.accept("FROM")) {
            throw new SqlRefusal(
                    1235,
                    "42000",
                    "Tributary serves a binlog and holds no tables: ask a shard, or the router in front of the shards");
        }
        reader.expectEnd();
        return Answer.Rows.of(names, values.toArray(new SqlValue[0]));
    }

    private static String alias(SqlReader reader, String otherwise) {
        boolean named = reader.accept("AS");
        SqlToken.Kind kind = reader.peek().kind();
        boolean isName = kind == SqlToken.Kind.WORD
                && !reader.peek().is("FROM")
                && !reader.peek().is("LIMIT");
        if (named || isName || kind == SqlToken.Kind.QUOTED_NAME) {
            return reader.take().text();
        }
        return otherwise;
    }

    /** Session variables are taken and forgotten, user variables are kept and given back, global ones are refused. */
    private Answer set(SqlReader reader, SqlExpression expression, Map<String, String> userVariables) {
        do {
            if (reader.accept("NAMES") || reader.accept("CHARACTER", "SET")) {
                reader.take();
                if (reader.accept("COLLATE")) {
                    reader.take();
                }
                continue;
            }
            boolean global = reader.accept("GLOBAL");
            boolean session = !global && reader.acceptAny("SESSION", "LOCAL");
            if (reader.accept("TRANSACTION")) {
                while (!reader.atEnd()) {
                    reader.take();
                }
                break;
            }
            assign(reader, expression, userVariables, global, session);
        } while (reader.accept(","));
        reader.expectEnd();
        return Answer.OK;
    }

    private void assign(
            SqlReader reader,
            SqlExpression expression,
            Map<String, String> userVariables,
            boolean global,
            boolean session) {
        SqlToken target = reader.take();
        if (!reader.accept("=")) {
            reader.expect(":", "=");
        }
        if (target.kind() == SqlToken.Kind.USER_VARIABLE && !global && !session) {
            userVariables.put(
                    SystemVariables.key(target.text().substring(1)),
                    expression.value().text());
            return;
        }
        String name = target.text().replace("@@", "");
        if (global || SystemVariables.key(name).startsWith("global.")) {
            throw new SqlRefusal(
                    1227, "42000", "Access denied; Tributary's variables are set in its configuration file");
        }
        if (target.kind() != SqlToken.Kind.WORD
                && target.kind() != SqlToken.Kind.QUOTED_NAME
                && target.kind() != SqlToken.Kind.SYSTEM_VARIABLE) {
            throw SqlRefusal.syntax(target.text());
        }
        if (reader.peek().kind() == SqlToken.Kind.WORD && !reader.peek().is("NULL")) {
            reader.take(); // SET sql_mode = ANSI, SET character_set_results = utf8
            return;
        }
        expression.value();
    }

    private long number(SqlReader reader, SqlExpression expression) {
        String text = expression.value().text();
        reader.expectEnd();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new SqlRefusal(1094, "HY000", "Unknown thread id: " + text);
        }
    }

    /** Statements that mean nothing to a server without tables, and that clients cannot do without. */
    private Answer ignored(SqlReader reader) {
        if (reader.accept("COMMIT")
                || reader.accept("ROLLBACK")
                || reader.accept("BEGIN")
                || reader.accept("START", "TRANSACTION")
                || reader.accept("UNLOCK", "TABLES")
                || reader.accept("FLUSH", "TABLES")
                || reader.accept("FLUSH", "LOCAL", "TABLES")
                || reader.accept("FLUSH", "NO_WRITE_TO_BINLOG", "TABLES")) {
            while (!reader.atEnd()) {
                reader.take();
            }
            return Answer.OK;
        }
        throw reader.refusal();
    }

    BinlogStatus status() {
        return status;
    }
}
