package io.tributary.seed.verify;

import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.schema.definition.Column;
import io.tributary.seed.session.SqlNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reads rows that differ on both sides: which columns differ, and the statements that make the replica's row equal. */
final class RowComparison {
    private static final int MOST_SHOWN = 100;

    private final TableReader reader;
    private final List<Column> columns;
    private final boolean showsValues;

    RowComparison(TableReader reader, boolean showsValues) {
        this.reader = reader;
        this.columns = reader.table().written();
        this.showsValues = showsValues;
    }

    /** The finding for a row. */
    Finding finding(RowKey key) {
        List<String> where = new ArrayList<>();
        List<QueryResult.Row> there = new ArrayList<>();
        for (TableReader.Place member : reader.members()) {
            rows(member, key, texts()).forEach(row -> {
                there.add(row);
                where.add(member.shown());
            });
        }
        List<QueryResult.Row> here = rows(reader.replica(), key, texts());
        List<Finding.ChangedColumn> changed = new ArrayList<>();
        if (there.size() == 1 && here.size() == 1) {
            for (int i = 0; i < columns.size(); i++) {
                if (!Objects.equals(there.get(0).text(i), here.get(0).text(i))) {
                    changed.add(changed(i, there.get(0), here.get(0)));
                }
            }
        }
        Finding.Kind kind = there.size() > 1
                ? Finding.Kind.SEVERAL
                : there.isEmpty() ? Finding.Kind.EXTRA : here.isEmpty() ? Finding.Kind.MISSING : Finding.Kind.DIFFERS;
        return new Finding(reader.table().name(), key.toString(), kind, changed, where);
    }

    private String texts() {
        String texts = columns.stream().map(RowText::inText).collect(Collectors.joining(", "));
        return showsValues
                ? texts + ", "
                        + columns.stream()
                                .map(column -> RowText.shown(column, MOST_SHOWN))
                                .collect(Collectors.joining(", "))
                : texts;
    }

    private Finding.ChangedColumn changed(int index, QueryResult.Row there, QueryResult.Row here) {
        String name = columns.get(index).name();
        int shown = columns.size() + index;
        return showsValues
                ? new Finding.ChangedColumn(name, shown(there.text(shown)), shown(here.text(shown)))
                : new Finding.ChangedColumn(name, "", "");
    }

    private static String shown(String value) {
        return value == null ? "NULL" : "'" + value + "'";
    }

    /** The statement that removes the row from the replica. */
    String delete(RowKey key) {
        return "DELETE FROM " + reader.replica().table() + " WHERE " + key.condition();
    }

    /** The statements that insert the row of the shards into the replica: none or one. */
    List<String> inserts(RowKey key) {
        String values = columns.stream().map(RowText::value).collect(Collectors.joining(", "));
        List<String> statements = new ArrayList<>();
        for (TableReader.Place member : reader.members()) {
            rows(member, key, values).forEach(row -> {
                List<String> literals = new ArrayList<>();
                for (int i = 0; i < columns.size(); i++) {
                    literals.add(RowText.literal(columns.get(i), row.text(i)));
                }
                statements.add("INSERT INTO " + reader.replica().table() + " ("
                        + SqlNames.names(columns.stream().map(Column::name).toList()) + ") VALUES ("
                        + String.join(", ", literals) + ")");
            });
        }
        return statements;
    }

    private static List<QueryResult.Row> rows(TableReader.Place place, RowKey key, String columns) {
        return place.answer(place.send(columns, "WHERE " + key.condition())).rows();
    }
}
