package io.tributary.serve.statement;

import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.schema.AbsentPrograms;
import io.tributary.serve.schema.SchemaQuestion;
import io.tributary.serve.schema.SchemaStatements;
import io.tributary.serve.sql.LikePattern;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementToken;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** SHOW statements in the forms that clients send, with old and new spellings (MySQL manual, "SHOW Statements"). */
final class ShowStatement {
    private final BinlogStatus status;
    private final SystemVariables variables;
    private final ShowBinlog binlog;
    private final ShowTributary tributary;
    private final StatementServices services;

    ShowStatement(BinlogStatus status, SystemVariables variables, StatementServices services) {
        this.status = status;
        this.variables = variables;
        this.binlog = new ShowBinlog(status, services.binlog());
        this.tributary = new ShowTributary(services);
        this.services = services;
    }

    /** Answers what follows the word SHOW. */
    Answer answer(SqlReader reader, SqlExpression expression, SqlExpression.SessionFacts session) {
        if (reader.accept("TRIBUTARY")) {
            return tributary.answer(reader, expression, session.reads());
        }
        Optional<SchemaQuestion> question = SchemaStatements.show(reader, Statements.facts(session));
        if (question.isPresent()) {
            return schema(question.get(), session);
        }
        reader.acceptAny("GLOBAL", "SESSION", "LOCAL", "FULL");
        if (reader.accept("VARIABLES")) {
            return pairs(reader, variables::matching);
        }
        if (reader.accept("STATUS")) {
            return pairs(reader, new ServerStatusVariables(status, session.status())::matching);
        }
        if (reader.accept("SLAVE", "STATUS") || reader.accept("REPLICA", "STATUS")) {
            return Answer.Rows.of(List.of("Replica_IO_State"), List.of());
        }
        if (reader.accept("TRIGGERS")) {
            return programs(reader, AbsentPrograms.TRIGGERS, session);
        }
        if (reader.accept("EVENTS")) {
            return programs(reader, AbsentPrograms.EVENTS, session);
        }
        if (reader.accept("FUNCTION", "STATUS") || reader.accept("PROCEDURE", "STATUS")) {
            return programs(reader, AbsentPrograms.ROUTINES, session);
        }
        if (reader.accept("GRANTS")) {
            return grants(reader, session);
        }
        if (reader.accept("PROCESSLIST")) {
            return sessions(reader);
        }
        if (reader.acceptAny("WARNINGS", "ERRORS")) {
            return Answer.Rows.of(List.of("Level", "Code", "Message"), List.of());
        }
        return binlog.answer(reader, session.reads()).orElseThrow(reader::refusal);
    }

    /** A list of triggers, events or routines, which has no rows. */
    private static Answer programs(SqlReader reader, List<String> columns, SqlExpression.SessionFacts session) {
        boolean isNamed = reader.acceptAny("FROM", "IN");
        if (isNamed) {
            reader.name();
        } else if (columns != AbsentPrograms.ROUTINES && session.schema() == null) {
            throw new SqlRefusal(MysqlError.ER_NO_DB_ERROR, "No database selected");
        }
        if (reader.accept("LIKE")) {
            reader.string();
        } else if (reader.accept("WHERE")) {
            reader.skipRest();
        }
        reader.expectEnd();
        return Answer.Rows.of(columns, List.of());
    }

    /** The rights of the own account; those of other accounts are in the users file of the node. */
    private static Answer grants(SqlReader reader, SqlExpression.SessionFacts session) {
        String account = session.account();
        String user = account.substring(0, account.lastIndexOf('@'));
        if (reader.accept("FOR") && !reader.accept("CURRENT_USER", "(", ")") && !reader.accept("CURRENT_USER")) {
            String other = reader.next().text();
            boolean hasHost = reader.peek().kind() == StatementToken.Kind.USER_VARIABLE
                    || reader.peek().is("@");
            if (hasHost && reader.next().text().length() == 1) {
                reader.next();
            }
            if (!other.equals(user)) {
                throw new SqlRefusal(
                        MysqlError.ER_DBACCESS_DENIED_ERROR,
                        "Access denied for user '" + user + "'; 'tributary user list' shows all users of the node");
            }
        }
        reader.expectEnd();
        return Answer.Rows.of(
                List.of("Grants for " + account),
                session.grants().stream().map(List::of).toList());
    }

    /** Asks a shard; the answer contains only what the user may read. */
    Answer schema(SchemaQuestion question, SqlExpression.SessionFacts session) {
        return new Answer.Later(ask(question, session).thenApply(Answer.Typed::new));
    }

    CompletableFuture<ResultSet> ask(SchemaQuestion question, SqlExpression.SessionFacts session) {
        return services.schema().ask(question.by(session.reads()));
    }

    /** A table of names and values. */
    private interface Table {
        Map<String, io.tributary.serve.sql.SqlValue> matching(Predicate<String> name);
    }

    private static Answer pairs(SqlReader reader, Table table) {
        List<List<String>> rows = new ArrayList<>();
        table.matching(filter(reader)).forEach((name, value) -> rows.add(Arrays.asList(name, value.text())));
        return Answer.Rows.of(List.of("Variable_name", "Value"), rows);
    }

    /** Reads the filter: nothing, LIKE 'pattern', or WHERE Variable_name = / LIKE / IN, several of them joined by OR. */
    private static Predicate<String> filter(SqlReader reader) {
        if (reader.atEnd()) {
            return name -> true;
        }
        Predicate<String> filter;
        if (reader.accept("LIKE")) {
            filter = like(reader);
        } else {
            reader.expect("WHERE");
            filter = condition(reader);
            while (reader.accept("OR")) {
                filter = filter.or(condition(reader));
            }
        }
        reader.expectEnd();
        return filter;
    }

    private static Predicate<String> condition(SqlReader reader) {
        StatementToken column = reader.next();
        if (!column.text().equalsIgnoreCase("Variable_name")) {
            throw SqlRefusal.syntax(column.text());
        }
        if (reader.accept("LIKE")) {
            return like(reader);
        }
        Set<String> names = new LinkedHashSet<>();
        if (reader.accept("=")) {
            names.add(SystemVariables.key(reader.string()));
        } else {
            reader.expect("IN", "(");
            do {
                names.add(SystemVariables.key(reader.string()));
            } while (reader.accept(","));
            reader.expect(")");
        }
        return name -> names.contains(SystemVariables.key(name));
    }

    private static Predicate<String> like(SqlReader reader) {
        Pattern pattern = LikePattern.of(reader.string());
        return name -> pattern.matcher(name).matches();
    }

    private Answer sessions(SqlReader reader) {
        reader.expectEnd();
        List<List<String>> rows = new ArrayList<>();
        for (BinlogStatus.SessionStatus session : status.sessions()) {
            rows.add(Arrays.asList(
                    Long.toString(session.threadId()),
                    session.user(),
                    session.host(),
                    session.schema().isEmpty() ? null : session.schema(),
                    session.command(),
                    Long.toString(session.seconds()),
                    session.state(),
                    null));
        }
        return new Answer.Rows(
                List.of("Id", "User", "Host", "db", "Command", "Time", "State", "Info"),
                List.of(true, false, false, false, false, true, false, false),
                rows);
    }
}
