package io.tributary.extractor.definition;

import io.tributary.mysql.protocol.client.QueryResult.Row;
import io.tributary.schema.sql.SqlNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The builder of a CREATE TABLE statement from the rows of information_schema about one table. The statement is that of SHOW CREATE TABLE without
 * the parts in which two members of a logical table may differ: AUTO_INCREMENT=, partitions, and storage options. For one thread.
 */
final class CreateTableBuilder {
    private static final int SCHEMA = 0;
    private static final int TABLE = 1;
    /** Column with the name of a key or constraint. */
    private static final int NAME = 2;

    private static final Set<String> BINARY = Set.of("binary", "varbinary");
    private static final String ZERO_DATE = "0000-00-00";
    private static final String NOW = "CURRENT_TIMESTAMP";

    private final Row table;
    private final String collation;
    private final List<Row> columns = new ArrayList<>();
    private final Map<String, List<Row>> keys = new LinkedHashMap<>();
    private final Map<String, List<Row>> foreignKeys = new LinkedHashMap<>();
    private final List<Row> checks = new ArrayList<>();
    private boolean isExact = true;

    /** @param table schema, name, engine, collation, comment */
    CreateTableBuilder(Row table) {
        this.table = table;
        this.collation = table.text(3);
        if (table.text(2) == null || collation == null) { // the server could not open it
            isExact = false;
        }
    }

    void column(Row row) {
        columns.add(row);
    }

    void key(Row row) {
        keys.computeIfAbsent(row.text(NAME), name -> new ArrayList<>()).add(row);
    }

    void foreignKey(Row row) {
        foreignKeys.computeIfAbsent(row.text(NAME), name -> new ArrayList<>()).add(row);
    }

    void check(Row row) {
        checks.add(row);
    }

    /** Whether {@link #text()} returned the same as SHOW CREATE TABLE; to be called after it. */
    boolean isExact() {
        return isExact && !columns.isEmpty();
    }

    String text() {
        columns.sort(Comparator.comparingInt(row -> Integer.parseInt(row.text(2))));
        List<String> parts = new ArrayList<>();
        columns.forEach(row -> parts.add(columnText(row)));
        keys.forEach((name, rows) -> parts.add(keyText(name, rows)));
        foreignKeys.forEach((name, rows) -> parts.add(foreignKeyText(name, rows)));
        checks.forEach(row -> parts.add(checkText(row)));
        String comment = table.text(4);
        return "CREATE TABLE " + SqlNames.name(table.text(TABLE)) + " (\n  " + String.join(",\n  ", parts)
                + "\n) ENGINE=" + table.text(2) + " DEFAULT CHARSET=" + charset(collation) + " COLLATE=" + collation
                + (comment == null || comment.isEmpty() ? "" : " COMMENT=" + SqlNames.literal(comment));
    }

    private static String charset(String collation) {
        int end = collation == null ? -1 : collation.indexOf('_');
        return end < 0 ? collation : collation.substring(0, end);
    }

    /** @param row schema, table, position, name, type, nullable, default, extra, charset, collation, generation, srs, comment */
    private String columnText(Row row) {
        String type = row.text(4);
        String extra = row.text(7).toUpperCase(Locale.ROOT);
        StringBuilder out = new StringBuilder(SqlNames.name(row.text(3)) + " " + type);
        out.append(collationText(type, row.text(8), row.text(9)));
        if (extra.contains(" GENERATED") && !extra.contains("DEFAULT_GENERATED")) {
            out.append(" GENERATED ALWAYS AS (")
                    .append(expression(row.text(10)))
                    .append(extra.contains("STORED GENERATED") ? ") STORED" : ") VIRTUAL");
        }
        boolean isTimestamp = type.startsWith("timestamp");
        boolean isNullable = row.text(5).equals("YES");
        out.append(isNullable ? isTimestamp ? " NULL" : "" : " NOT NULL");
        if (row.text(11) != null) {
            out.append(" /*!80003 SRID ").append(row.text(11)).append(" */");
        }
        if (extra.contains("AUTO_INCREMENT")) {
            out.append(" AUTO_INCREMENT");
        } else if (!out.toString().contains(" GENERATED ALWAYS AS ")) {
            out.append(defaultText(type, row.text(6), extra, isNullable));
        }
        int onUpdate = extra.indexOf("ON UPDATE ");
        if (onUpdate >= 0) {
            out.append(" ON UPDATE ").append(extra.substring(onUpdate).split(" ", 4)[2]);
        }
        if (extra.contains("INVISIBLE")) {
            out.append(" /*!80023 INVISIBLE */");
        }
        if (!row.text(12).isEmpty()) {
            out.append(" COMMENT ").append(SqlNames.literal(row.text(12)));
        }
        return out.toString();
    }

