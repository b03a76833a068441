package io.tributary.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests times as numbers against those that a server computes. */
class StoredMomentTest {
    private record Found(boolean isReal, long days, long micros) {}

    private static Map<String, List<Found>> read(ChangeSource source, GtidSet before) throws SQLException {
        Map<String, List<Found>> found = new HashMap<>();
        ReadRows all = new ReadRows(table -> table.schema().equals("d")) {
            private final RowChange change = new RowChange();
            private final StoredMoment moment = new StoredMoment();

            @Override
            public void rows(ChangeTable table, ByteBuffer view, int at, int end) {
                change.begin(table, view, at, end);
                while (change.next()) {
                    for (ChangeColumn column :
                            table.columns().subList(1, table.columns().size())) {
                        moment.read(column, change.after());
                        found.computeIfAbsent(column.name(), unused -> new ArrayList<>())
                                .add(new Found(moment.isReal(), moment.days(), moment.micros()));
                    }
                }
            }
        };
        try (ServerDefinitions definitions = new ServerDefinitions(source.client(), source.peer())) {
            ChangeSource.follow(
                    source.client(), source.peer(), new ChangeInput(all, definitions), all, before, source.executed());
        }
        return found;
    }

    @Test
    void timesAreTheNumbersOfTheServer() throws SQLException {
        Random random = new Random(5);
        try (ChangeSource source = new ChangeSource(MysqlRelease.MYSQL_8_0_31);
                Sql sql = source.server().sql()) {
            GtidSet before = source.executed();
            sql.execute(
                    "SET time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'",
                    "CREATE DATABASE d",
                    "CREATE TABLE d.t (id INT PRIMARY KEY, da DATE, dt DATETIME(6), d3 DATETIME(3), ts TIMESTAMP(6), t TIME(6))");
            for (int i = 0; i < 300; i++) {
                String day = String.format(
                        "%04d-%02d-%02d", 1 + random.nextInt(9999), 1 + random.nextInt(12), 1 + random.nextInt(28));
                String clock = String.format(
                        "%02d:%02d:%02d.%06d",
                        random.nextInt(24), random.nextInt(60), random.nextInt(60), random.nextInt(1_000_000));
                sql.execute(
                        "INSERT INTO d.t VALUES (" + i + ", '" + day + "', '" + day + " " + clock + "', '" + day + " "
                                + clock.substring(0, 12) + "', '" + (1971 + random.nextInt(60)) + day.substring(4) + " "
                                + clock + "', '"
                                + (i % 2 == 0 ? "-" : "") + random.nextInt(800) + clock.substring(2) + "')");
            }
            Map<String, List<Found>> found = read(source, before);
            List<Map<String, String>> expected = sql.rows("SELECT TO_DAYS(da) - TO_DAYS('1970-01-01') AS da,"
                    + " TIMESTAMPDIFF(MICROSECOND, '1970-01-01', dt) AS dt, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d3) AS d3,"
                    + " TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ts) AS ts, TIMESTAMPDIFF(MICROSECOND, '2000-01-01',"
                    + " TIMESTAMP('2000-01-01', t)) AS t FROM d.t ORDER BY id");
            for (int i = 0; i < expected.size(); i++) {
                for (String column : List.of("dt", "d3", "ts", "t")) {
                    Found one = found.get(column).get(i);
                    assertEquals(Long.parseLong(expected.get(i).get(column)), one.micros(), column);
                    assertEquals(
                            column.equals("t") ? 0 : Math.floorDiv(one.micros(), 86_400_000_000L), one.days(), column);
                    assertTrue(one.isReal());
                }
                assertEquals(
                        Long.parseLong(expected.get(i).get("da")),
                        found.get("da").get(i).days());
            }
        }
    }

    @Test
    void datesThatNoCalendarHasAreNotReal() throws SQLException {
        try (ChangeSource source = new ChangeSource(MysqlRelease.MYSQL_8_0_31);
                Sql sql = source.server().sql()) {
            GtidSet before = source.executed();
            sql.execute(
                    "SET time_zone = '+00:00', sql_mode = 'ALLOW_INVALID_DATES'",
                    "CREATE DATABASE d",
                    "CREATE TABLE d.t (id INT PRIMARY KEY, da DATE, dt DATETIME, ts TIMESTAMP NULL)",
                    "INSERT INTO d.t VALUES (1, '0000-00-00', '0000-00-00', '0000-00-00'), (2, '2023-02-29', '2023-02-29', '2024-02-29'),"
                            + " (3, '2024-00-10', '2024-10-00', '1970-01-01 00:00:01'), (4, '1900-02-29', '2023-04-31', '2038-01-19 03:14:07')");
            Map<String, List<Found>> found = read(source, before);
            for (String column : List.of("da", "dt")) {
                found.get(column).forEach(one -> assertFalse(one.isReal(), column + one));
            }
            assertEquals(
                    List.of(false, true, true, true),
                    found.get("ts").stream().map(Found::isReal).toList());
            sql.execute("CREATE TABLE d.days (id INT PRIMARY KEY, da DATE)");
            GtidSet created = source.executed();
            StringBuilder insert = new StringBuilder("INSERT INTO d.days VALUES (-1, '1999-12-31')");
            LocalDate first = LocalDate.of(1896, 1, 1);
            for (int i = 0; i < 3000; i++) {
                insert.append(", (")
                        .append(i)
                        .append(", '")
                        .append(first.plusDays(i))
                        .append("')");
            }
            sql.execute(insert.toString());
            List<Found> days = read(source, created).get("da");
            for (int i = 0; i < 3000; i++) {
                assertEquals(first.plusDays(i).toEpochDay(), days.get(i + 1).days());
            }
        }
    }
}
