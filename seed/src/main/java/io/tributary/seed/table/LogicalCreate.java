package io.tributary.seed.table;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlToken;
import io.tributary.schema.sql.SqlTokens;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A shard's CREATE TABLE with logical names: of the table, of the tables to which its foreign keys refer, and in names of constraints that the
 * server made from the table's name.
 */
final class LogicalCreate {
    private final TableName physical;
    private final TableName logical;
    private final UnaryOperator<TableName> mapping;
    private final ReadSession session;
    private final SqlTokens tokens;
    private final StringBuilder text = new StringBuilder();
    private int copied;

    /** @param mapping physical to logical names */
    LogicalCreate(ReportedTable shown, TableName physical, TableName logical, UnaryOperator<TableName> mapping) {
        this.physical = physical;
        this.logical = logical;
        this.mapping = mapping;
        this.session = ReadSession.of(shown.server(), physical.schema()).withSqlMode(0);
        this.tokens = session.scan(shown.text());
    }

    /** The definition with logical names; empty if the statement cannot be read. */
    Optional<TableDefinition> definition() {
        return DefinitionReader.create(tokens.text(), session, other -> Optional.empty())
                .map(table -> table.withReferences(mapping).named(logical));
    }

    /** The statement, without the schema of the table. */
    String statement() {
        int own = 0;
        while (!tokens.isWord(own, "TABLE")) {
            own++;
        }
        own = tokens.afterIfExists(own + 1);
        replace(own, own, SqlNames.name(logical.table()));
        int depth = 0;
        for (int at = own + 1; at < tokens.size(); at++) {
            depth += tokens.isSign(at, '(') ? 1 : tokens.isSign(at, ')') ? -1 : 0;
            if (depth == 1 && tokens.isWord(at, "REFERENCES")) {
                referred(at + 1);
            } else if (depth == 1 && tokens.isWord(at, "CONSTRAINT") && tokens.isName(at + 1)) {
                constraint(at + 1);
            }
        }
        return text.append(tokens.text(), copied, tokens.text().length()).toString();
    }

    private void referred(int at) {
        boolean isQualified = tokens.isSign(at + 1, '.');
        String schema = isQualified ? tokens.get(at).value() : physical.schema();
        int last = isQualified ? at + 2 : at;
        TableName target = mapping.apply(new TableName(schema, tokens.get(last).value()));
        replace(at, last, SqlNames.name(target));
    }

    private void constraint(int at) {
        SqlToken name = tokens.get(at);
        for (String between : new String[] {"_ibfk_", "_chk_"}) {
            String made = physical.table() + between;
            if (name.value().startsWith(made)
                    && name.value().substring(made.length()).matches("\\d+")) {
                replace(
                        at,
                        at,
                        SqlNames.name(logical.table()
                                + name.value().substring(physical.table().length())));
                return;
            }
        }
    }

    private void replace(int first, int last, String with) {
        text.append(tokens.text(), copied, tokens.start(first)).append(with);
        copied = tokens.end(last);
    }
}
