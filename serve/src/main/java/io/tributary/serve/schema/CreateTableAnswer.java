package io.tributary.serve.schema;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.schema.sql.SqlNames;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementToken;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A shard's CREATE statement of a table, as a reader sees it: with logical names for the table and for the tables that its foreign keys refer
 * to, and without foreign keys to tables that the reader may not read.
 */
final class CreateTableAnswer {
    private final String text;
    private final String schema;
    private final TableName logical;
    private final UnaryOperator<TableName> mapping;
    private final TableFilter reads;
    private final List<StatementToken> tokens;
    private final List<Change> changes = new ArrayList<>();

    /** A replacement of a part of the text. */
    private record Change(int start, int end, String text) {}

    /**
     * @param schema the physical schema of the table
     * @param logical the table's name for the reader
     * @param mapping physical to logical names
     */
    CreateTableAnswer(
            String text, String schema, TableName logical, UnaryOperator<TableName> mapping, TableFilter reads) {
        this.text = text;
        this.schema = schema;
        this.logical = logical;
        this.mapping = mapping;
        this.reads = reads;
        this.tokens = new SqlReader(text).rest();
    }

    /**
     * The text for the reader.
     *
     * @throws SqlRefusal 1142 when it is not for a plain table, and may name tables that the reader may not read
     */
    String shown() {
        if (!reads.isAll()) {
            requirePlainTable();
        }
        int own = 0;
        while (own < tokens.size()
                && !tokens.get(own).is("TABLE")
                && !tokens.get(own).is("VIEW")) {
            own++; // a definer's name may precede it
        }
        while (own < tokens.size() && tokens.get(own).kind() != StatementToken.Kind.QUOTED_NAME) {
            own++;
        }
        if (own + 1 < tokens.size()) {
            rename(own, logical);
        }
        int depth = 0;
        int part = own; // beginning of the column, key or constraint, with the comma before it
        for (int i = own; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 1 && tokens.get(i).is(",")) {
                part = i;
            } else if (depth == 1 && tokens.get(i).is("REFERENCES") && i + 2 < tokens.size()) {
                referred(part, i + 1);
            }
        }
        return changed();
    }

    /** Refuses the text of a view, or of a table that is based on others: it contains their names. */
    private void requirePlainTable() {
        boolean isTable = tokens.get(0).is("CREATE")
                && (tokens.get(1).is("TABLE")
                        || tokens.get(1).is("TEMPORARY") && tokens.get(2).is("TABLE"));
        int depth = 0;
        boolean hasBaseTables = false;
        for (StatementToken token : tokens) {
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            hasBaseTables |= depth == 0 && (token.is("UNION") || token.is("CONNECTION"));
        }
        if (!isTable || hasBaseTables) {
            throw new SqlRefusal(
                    MysqlError.ER_TABLEACCESS_DENIED_ERROR,
                    "SHOW VIEW command denied for table '" + logical
                            + "': its text may name tables that this user may not read");
        }
    }

    private void referred(int part, int at) {
        boolean isQualified = tokens.get(at + 1).is(".");
        TableName named = mapping.apply(new TableName(
                isQualified ? tokens.get(at).text() : schema,
                tokens.get(isQualified ? at + 2 : at).text()));
        if (reads.reads(named.schema(), named.table())) {
            rename(at, named);
            return;
        }
        int depth = 0;
        int last = at;
        while (last < tokens.size() - 1
                && !(depth == 0 && (tokens.get(last).is(",") || tokens.get(last).is(")")))) {
            depth += tokens.get(last).is("(") ? 1 : tokens.get(last).is(")") ? -1 : 0;
            last++;
        }
        changes.add(new Change(tokens.get(part).start(), tokens.get(last - 1).end(), ""));
    }

    private void rename(int at, TableName name) {
        if (tokens.get(at + 1).is(".")) {
            change(tokens.get(at), name.schema());
            change(tokens.get(at + 2), name.table());
        } else {
            change(tokens.get(at), name.table());
        }
    }

    private void change(StatementToken token, String name) {
        changes.add(new Change(token.start(), token.end(), SqlNames.name(name)));
    }

    private String changed() {
        StringBuilder shown = new StringBuilder();
        int from = 0;
        for (Change change : changes) {
            shown.append(text, from, change.start()).append(change.text());
            from = change.end();
        }
        return shown.append(text.substring(from)).toString();
    }
}
