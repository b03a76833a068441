package io.tributary.seed.reseed;

import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.row.RowText;
import io.tributary.schema.definition.Column;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.verify.RowKey;
import io.tributary.seed.verify.TableReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads whole rows of a table by their keys. */
final class RowValues {
    private static final int MOST_KEYS = 200;

    private final LogicalTable table;
    private final String selected;

    RowValues(LogicalTable table) {
        this.table = table;
        List<Column> all = new ArrayList<>(table.key());
        all.addAll(table.written());
        this.selected = all.stream().map(RowText::value).collect(Collectors.joining(", "));
    }

    /** The rows that a server has of some keys: for each key the values of the columns that are written, as {@link RowText#value} returns them. */
    Map<RowKey, List<String>> of(TableReader.Place place, Collection<RowKey> keys) {
        Map<RowKey, List<String>> rows = new LinkedHashMap<>();
        List<RowKey> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += MOST_KEYS) {
            String condition = all.subList(from, Math.min(all.size(), from + MOST_KEYS)).stream()
                    .map(key -> "(" + key.condition() + ")")
                    .collect(Collectors.joining(" OR "));
            for (QueryResult.Row row :
                    place.answer(place.send(selected, "WHERE " + condition)).rows()) {
                rows.put(key(row), values(row));
            }
        }
        return rows;
    }

    private RowKey key(QueryResult.Row row) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < table.key().size(); i++) {
            values.add(row.text(i));
        }
        return new RowKey(table.key(), values);
    }

    private List<String> values(QueryResult.Row row) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < table.written().size(); i++) {
            values.add(row.text(table.key().size() + i));
        }
        return values;
    }

    /** The beginning of a statement that inserts rows into a table of the same columns. */
    String insert(String into) {
        return "INSERT INTO " + into + " ("
                + SqlNames.names(table.written().stream().map(Column::name).toList()) + ") VALUES ";
    }

    /** A row in that statement. */
    String literals(List<String> values) {
        List<String> literals = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            literals.add(RowText.literal(table.written().get(i), values.get(i)));
        }
        return "(" + String.join(", ", literals) + ")";
    }
}
