package io.tributary.seed.verify;

import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.row.RowText;
import io.tributary.schema.definition.Column;
import io.tributary.schema.sql.SqlNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads rows that differ on both sides: which columns differ, and the statements that make the replica's row equal. */
final class RowComparison {
    private static final int MOST_SHOWN = 100;
    private static final Pattern WIDTH = Pattern.compile("int\\(\\d+\\)");

    private final TableReader reader;
    private final List<Column> columns;
    private final boolean showsValues;

    RowComparison(TableReader reader, boolean showsValues) {
        this.reader = reader;
        this.columns = reader.table().written();
        this.showsValues = showsValues;
    }

    /** The findings for some rows. */
    List<Finding> findings(List<RowKey> keys) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Map<String, String> here = definitions(reader.replica());
        Map<TableReader.Place, Set<String>> unlike = new HashMap<>();
        for (TableReader.Place member : reader.members()) {
            Set<String> ofMember = new HashSet<>();
            definitions(member).forEach((column, type) -> {
                if (!type.equals(here.get(column))) {
                    ofMember.add(column);
                }
            });
            unlike.put(member, ofMember);
        }
        return keys.stream().map(key -> finding(key, unlike)).toList();
    }

    /** The columns' types by their names in lower case; without the display widths of integers, which 8.0 does not have. */
    private static Map<String, String> definitions(TableReader.Place place) {
        String query = "SELECT LOWER(COLUMN_NAME), CONCAT(COLUMN_TYPE, ' ', IFNULL(CHARACTER_SET_NAME, ''))"
                + " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = "
                + SqlNames.literal(place.name().schema()) + " AND TABLE_NAME = "
                + SqlNames.literal(place.name().table());
        Map<String, String> types = new HashMap<>();
        place.answer(place.session().send(query))
                .rows()
                .forEach(row -> types.put(
                        row.text(0),
                        WIDTH.matcher(row.text(1)).replaceFirst("int").replace("utf8mb3", "utf8")));
        return types;
    }

    /** @param unlike columns of each member that are defined differently on the replica */
    private Finding finding(RowKey key, Map<TableReader.Place, Set<String>> unlike) {
        List<String> where = new ArrayList<>();
        List<QueryResult.Row> there = new ArrayList<>();
        Set<String> unlikeThere = new HashSet<>();
        for (TableReader.Place member : reader.members()) {
            rows(member, key, texts()).forEach(row -> {
                there.add(row);
                where.add(member.shown());
                unlikeThere.addAll(unlike.get(member));
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
        boolean isDefined = changed.isEmpty()
                || changed.stream()
                        .anyMatch(each -> !unlikeThere.contains(each.column().toLowerCase(Locale.ROOT)));
        return Finding.of(reader.table().name(), key, kind(there.size(), here.size(), isDefined), changed, where);
    }

    private static Finding.Kind kind(int there, int here, boolean isDefined) {
        if (there > 1) {
            return Finding.Kind.SEVERAL;
        }
        if (there == 0) {
            return Finding.Kind.EXTRA;
        }
        if (here == 0) {
            return Finding.Kind.MISSING;
        }
        return isDefined ? Finding.Kind.DIFFERS : Finding.Kind.DEFINITION;
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
