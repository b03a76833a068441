package io.tributary.serve.statement;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.schema.SchemaStatements;
import io.tributary.serve.select.TableSelect;
import io.tributary.serve.select.TableSelectParser;
import io.tributary.serve.sql.LikePattern;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlValue;
import io.tributary.serve.sql.StatementToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Answers the statements that clients of a binlog send. A statement that is not supported gets an error that names it, never an OK: a client
 * that waits for a result set would take the next packets for it.
 */
public final class Statements {
    private static final int MAX_COLUMNS = 4096; // as MySQL

    /** The first words of statements that change rows, tables or accounts. */
    private static final Set<String> WRITES = Set.of(
            ("INSERT UPDATE DELETE REPLACE TRUNCATE CREATE ALTER DROP RENAME LOAD CALL GRANT REVOKE OPTIMIZE ANALYZE"
                            + " REPAIR IMPORT INSTALL UNINSTALL")
                    .split(" "));

    private static final Set<String> SYSTEM_SCHEMAS = Set.of("mysql", "sys", "performance_schema", "ndbinfo");

    private static final List<String> ACCEPTED = List.of("COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT");

    private final SystemVariables variables;
    private final ShowStatement show;
    private final SetStatement set;
    private final AdminStatement admin;
    private final StatementServices services;
    private final Clock clock;

    public Statements(BinlogStatus status, StatementServices services, Clock clock) {
        this.variables = SystemVariables.of(status, () -> services.schema().variables());
        this.show = new ShowStatement(status, variables, services);
        this.set = new SetStatement();
        this.admin = new AdminStatement(services.binlog());
        this.services = services;
        this.clock = clock;
    }

    /**
     * Answers one statement.
     *
     * @param userVariables the session's user variables by lower-case name; SET changes them
     * @throws SqlRefusal when the statement is not supported or cannot be executed
     */
    public Answer answer(String sql, Map<String, String> userVariables, SqlExpression.SessionFacts session) {
        SqlReader reader = new SqlReader(sql);
        if (reader.atEnd()) {
            throw new SqlRefusal(MysqlError.ER_EMPTY_QUERY, "Query was empty");
        }
        SqlExpression expression = new SqlExpression(reader, variables, userVariables, session, clock);
        if (reader.accept("SET", "STATEMENT")) {
            set.forOneStatement(reader, expression);
        }
        if (reader.accept("SELECT")) {
            return select(reader, expression, session);
        }
        if (reader.accept("SET")) {
            return set.answer(reader, expression, userVariables);
        }
        if (reader.accept("SHOW")) {
            return show.answer(reader, expression, session);
        }
        if (reader.acceptAny("DESCRIBE", "DESC")) {
            return show.schema(SchemaStatements.describe(reader, facts(session)), session);
        }
        if (reader.accept("USE")) {
            String schema = reader.name();
            reader.expectEnd();
            return new Answer.Use(schema);
        }
        if (reader.accept("KILL")) {
            return admin.kill(reader, expression);
        }
        if (reader.accept("FLUSH")) {
            return admin.flush(reader);
        }
        if (reader.accept("PURGE")) {
            return admin.purge(reader, expression);
        }
        return acceptUnused(reader);
    }

    /**
     * The columns of a table, for COM_FIELD_LIST; no rows.
     *
     * @param like a pattern of their names; empty for all
     * @throws SqlRefusal when no schema is in use
     */
    public CompletableFuture<ResultSet> fields(String table, String like, SqlExpression.SessionFacts session) {
        Pattern pattern = LikePattern.of(like.isEmpty() ? "%" : like);
        return show.ask(SchemaStatements.columns(table, facts(session)), session)
                .thenApply(all -> {
                    List<ResultSet.Column> some = all.columns().stream()
                            .filter(column -> pattern.matcher(column.name()).matches())
                            .toList();
                    return some.isEmpty() ? all : ResultSet.of(some);
                });
    }

