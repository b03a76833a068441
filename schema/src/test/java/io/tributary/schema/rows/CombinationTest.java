package io.tributary.schema.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Several changes of a table in one ALTER TABLE: compares the rows with a real server's. */
class CombinationTest {
    private static final int TABLES = 30 * Integer.getInteger("reshape.rounds", 1);
    private static final int MOST_COLUMNS = 20;
    private static final int MOST_CHANGES = 6;
    private static final int ROWS = 6;

    /** Definitions with wider ones, which can store every value. */
    private static final List<List<String>> WIDER = List.of(
            List.of("TINYINT", "INT"),
            List.of("SMALLINT UNSIGNED", "INT"),
            List.of("INT", "DECIMAL(20,2)"),
            List.of("MEDIUMINT", "VARCHAR(30)"),
            List.of("INT UNSIGNED", "DOUBLE"),
            List.of("BIGINT", "BIGINT"),
            List.of("DECIMAL(10,2)", "DECIMAL(30,10)"),
            List.of("DECIMAL(10,5)", "DECIMAL(12,2)"),
            List.of("FLOAT", "DOUBLE"),
            List.of("VARCHAR(20) CHARACTER SET utf8mb4", "VARCHAR(100) CHARACTER SET utf8mb4"),
            List.of("VARCHAR(20) CHARACTER SET latin1", "VARCHAR(20) CHARACTER SET utf8mb4"),
            List.of("VARCHAR(20) CHARACTER SET gbk", "TEXT CHARACTER SET utf8mb4"),
            List.of("CHAR(10)", "VARCHAR(10)"),
            List.of("CHAR(10)", "CHAR(100)"),
            List.of("TINYTEXT", "TEXT"),
            List.of("TEXT CHARACTER SET utf8mb3", "LONGTEXT CHARACTER SET utf8mb4"),
            List.of("VARBINARY(20)", "BLOB"),
            List.of("BINARY(20)", "VARBINARY(300)"),
            List.of("ENUM('a','b','c','d')", "ENUM('d','c','b','a','x')"),
            List.of("ENUM('a','b','c','d')", "VARCHAR(10)"),
            List.of("SET('a','b','c','d')", "SET('x','d','c','b','a')"),
            List.of("DATE", "DATETIME(2)"),
            List.of("DATETIME", "DATETIME(6)"),
            List.of("TIME(1)", "TIME(5)"),
            List.of("TIMESTAMP NULL", "TIMESTAMP(3) NULL"),
            List.of("BIT(5)", "BIT(20)"),
            List.of("JSON", "JSON"),
            List.of("YEAR", "YEAR"));

    @Test
    void severalChangesAtOnceGiveTheServersRows() throws SQLException {
        long seed = Long.getLong("reshape.seed", new Random().nextLong());
        List<String> problems = new ArrayList<>();
        int rows = 0;
        int refused = 0;
        try (MysqlServer server = MysqlServer.start(MysqlOptions.named("combinations"));
                Sql sql = server.sql()) {
            sql.execute("CREATE DATABASE d", "USE d");
            RowReshaper reshaper = new RowReshaper();
            for (int i = 0; i < TABLES; i++) {
                AlteredTable table = table(new Draw(new Random(seed + i)));
                try {
                    rows += table.check(server, sql, reshaper);
                } catch (AssertionError e) {
                    problems.add("seed " + (seed + i) + ": " + e.getMessage());
                } catch (SQLException e) {
                    refused++;
                    if (e.getErrorCode() != 1067) {
                        problems.add(table + ": " + e.getMessage());
                    }
                }
            }
        }
        assertEquals(List.of(), problems, "seed " + seed + ", rows " + rows + ", refused " + refused);
        org.slf4j.LoggerFactory.getLogger(CombinationTest.class)
                .info("seed {}: {} rows of {} tables are the server's", seed, rows, TABLES);
    }

    private static AlteredTable table(Draw draw) {
        int count = 1 + draw.below(MOST_COLUMNS);
        Map<String, List<String>> columns = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            columns.put("c" + i, draw.of(WIDER));
        }
        int keyAt = draw.below(count + 1);
        StringBuilder create = new StringBuilder();
        int index = 0;
        for (Map.Entry<String, List<String>> column : columns.entrySet()) {
            create.append(index++ == keyAt ? "id INT PRIMARY KEY, " : "")
                    .append(column.getKey() + " " + column.getValue().get(0) + ", ");
        }
        create.append(keyAt == count ? "id INT PRIMARY KEY, " : "").setLength(create.lastIndexOf(","));
        List<String> inserts = new ArrayList<>();
        for (int k = 0; k < ROWS; k++) {
            StringBuilder values = new StringBuilder();
            for (List<String> definition : columns.values()) {
                values.append(", ").append(draw.often(20) ? "NULL" : draw.value(definition.get(0)));
            }
            inserts.add("INSERT IGNORE INTO t (id, " + String.join(", ", columns.keySet()) + ") VALUES (" + k + values
                    + ")");
        }
        return change(draw, "CREATE TABLE t (" + create + ")", inserts, columns);
    }

    private static AlteredTable change(
            Draw draw, String create, List<String> inserts, Map<String, List<String>> columns) {
        Map<String, String> renames = new HashMap<>();
        Map<String, String> added = new HashMap<>();
        List<String> items = new ArrayList<>();
        Set<String> changed = new LinkedHashSet<>();
        List<String> names = new ArrayList<>(columns.keySet());
        for (int i = 1 + draw.below(MOST_CHANGES); i > 0; i--) {
            String name = draw.of(names);
            String place = draw.often(30) ? " FIRST" : draw.often(50) ? " AFTER id" : "";
            int kind = draw.below(5);
            if (kind == 0) {
                List<String> column = draw.of(StoredValueTest.DEFAULTS);
                String literal = column.get(1);
                added.put("n" + i, literal);
                items.add("ADD COLUMN N" + i + " " + column.get(0) + (literal.isEmpty() ? "" : " DEFAULT " + literal)
                        + place);
            } else if (changed.add(name)) {
                if (kind == 1) {
                    items.add("DROP COLUMN " + name);
                } else if (kind == 2) {
                    renames.put(name.toUpperCase(java.util.Locale.ROOT), "r" + i);
                    items.add("RENAME COLUMN " + name + " TO r" + i);
                } else if (kind == 3) {
                    items.add("MODIFY " + name + " " + columns.get(name).get(1) + place);
                } else {
                    renames.put(name, "r" + i);
                    items.add("CHANGE " + name + " R" + i + " "
                            + columns.get(name).get(1) + place);
                }
            }
        }
        if (items.isEmpty()) {
            items.add("MODIFY id INT FIRST");
        }
        Map<String, String> shown = new HashMap<>();
        added.forEach((name, literal) -> shown.put(name.toUpperCase(java.util.Locale.ROOT), literal));
        return new AlteredTable(create, inserts, "ALTER TABLE t " + String.join(", ", items), renames, shown);
    }
}
