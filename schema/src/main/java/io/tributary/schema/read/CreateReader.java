package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.TableDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads CREATE TABLE. */
final class CreateReader {
    private static final Set<String> BEGIN_QUERY =
            Set.of("SELECT", "AS", "WITH", "VALUES", "TABLE", "IGNORE", "REPLACE");

    private final Cursor cursor;
    private final ReadSession session;
    private final Function<TableName, Optional<TableDefinition>> like;
    private final TableText text = new TableText();
    private final List<RawColumn> columns = new ArrayList<>();

    CreateReader(Cursor cursor, ReadSession session, Function<TableName, Optional<TableDefinition>> like) {
        this.cursor = cursor;
        this.session = session;
        this.like = like;
    }

    TableDefinition read() {
        cursor.require("CREATE");
        cursor.accept("OR", "REPLACE");
        cursor.require("TABLE");
        cursor.acceptIfExists();
        TableName name = cursor.table();
        if (cursor.accept("LIKE")) {
            return copied(name);
        }
        cursor.requireSign('(');
        if (cursor.accept("LIKE")) {
            return copied(name);
        }
        elements();
        cursor.requireSign(')');
        String collation = options();
        List<Column> resolved = columns.stream()
                .map(column -> column.resolve(collation, session))
                .toList();
        TableBuilder builder =
                new TableBuilder(name, collation, TimestampRules.apply(resolved, Set.of(), session), session.mariadb());
        builder.add(text);
        return builder.build();
    }

    private void elements() {
        do {
            if (ConstraintReader.isNext(cursor)) {
                new ConstraintReader(cursor, session, text).read();
            } else {
                columns.add(ColumnReader.read(cursor, session, text));
            }
        } while (cursor.acceptSign(','));
    }

    /** Keys and columns of the other table; no foreign keys; checks get new names, in MariaDB they keep their names. */
    private TableDefinition copied(TableName name) {
        TableName other = cursor.table();
        TableDefinition source =
                like.apply(other).orElseThrow(() -> new UnreadableStatementException("no definition of " + other));
        TableBuilder builder = new TableBuilder(name, source.collation(), source.columns(), session.mariadb());
        builder.keep(source.keys(), List.of(), session.mariadb() ? source.checks() : List.of());
        if (session.mariadb()) {
            return builder.build();
        }
        TableText made = new TableText();
        source.checks().stream()
                .sorted(Comparator.comparing(check -> check.name().toLowerCase(Locale.ROOT)))
                .forEach(check -> made.add(new Check("", check.expression(), check.enforced())));
        builder.add(made);
        return builder.build();
    }

    /** Reads the remaining options; returns the table's default collation. */
    private String options() {
        OptionReader options = new OptionReader(cursor, session);
        while (!cursor.isAtEnd()) {
            if (cursor.areWords("PARTITION", "BY")) {
                partitions();
            } else if (cursor.isWordOf(BEGIN_QUERY) || cursor.isSign('(')) {
                throw new UnreadableStatementException("a table with the columns of a query");
            } else if (!options.accept() && !cursor.acceptSign(',')) {
                throw new UnreadableStatementException("an option at " + cursor.rest());
            }
        }
        return options.collation().isEmpty() ? session.schemaCollation() : options.collation();
    }

    /** Outside of parentheses, no word of a partition clause is one with which a query begins. */
    private void partitions() {
        while (!cursor.isAtEnd()) {
            if (cursor.isSign('(')) {
                cursor.skipParentheses();
            } else if (cursor.isWord("SELECT") || cursor.isWord("AS")) {
                throw new UnreadableStatementException("a table with the columns of a query");
            } else {
                cursor.skip();
            }
        }
    }
}
