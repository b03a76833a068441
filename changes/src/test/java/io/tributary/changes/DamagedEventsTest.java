package io.tributary.changes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.Sql;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that damaged events are refused, or read as other values: never another exception, and never without an end. */
class DamagedEventsTest {
    private static final int ROUNDS = 10_000;
    /** A damaged event may also be one that is well formed and not expected. */
    private static final Set<ErrorCode> ALLOWED =
            EnumSet.of(ErrorCode.EVENT_MALFORMED, ErrorCode.EVENT_UNKNOWN, ErrorCode.REPLAY_FAILED);

    @ParameterizedTest
    @EnumSource(
            value = MysqlRelease.class,
            names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void damagedEventsAreRefused(MysqlRelease release) throws SQLException {
        try (ChangeSource source = new ChangeSource(release, "--binlog-checksum=NONE")) {
            record(source, release);
            List<ByteBuffer> events = ChangeSource.events(source.server());
            Map<TableName, TableDefinition> definitions = new HashMap<>();
            try (ServerDefinitions server = new ServerDefinitions(source.client(), source.peer())) {
                for (String table : List.of("a", "b")) {
                    TableName name = new TableName("d", table);
                    definitions.put(name, server.after(null, name).orElseThrow());
                }
            }
            assertTimeoutPreemptively(Duration.ofMinutes(3), () -> damage(events, definitions));
        }
    }

    private static void record(ChangeSource source, MysqlRelease release) throws SQLException {
        try (Sql sql = source.server().sql()) {
            sql.execute(
                    "CREATE DATABASE d",
                    "USE d",
                    "FLUSH BINARY LOGS",
                    "SET sql_mode = 'ALLOW_INVALID_DATES'",
                    "CREATE TABLE a (id BIGINT UNSIGNED PRIMARY KEY, d DECIMAL(30,10), f FLOAT, r DOUBLE, b BIT(33), y YEAR, da DATE,"
                            + " t TIME(6), dt DATETIME(3), ts TIMESTAMP(2) NULL, e ENUM('x','y'), s SET('p','q','r'))",
                    "CREATE TABLE b (c CHAR(9), v VARCHAR(300) CHARACTER SET utf16, g VARCHAR(20) CHARACTER SET gbk,"
                            + " l LONGTEXT CHARACTER SET latin1, bi BINARY(5), bl BLOB, j "
                            + (release.isMariadb() ? "TEXT" : "JSON")
                            + ", p POINT)",
                    "INSERT INTO a VALUES (1, 1.5, 1.5, 2.5, 77, 2024, '2024-01-02', '-10:11:12.5', '2024-01-02 03:04:05.678',"
                            + " '2024-01-02 03:04:05', 'y', 'p,r'), (2, NULL, NULL, NULL, 1, 0, '0000-00-00', NULL, NULL, NULL, 1, 7)",
                    "UPDATE a SET d = -d, t = '838:59:59'",
                    "INSERT INTO b VALUES ('c', 'v', _gbk X'c4e3', REPEAT('l', 400), X'0100', X'00ff',"
                            + " '{\"a\": [1, 2.5, \"x\", null, true], \"b\": {\"c\": 18446744073709551615}}',"
                            + " ST_GeomFromText('POINT(1 2)'))",
                    "DELETE FROM b",
                    "DELETE FROM a",
                    "ALTER TABLE a COMMENT 'x'");
        }
    }

    private static void damage(List<ByteBuffer> events, Map<TableName, TableDefinition> definitions) {
        ReadRows whole = new ReadRows(table -> table.schema().equals("d"));
        ChangeInput first = new ChangeInput(whole, (gtid, table) -> Optional.ofNullable(definitions.get(table)));
        events.forEach(event -> first.event(event, 0, event.limit()));
        assertEquals(8, whole.rows().size());
        SplittableRandom random = new SplittableRandom(11);
        int refused = 0;
        int rows = 0;
        for (int round = 0; round < ROUNDS; round++) {
            ReadRows read = new ReadRows(table -> table.schema().equals("d"));
            ChangeInput input = new ChangeInput(read, (gtid, table) -> Optional.ofNullable(definitions.get(table)));
            int damaged = random.nextInt(events.size());
            try {
                for (int i = 0; i < events.size(); i++) {
                    ByteBuffer event = i == damaged ? damaged(events.get(i), random) : events.get(i);
                    input.event(event, 0, event.limit());
                }
            } catch (TributaryException e) {
                refused++;
                assertTrue(ALLOWED.contains(e.code()), () -> "expected " + ALLOWED + ", found " + e);
            } catch (RuntimeException e) {
                throw new AssertionError(
                        EventType.name(EventHeader.type(events.get(damaged), 0)) + " number " + damaged + ", round "
                                + round,
                        e);
            }
            rows += read.rows().size();
        }
        int number = refused;
        assertTrue(number > ROUNDS / 10 && number < ROUNDS, () -> number + " of " + ROUNDS + " were refused");
        assertTrue(rows > ROUNDS);
    }

    /** Other bytes after the header, one more or less bit, or an earlier end. */
    private static ByteBuffer damaged(ByteBuffer event, SplittableRandom random) {
        int length = event.limit();
        ByteBuffer copy = ByteBuffer.allocate(length);
        copy.put(0, event, 0, length);
        int body = length - EventHeader.LENGTH;
        if (body <= 0) {
            return copy;
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                int cut = EventHeader.LENGTH + random.nextInt(body);
                EventHeader.setSize(copy, 0, cut);
                copy.limit(cut);
            }
            case 1 -> {
                int at = EventHeader.LENGTH + random.nextInt(body);
                copy.put(at, (byte) (copy.get(at) ^ 1 << random.nextInt(8)));
            }
            case 2 -> {
                for (int i = 1 + random.nextInt(4); i > 0; i--) {
                    copy.put(EventHeader.LENGTH + random.nextInt(body), (byte) random.nextInt(256));
                }
            }
            default -> {
                int at = EventHeader.LENGTH + random.nextInt(body);
                for (int i = at; i < Math.min(length, at + 4); i++) {
                    copy.put(i, (byte) 0xff);
                }
            }
        }
        return copy;
    }
}
