package io.tributary.schema.server;

import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Compares a definition with a server's information_schema.COLUMNS, field by field, by texts that this class generates. */
final class ServerTable {
    private static final String COLUMNS =
            "SELECT COLUMN_NAME, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION,"
                    + " NUMERIC_SCALE, DATETIME_PRECISION, COLLATION_NAME, COLUMN_TYPE, EXTRA";
    private static final String OF_MYSQL = ", SRS_ID";
    private static final String FROM = " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '";

    private ServerTable() {}

    /** The differences, one line each. */
    static List<String> disagreements(Sql sql, TableDefinition table, boolean mariadb) throws SQLException {
        List<Map<String, String>> rows = sql.rows(
                COLUMNS + (mariadb ? "" : OF_MYSQL) + FROM + table.name().schema() + "' AND TABLE_NAME = '"
                        + table.name().table() + "' ORDER BY ORDINAL_POSITION");
        List<String> found = new ArrayList<>();
        if (rows.size() != table.columns().size()) {
            found.add(rows.size() + " columns on the server, " + table.columns().size() + " read");
            return found;
        }
        for (int i = 0; i < rows.size(); i++) {
            Map<String, String> row = rows.get(i);
            Column column = table.columns().get(i);
            compare(found, row, column);
            if (!mariadb) {
                String srid = row.get("SRS_ID");
                differ(
                        found,
                        column.name() + " srid",
                        srid == null ? "-1" : srid,
                        Long.toString(column.type().srid()));
                compareDefaults(found, column.name(), row, column);
            }
        }
        return found;
    }

    private static void compare(List<String> found, Map<String, String> row, Column column) {
        SqlType type = column.type();
        String name = row.get("COLUMN_NAME");
        differ(found, name + " name", name, column.name());
        differ(
                found,
                name + " type",
                row.get("DATA_TYPE").replace("geometrycollection", "geomcollection"),
                type.name());
        differ(found, name + " nullable", row.get("IS_NULLABLE"), column.nullable() ? "YES" : "NO");
        String collation = row.get("COLLATION_NAME");
        differ(
                found,
                name + " collation",
                collation == null || collation.equals("binary") ? "" : collation,
                type.collation().replaceAll("^binary$", ""));
        if (type.name().endsWith("char") || type.name().endsWith("binary")) {
            differ(found, name + " length", row.get("CHARACTER_MAXIMUM_LENGTH"), Integer.toString(type.length()));
        }
        if (type.name().equals("decimal")) {
            differ(found, name + " digits", row.get("NUMERIC_PRECISION"), Integer.toString(type.length()));
            differ(found, name + " scale", row.get("NUMERIC_SCALE"), Integer.toString(type.decimals()));
        }
        if (row.get("DATETIME_PRECISION") != null) {
            differ(found, name + " fraction", row.get("DATETIME_PRECISION"), Integer.toString(type.decimals()));
        }
        String columnType = row.get("COLUMN_TYPE");
        differ(found, name + " sign", columnType.contains("unsigned"), type.unsigned());
        differ(found, name + " zerofill", columnType.contains("zerofill"), type.zerofill());
        if (type.hasValues()) {
            String values = "('"
                    + String.join(
                            "','",
                            type.values().stream()
                                    .map(one -> one.replace("'", "''").replace("\0", "\\0"))
                                    .toList())
                    + "')";
            differ(found, name + " values", columnType, type.name() + values);
        }
        String extra = row.get("EXTRA");
        differ(found, name + " auto_increment", extra.contains("auto_increment"), column.autoIncrement());
        differ(found, name + " invisible", extra.contains("INVISIBLE"), !column.visible());
        differ(found, name + " virtual", extra.contains("VIRTUAL GENERATED"), isGenerated(column, false));
        differ(found, name + " stored", extra.contains("STORED GENERATED"), isGenerated(column, true));
        String onUpdate = extra.contains("on update ")
                ? extra.substring(extra.indexOf("on update ") + 10).split("[ ,]", 2)[0]
                : "";
        differ(found, name + " on update", now(onUpdate), column.onUpdate());
    }

    /** MariaDB writes it in lower case and always with parentheses. */
    private static String now(String shown) {
        return shown.toUpperCase(Locale.ROOT).replace("()", "");
    }

    private static boolean isGenerated(Column column, boolean stored) {
        return column.generation().isPresent() && column.generation().get().stored() == stored;
    }

    /**
     * For MySQL only: MariaDB shows the same here as SHOW CREATE TABLE. Expressions are compared by that statement; for binary columns the server
     * shows the part before the first zero.
     */
    private static void compareDefaults(List<String> found, String name, Map<String, String> row, Column column) {
        String shown = row.get("COLUMN_DEFAULT");
        if (column.defaultValue() instanceof Default.Literal literal) {
            String value = column.type().name().equals("bit") ? "b'" + literal.value() + "'" : literal.value();
            boolean bytes = column.type().name().endsWith("binary")
                    || column.type().collation().equals("binary");
            if (!bytes) {
                differ(found, name + " default", shown, value);
            }
        } else if (column.defaultValue() instanceof Default.Expression expression) {
            boolean isNull = expression.text().equals("NULL"); // a conversion makes it the plain default
            differ(
                    found,
                    name + " default is an expression",
                    row.get("EXTRA").contains("DEFAULT_GENERATED") || isNull,
                    true);
            if (expression.isCurrentTimestamp()) {
                differ(found, name + " default", shown, expression.text());
            }
        } else {
            differ(found, name + " default", shown, null);
        }
    }

    private static void differ(List<String> found, String what, Object server, Object ours) {
        if (!Objects.equals(server, ours)) {
            found.add(what + ": server " + server + ", read " + ours);
        }
    }
}
