package io.tributary.extractor.definition;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.QueryResult.Row;
import io.tributary.schema.list.TableTexts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The rows of information_schema about the tables of one page. For one thread. */
final class DefinitionPage {
    private final Map<TableName, CreateTableBuilder> tables = new LinkedHashMap<>();
    private final List<TableName> inexact = new ArrayList<>();

    /** @param wanted the requested tables; rows of others are left out */
    DefinitionPage(DefinitionQueries.Rows rows, Set<TableName> wanted) {
        for (Row row : rows.tables().rows()) {
            TableName table = nameOf(row);
            if (wanted.contains(table)) {
                tables.put(table, new CreateTableBuilder(row));
            }
        }
        fill(rows.columns(), CreateTableBuilder::column);
        fill(rows.keys(), CreateTableBuilder::key);
        fill(rows.foreignKeys(), CreateTableBuilder::foreignKey);
        fill(rows.checks(), CreateTableBuilder::check);
    }

    private static TableName nameOf(Row row) {
        return new TableName(row.text(0), row.text(1));
    }

    private void fill(QueryResult rows, BiConsumer<CreateTableBuilder, Row> adding) {
        for (Row row : rows.rows()) {
            CreateTableBuilder table = tables.get(nameOf(row));
            if (table != null) {
                adding.accept(table, row);
            }
        }
    }

    /** Adds all tables that information_schema describes exactly. */
    void addTo(TableTexts.Builder texts) {
        tables.forEach((name, table) -> {
            String text = table.text();
            if (table.isExact()) {
                texts.add(name, text);
            } else {
                inexact.add(name);
            }
        });
    }

    /** The other tables, for SHOW CREATE TABLE; after {@link #addTo}. */
    List<TableName> inexact() {
        return inexact;
    }
}
