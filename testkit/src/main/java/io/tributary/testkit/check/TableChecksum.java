package io.tributary.testkit.check;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A checksum of a table for I7. It does not depend on the order of the rows, and it can be added: the checksum of the union of the shards is the
 * sum of their checksums. The servers compute it.
 *
 * @param columns names and types
 * @param rows number of rows
 * @param sum sum of the MD5 hashes of all rows, as two 64-bit halves
 */
public record TableChecksum(String columns, BigInteger rows, BigInteger sum) {
    /** The display width of integer types, which newer MySQL releases do not show. */
    private static final Pattern DISPLAY_WIDTH = Pattern.compile("^(\\w*int|year)\\(\\d+\\)");

    private static final BigInteger HALF = BigInteger.ONE.shiftLeft(64);

    /** Checksums of all tables of these schemas, by schema.table. */
    public static Map<String, TableChecksum> of(MysqlServer server, List<String> schemas) throws SQLException {
        Map<String, TableChecksum> sums = new TreeMap<>();
        try (Sql sql = server.sql()) {
            sql.execute("SET SESSION time_zone = '+00:00'");
            if (server.release().isMysqlFrom(80000)) {
                sql.execute("SET SESSION information_schema_stats_expiry = 0");
            }
            for (String schema : schemas) {
                for (Map<String, String> table : tables(sql, schema)) {
                    sums.put(schema + "." + table.get("name"), of(sql, schema, table.get("name")));
                }
            }
        }
        return sums;
    }

    private static List<Map<String, String>> tables(Sql sql, String schema) throws SQLException {
        return sql.rows("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '" + schema
                + "' AND table_type = 'BASE TABLE' ORDER BY table_name");
    }

    private static List<Map<String, String>> columns(Sql sql, String schema, String table) throws SQLException {
        return sql.rows("SELECT column_name AS name, column_type AS type, data_type AS data "
                + "FROM information_schema.columns WHERE table_schema = '" + schema + "' AND table_name = '" + table
                + "' ORDER BY ordinal_position");
    }

    private static TableChecksum of(Sql sql, String schema, String table) throws SQLException {
        List<String> parts = new ArrayList<>();
        StringBuilder columns = new StringBuilder();
        for (Map<String, String> column : columns(sql, schema, table)) {
            parts.add("IFNULL(MD5(" + value(quoted(column.get("name")), column.get("data")) + "),'-')");
            columns.append(column.get("name"))
                    .append(' ')
                    .append(DISPLAY_WIDTH.matcher(column.get("type")).replaceFirst("$1"))
                    .append(", ");
        }
        String hash = "MD5(CONCAT_WS('|'," + String.join(",", parts) + "))";
        Map<String, String> row = sql.rows("SELECT COUNT(*) AS n, "
                        + "COALESCE(SUM(CAST(CONV(LEFT(h, 16), 16, 10) AS UNSIGNED)), 0) AS high, "
                        + "COALESCE(SUM(CAST(CONV(RIGHT(h, 16), 16, 10) AS UNSIGNED)), 0) AS low FROM (SELECT " + hash
                        + " AS h FROM " + quoted(schema) + "." + quoted(table) + ") AS hashes")
                .get(0);
        BigInteger sum = new BigInteger(row.get("high")).multiply(HALF).add(new BigInteger(row.get("low")));
        return new TableChecksum(columns.toString(), new BigInteger(row.get("n")), sum);
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** An expression whose text or bytes differ for different values. */
    private static String value(String column, String type) {
        return switch (type) {
            case "json" -> "CAST(" + column + " AS CHAR)";
            case "float" -> "(" + column + " + 0E0)";
            case "geometry",
                    "point",
                    "linestring",
                    "polygon",
                    "multipoint",
                    "multilinestring",
                    "multipolygon",
                    "geomcollection" -> "ST_AsBinary(" + column + ")";
            default -> column;
        };
    }

    /** The checksum of the rows of both tables together. */
    public TableChecksum plus(TableChecksum other) {
        if (!columns.equals(other.columns)) {
            throw new IllegalStateException("columns differ: " + columns + " and " + other.columns);
        }
        return new TableChecksum(columns, rows.add(other.rows), sum.add(other.sum));
    }

    /** The checksums of the union of several servers' tables. */
    public static Map<String, TableChecksum> union(Iterable<MysqlServer> shards, List<String> schemas)
            throws SQLException {
        Map<String, TableChecksum> all = new TreeMap<>();
        for (MysqlServer shard : shards) {
            of(shard, schemas).forEach((table, sum) -> all.merge(table, sum, TableChecksum::plus));
        }
        return all;
    }

    /** Compares the union of the shards with a replica. Nothing may write to them meanwhile. */
    public static Report compare(Map<String, TableChecksum> union, Map<String, TableChecksum> replica) {
        Violations violations = new Violations("I7 tables");
        union.forEach((table, wanted) -> {
            violations.checked();
            TableChecksum found = replica.get(table);
            if (!wanted.equals(found)) {
                violations.add(table + ": the shards have " + wanted.words() + ", the replica "
                        + (found == null ? "has no such table" : "has " + found.words()));
            }
        });
        replica.keySet().stream()
                .filter(table -> !union.containsKey(table))
                .forEach(table -> violations.add(table + ": only the replica has it"));
        return violations.report();
    }

    /** A short text for people. */
    public String words() {
        String hex = sum.toString(16);
        return rows + " rows, checksum " + hex.substring(Math.max(0, hex.length() - 16));
    }
}
