package io.tributary.sink.json;

import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A table for each of the samples: t0, t1, ... with columns id, v (its values and NULL) and n, which is NOT NULL. */
public final class SampleTables {
    /** A value as a server shows it. Bytes are a text of ISO 8859-1. Floating-point numbers are compared as numbers. */
    public record Shown(String text, boolean isNull) {}

    private final Sql sql;
    private final List<TypeSamples.Sample> samples;

    public SampleTables(Sql sql, List<TypeSamples.Sample> samples) {
        this.sql = sql;
        this.samples = samples;
    }

    public List<TypeSamples.Sample> samples() {
        return samples;
    }

    /** Creates the tables. */
    public void create() throws SQLException {
        for (int i = 0; i < samples.size(); i++) {
            String type = samples.get(i).type();
            sql.execute("CREATE TABLE t" + i + " (id INT PRIMARY KEY, v " + type + ", n "
                    + type.replaceAll(" NULL$", "") + " NOT NULL)");
        }
    }

    /** Inserts the rows, in the order of {@link TypeSamples.Sample#values}, the last one with NULL. */
    public void insert() throws SQLException {
        for (int i = 0; i < samples.size(); i++) {
            List<String> values = samples.get(i).values();
            List<String> rows = new ArrayList<>();
            for (int row = 0; row < values.size(); row++) {
                rows.add("(" + row + ", " + values.get(row) + ", " + values.get(row) + ")");
            }
            rows.add("(" + values.size() + ", NULL, " + values.get(0) + ")");
            sql.execute("INSERT INTO t" + i + " VALUES " + String.join(", ", rows));
        }
    }

    /** The values of column v or n by id. */
    public Map<Integer, Shown> shown(int table, String column) throws SQLException {
        Map<Integer, Shown> shown = new HashMap<>();
        String query = "SELECT id, " + expression(samples.get(table), column) + " AS x FROM t" + table;
        for (Map<String, String> row : sql.rows(query)) {
            String text = row.get("x");
            shown.put(
                    Integer.valueOf(row.get("id")),
                    new Shown(text == null ? null : text(samples.get(table), text), text == null));
        }
        return shown;
    }

    private static String expression(TypeSamples.Sample sample, String column) {
        return switch (sample.name()) {
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "json" ->
                "HEX(CONVERT(" + column + " USING utf8mb4))";
            case "enum", "set" ->
                "CONCAT(CAST(" + column + " AS UNSIGNED), ':', CONVERT(" + column + " USING utf8mb4))";
            case "bit" -> "CAST(" + column + " AS UNSIGNED)";
            case "float", "double" -> column + " * 1e0";
            case "int", "tinyint", "smallint", "mediumint", "bigint" -> column + " + 0";
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "point", "geometry" ->
                "HEX(" + column + ")";
            default -> "CAST(" + column + " AS CHAR)";
        };
    }

    private static String text(TypeSamples.Sample sample, String text) {
        return switch (sample.name()) {
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "json" ->
                new String(HexFormat.of().parseHex(text), StandardCharsets.UTF_8);
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob", "point", "geometry" ->
                new String(HexFormat.of().parseHex(text), StandardCharsets.ISO_8859_1);
            default -> text;
        };
    }
}