    static SchemaStatements.Asker facts(SqlExpression.SessionFacts session) {
        return new SchemaStatements.Asker(session.schema(), session.version());
    }

    private Answer select(SqlReader reader, SqlExpression expression, SqlExpression.SessionFacts session) {
        if (SchemaStatements.readsTables(reader)) {
            if (!SchemaStatements.readsSchemas(reader, facts(session))) {
                return ofTable(TableSelectParser.parse(reader, session.schema()));
            }
            return show.schema(SchemaStatements.select(reader, facts(session)), session);
        }
        List<String> names = new ArrayList<>();
        List<SqlValue> values = new ArrayList<>();
        do {
            if (values.size() >= MAX_COLUMNS) {
                throw new SqlRefusal(MysqlError.ER_TOO_MANY_FIELDS, "Too many columns");
            }
            int start = reader.peek().start();
            values.add(expression.value());
            String name = reader.written(start);
            names.add(alias(reader, name));
        } while (reader.accept(","));
        reader.accept("FROM", "DUAL");
        if (reader.accept("LIMIT")) {
            reader.number();
        }
        reader.expectEnd();
        return Answer.Rows.of(names, values.toArray(new SqlValue[0]));
    }

    /** A SELECT on a table of the output; the system schemas of a server are not among them. */
    private static Answer ofTable(TableSelect select) {
        if (SYSTEM_SCHEMAS.contains(select.table().schema().toLowerCase(Locale.ROOT))) {
            throw new SqlRefusal(MysqlError.ER_NO_SUCH_TABLE, "Table '" + select.table() + "' doesn't exist");
        }
        return new Answer.OfTable(select);
    }

    private static String alias(SqlReader reader, String defaultName) {
        boolean named = reader.accept("AS");
        StatementToken next = reader.peek();
        boolean isName = next.kind() == StatementToken.Kind.WORD && !next.is("FROM") && !next.is("LIMIT");
        boolean isText = named && next.kind() == StatementToken.Kind.STRING;
        return isName || isText || next.kind() == StatementToken.Kind.QUOTED_NAME
                ? reader.next().text()
                : defaultName;
    }

    /** Accepts statements that have no effect on a server without rows, and that clients need. */
    private static Answer acceptUnused(SqlReader reader) {
        boolean isAccepted = ACCEPTED.stream().anyMatch(reader::accept)
                || reader.accept("RELEASE", "SAVEPOINT")
                || reader.accept("START", "TRANSACTION")
                || reader.accept("UNLOCK", "TABLES")
                || reader.accept("UNLOCK", "TABLE")
                || reader.accept("UNLOCK", "INSTANCE")
                || reader.accept("LOCK", "INSTANCE", "FOR", "BACKUP");
        if (isAccepted) {
            reader.skipRest();
            return Answer.OK;
        }
        if (reader.accept("LOCK", "TABLES") || reader.accept("LOCK", "TABLE")) {
            return lock(reader);
        }
        throw WRITES.contains(reader.peek().upper()) ? readOnly(reader.peek().upper()) : reader.refusal();
    }

    /** The error of a server that runs with {@code super_read_only}: drivers and tools take it for a read-only server. */
    private static SqlRefusal readOnly(String statement) {
        return new SqlRefusal(
                MysqlError.ER_OPTION_PREVENTS_STATEMENT,
                "The MySQL server is running with the --super-read-only option so it cannot execute this statement: "
                        + statement + " must be sent to a shard, Tributary serves only the shards' binlog");
    }

    /** Nothing is written on this server, so every table counts as locked for reading. WRITE locks are refused. */
    private static Answer lock(SqlReader reader) {
        while (!reader.atEnd()) {
            if (reader.next().is("WRITE")) {
                throw new SqlRefusal(
                        MysqlError.ER_OPTION_PREVENTS_STATEMENT,
                        "Tributary is read-only: LOCK TABLES accepts only READ");
            }
        }
        return Answer.OK;
    }

    StatementServices services() {
        return services;
    }
}
