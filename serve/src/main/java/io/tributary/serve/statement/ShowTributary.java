package io.tributary.serve.statement;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.SqlTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** SHOW TRIBUTARY: the output of the commands status, xa list, ddl list and find as tables, the checkpoint, and the definitions of tables. */
final class ShowTributary {
    private final StatementServices services;

    ShowTributary(StatementServices services) {
        this.services = services;
    }

    /** Answers what follows SHOW TRIBUTARY. Topics that may name any table are only for users who may read all tables. */
    Answer answer(SqlReader reader, SqlExpression expression, TableFilter reads) {
        if (reader.accept("POSITION", "FOR")) {
            return new Answer.Later(services.binlog().position(goal(reader, expression)));
        }
        if (reader.accept("SCHEMA")) {
            return new Answer.Later(services.binlog().definitions(definitions(reader, reads)));
        }
        if (reader.accept("CHECKPOINT")) {
            reader.expectEnd();
            requireAll(reads, "CHECKPOINT");
            return new Answer.Later(services.binlog().checkpoint());
        }
        for (NodeTables.Topic topic : NodeTables.Topic.values()) {
            if (reader.accept(topic.name())) {
                reader.expectEnd();
                requireAll(reads, topic.name());
                return new Answer.Later(ask(topic));
            }
        }
        throw reader.refusal();
    }

    private static void requireAll(TableFilter reads, String topic) {
        if (!reads.isAll()) {
            throw new SqlRefusal(
                    MysqlError.ER_SPECIFIC_ACCESS_DENIED_ERROR,
                    "Access denied; SHOW TRIBUTARY " + topic + " needs the right to read all tables");
        }
    }

    private static SearchGoal goal(SqlReader reader, SqlExpression expression) {
        SearchGoal goal;
        if (reader.accept("TIME")) {
            goal = new SearchGoal.Time(SqlTime.micros(expression.value()));
        } else if (reader.accept("GTID")) {
            goal = new SearchGoal.Transaction(gtid(reader.string()));
        } else if (reader.accept("TSO")) {
            goal = new SearchGoal.Tso(reader.number());
        } else {
            throw reader.refusal();
        }
        reader.expectEnd();
        return goal;
    }

    private static BinlogAdmin.DefinitionsWanted definitions(SqlReader reader, TableFilter reads) {
        Optional<Gtid> upTo = reader.accept("AT", "GTID") ? Optional.of(last(reader.string())) : Optional.empty();
        String like = reader.accept("LIKE") ? reader.string() : "%";
        reader.expectEnd();
        return new BinlogAdmin.DefinitionsWanted(upTo, like, reads);
    }

    /** A GTID, or the last one of a set of one server, which is how readers know their position. */
    private static Gtid last(String text) {
        try {
            GtidSet set = GtidSet.parse(text);
            if (set.sids().size() == 1) {
                return new Gtid(set.sids().get(0), set.last(set.sids().get(0)));
            }
        } catch (IllegalArgumentException e) {
            return gtid(text); // a single GTID, or the error for the text
        }
        return gtid(text);
    }

    private static Gtid gtid(String text) {
        try {
            return Gtid.parse(text);
        } catch (IllegalArgumentException e) {
            throw new SqlRefusal(
                    MysqlError.ER_MALFORMED_GTID_SPECIFICATION, "Malformed GTID specification '" + text + "'");
        }
    }

    private CompletableFuture<Answer> ask(NodeTables.Topic topic) {
        return services.node().table(topic).handle((table, failure) -> {
            if (failure == null) {
                return numbered(table);
            }
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            throw new SqlRefusal(MysqlError.ER_UNKNOWN_ERROR, String.valueOf(cause.getMessage()));
        });
    }

    /** Makes a column numeric if all its values are whole numbers. */
    private static Answer numbered(NodeTables.Table table) {
        List<Boolean> numeric = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            int column = i;
            numeric.add(!table.rows().isEmpty()
                    && table.rows().stream().map(row -> row.get(column)).allMatch(ShowTributary::isInteger));
        }
        return new Answer.Rows(table.columns(), numeric, table.rows());
    }

    private static boolean isInteger(String text) {
        return text == null
                || !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