    private String collationText(String type, String charset, String own) {
        if (own == null) {
            if (type.startsWith("enum(") || type.startsWith("set(")) { // of the character set binary
                isExact = false;
            }
            return "";
        }
        return own.equals(collation) ? "" : " CHARACTER SET " + charset + " COLLATE " + own;
    }

    private String defaultText(String type, String value, String extra, boolean isNullable) {
        String word = type.split("[( ]", 2)[0];
        if (value == null) {
            return isNullable && !word.endsWith("blob") && !word.endsWith("text") ? " DEFAULT NULL" : "";
        }
        if (extra.contains("DEFAULT_GENERATED")) {
            return value.startsWith(NOW) ? " DEFAULT " + value : " DEFAULT (" + expression(value) + ")";
        }
        if (word.equals("bit")) {
            return " DEFAULT " + value;
        }
        // bytes are cut at the first zero; a timestamp is in the time zone of the session that defined it
        if (BINARY.contains(word) || word.equals("timestamp") && !value.startsWith(ZERO_DATE)) {
            isExact = false;
        }
        return " DEFAULT " + SqlNames.literal(value);
    }

    private String expression(String shown) {
        isExact &= ShownExpression.isPlain(shown);
        return ShownExpression.unescaped(shown);
    }

    /** @param rows schema, table, name, position, column, order, prefix, kind, not unique, visible, comment, expression */
    private String keyText(String name, List<Row> rows) {
        rows.sort(Comparator.comparingInt(row -> Integer.parseInt(row.text(3))));
        Row first = rows.get(0);
        String kind = first.text(7);
        boolean isOfWords = kind.equals("FULLTEXT") || kind.equals("SPATIAL");
        String parts = rows.stream().map(row -> partText(row, isOfWords)).collect(Collectors.joining(",", " (", ")"));
        String begin;
        if (name.equals("PRIMARY")) {
            begin = "PRIMARY KEY";
        } else {
            begin = (isOfWords ? kind + " " : first.text(8).equals("0") ? "UNIQUE " : "") + "KEY "
                    + SqlNames.name(name);
        }
        return begin
                + parts
                + (first.text(10).isEmpty() ? "" : " COMMENT " + SqlNames.literal(first.text(10)))
                + (first.text(9).equals("NO") ? " /*!80000 INVISIBLE */" : "");
    }

    private String partText(Row row, boolean isOfWords) {
        String part = row.text(4) == null ? "(" + expression(row.text(11)) + ")" : SqlNames.name(row.text(4));
        String prefix = row.text(6) == null || isOfWords ? "" : "(" + row.text(6) + ")";
        return part + prefix + ("D".equals(row.text(5)) ? " DESC" : "");
    }

    /** @param rows schema, table, name, position, column, other schema, other table, other column, on update, on delete */
    private String foreignKeyText(String name, List<Row> rows) {
        rows.sort(Comparator.comparingInt(row -> Integer.parseInt(row.text(3))));
        Row first = rows.get(0);
        String own = rows.stream().map(row -> SqlNames.name(row.text(4))).collect(Collectors.joining(", "));
        String others = rows.stream().map(row -> SqlNames.name(row.text(7))).collect(Collectors.joining(", "));
        boolean isOfSchema = first.text(5).equals(first.text(SCHEMA));
        return "CONSTRAINT " + SqlNames.name(name) + " FOREIGN KEY (" + own + ") REFERENCES "
                + (isOfSchema ? "" : SqlNames.name(first.text(5)) + ".") + SqlNames.name(first.text(6)) + " (" + others
                + ")" + rule(" ON DELETE ", first.text(9)) + rule(" ON UPDATE ", first.text(8));
    }

    private static String rule(String when, String rule) {
        return rule.equals("NO ACTION") ? "" : when + rule;
    }

    /** @param row schema, table, name, clause, enforced */
    private String checkText(Row row) {
        return "CONSTRAINT " + SqlNames.name(row.text(2)) + " CHECK (" + expression(row.text(3)) + ")"
                + (row.text(4).equals("NO") ? " /*!80016 NOT ENFORCED */" : "");
    }
}
