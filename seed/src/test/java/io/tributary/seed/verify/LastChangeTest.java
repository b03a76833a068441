package io.tributary.seed.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.seed.change.ChangeSearch;
import io.tributary.seed.change.KeyChange;
import io.tributary.seed.change.LastChange;
import io.tributary.seed.change.SearchLimits;
import io.tributary.seed.change.SearchResult;
import io.tributary.seed.table.LogicalTable;
import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests of the search for the last change of a row, in the binlog of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LastChangeTest {
    private static final SearchLimits LIMITS = new SearchLimits(1L << 30, Duration.ofSeconds(30), 1_000);

    private VerifyServers servers;

    @BeforeAll
    void start() throws SQLException {
        servers = new VerifyServers();
        servers.shard(0).execute("SET GLOBAL binlog_row_metadata = FULL");
    }

    @AfterAll
    void end() {
        servers.close();
    }

    private MysqlServer source() {
        return servers.shard(0);
    }

    /** Runs one statement on the first shard; returns its GTID. */
    private Gtid gtidOf(String statement) throws SQLException {
        GtidSet before = GtidSet.parse(source().gtidExecuted());
        source().execute(statement);
        GtidSet added = GtidSet.parse(source().gtidExecuted()).minus(before);
        Sid sid = added.sids().get(0);
        assertEquals(1, added.count(), added::line);
        return new Gtid(sid, added.last(sid));
    }

    private SearchResult search(List<Finding> findings, SearchLimits limits, LogicalTable table) {
        return new ChangeSearch(servers.client(), servers.node(), limits, Clock.SYSTEM).run(findings, List.of(table));
    }

    private List<Finding> findings(LogicalTable table) {
        return servers.verify(VerifyOptions.standard(), table).findings;
    }

    private static Map<String, LastChange> byKey(SearchResult result) {
        Map<String, LastChange> changes = new HashMap<>();
        result.changes().forEach(change -> changes.put(change.finding().key(), change));
        return changes;
    }

    private static Optional<Gtid> row(LastChange change) {
        return change.row().map(KeyChange::gtid);
    }

    /** Each key type, each value in a transaction of its own; the replica has none of the rows. */
    @Test
    void keysOfAllTypesAreFound() throws SQLException {
        Map<String, List<String>> types = Map.ofEntries(
                Map.entry("TINYINT", List.of("-128", "0", "127")),
                Map.entry("SMALLINT UNSIGNED", List.of("0", "65535")),
                Map.entry("MEDIUMINT", List.of("-8388608", "-1", "8388607")),
                Map.entry("INT ZEROFILL", List.of("7", "4294967295")),
                Map.entry("BIGINT", List.of("-9223372036854775808", "9223372036854775807")),
                Map.entry("BIGINT UNSIGNED", List.of("0", "18446744073709551615")),
                Map.entry("DECIMAL(20,5)", List.of("-0.00001", "0", "12345678901.5", "-99.25")),
                Map.entry("DECIMAL(9,0)", List.of("0", "-123456789")),
                Map.entry("DATE", List.of("'1000-01-01'", "'9999-12-31'")),
                Map.entry(
                        "TIME(6)", List.of("'-838:59:58.999999'", "'-00:00:00.000001'", "'00:00:00'", "'12:34:56.7'")),
                Map.entry("TIME", List.of("'-01:02:03'", "'838:59:59'")),
                Map.entry("DATETIME(3)", List.of("'1000-01-01 00:00:00'", "'2020-02-29 23:59:59.123'")),
                Map.entry("DATETIME", List.of("'2020-12-31 23:59:59'")),
                Map.entry("TIMESTAMP(1)", List.of("'1970-01-02 00:00:01'", "'2038-01-18 03:14:07.9'")),
                Map.entry("YEAR", List.of("1901", "2155", "0")),
                Map.entry("BIT(20)", List.of("0", "b'10000000000000000001'")),
                Map.entry("ENUM('x','y')", List.of("'x'", "'y'")),
                Map.entry("SET('x','y','z')", List.of("''", "'x,z'")),
                Map.entry("CHAR(10) CHARACTER SET utf8mb4", List.of("''", "'a'", "'\u00e9\u00e9'")),
                Map.entry("VARCHAR(100) CHARACTER SET utf8mb4", List.of("'a b'", "'\ud83d\ude00'")),
                Map.entry("VARCHAR(300) CHARACTER SET latin1", List.of("'\u00e9'", "'e2'")),
                Map.entry("VARCHAR(20) CHARACTER SET utf16", List.of("'ab'", "'\ud83d\ude00'")),
                Map.entry("VARCHAR(20) CHARACTER SET gbk", List.of("X'b0a1'", "'a'")),
                Map.entry("BINARY(16)", List.of("X'00'", "X'0102030405060708090a0b0c0d0e0f00'")),
                Map.entry("VARBINARY(300)", List.of("''", "X'00'", "X'0100'")));
        int number = 0;
        for (Map.Entry<String, List<String>> type : types.entrySet()) {
            LogicalTable table = servers.create("k" + number++, "k " + type.getKey() + " NOT NULL PRIMARY KEY, a INT");
            Map<Gtid, String> made = new HashMap<>();
            for (String literal : type.getValue()) {
                made.put(gtidOf("INSERT INTO " + table.name() + " VALUES (" + literal + ", 1)"), literal);
            }
            List<Finding> findings = findings(table);
            assertEquals(type.getValue().size(), findings.size(), () -> type + ": " + findings);
            SearchResult result = search(findings, LIMITS, table);
            for (LastChange change : result.changes()) {
                assertTrue(
                        row(change).map(made::remove).isPresent(), () -> type + ": " + change + " " + result.range());
            }
            assertEquals(Map.of(), made, type::toString);
            assertEquals(0, result.unread(), type::toString);
        }
    }

    @Test
    void theNewestChangeIsFoundAlsoInAnOlderFileAndWithAKeyThatChanges() throws SQLException {
        LogicalTable table = servers.create("changes", "a INT, b VARCHAR(10), c INT, PRIMARY KEY (b, a)");
        source().execute("INSERT INTO v.changes VALUES (1,'x',1),(2,'x',1),(3,'x',1),(4,'x',1),(5,'x',1)");
        Gtid older = gtidOf("UPDATE v.changes SET c = 2 WHERE a = 1");
        source().execute("FLUSH BINARY LOGS");
        source().execute("UPDATE v.changes SET c = 3 WHERE a = 2");
        Gtid newest = gtidOf("UPDATE v.changes SET c = 4 WHERE a = 2");
        Gtid moved = gtidOf("UPDATE v.changes SET a = 30 WHERE a = 3");
        Gtid deleted = gtidOf("DELETE FROM v.changes WHERE a = 4");
        servers.replica().execute("INSERT INTO v.changes VALUES (3,'x',1),(4,'x',1),(6,'x',1)");
        Map<String, LastChange> changes = byKey(search(findings(table), LIMITS, table));
        assertEquals(Optional.of(older), row(changes.get("b='x', a=1")));
        assertEquals(Optional.of(newest), row(changes.get("b='x', a=2")));
        assertEquals(Optional.of(moved), row(changes.get("b='x', a=3")));
        assertEquals(Optional.of(moved), row(changes.get("b='x', a=30")));
        assertEquals(Optional.of(deleted), row(changes.get("b='x', a=4")));
        assertEquals("delete", changes.get("b='x', a=4").row().orElseThrow().kind());
        assertEquals(Optional.empty(), row(changes.get("b='x', a=6")));
        KeyChange found = changes.get("b='x', a=2").row().orElseThrow();
        List<Map<String, String>> events = source().sql()
                .rows("SHOW BINLOG EVENTS IN '" + found.file() + "' FROM " + found.position() + " LIMIT 1");
        assertTrue(events.get(0).get("Info").contains(newest.toString()), () -> found + ": " + events);
    }

    @Test
    void eventsWithoutNamesOfColumnsAreSearchedToo() throws SQLException {
        LogicalTable table = servers.create("unnamed", "a INT, id INT PRIMARY KEY");
        source().execute("SET GLOBAL binlog_row_metadata = MINIMAL");
        Gtid inserted = gtidOf("INSERT INTO v.unnamed VALUES (7, 1)");
        source().execute("SET GLOBAL binlog_row_metadata = FULL");
        assertEquals(
                Optional.of(inserted),
                row(search(findings(table), LIMITS, table).changes().get(0)));
    }

    /** With other columns: such events are counted, and nothing is guessed. */
    @Test
    void eventsOfAFormerDefinitionAreCounted() throws SQLException {
        LogicalTable before = servers.create("altered", "a INT, id INT PRIMARY KEY");
        source().execute("SET GLOBAL binlog_row_metadata = MINIMAL");
        source().execute("INSERT INTO " + before.name() + " VALUES (7, 1)");
        source().execute("SET GLOBAL binlog_row_metadata = FULL");
        for (MysqlServer each : List.of(servers.shard(0), servers.shard(1), servers.replica())) {
            each.execute("ALTER TABLE v.altered ADD COLUMN z INT FIRST");
        }
        LogicalTable table = servers.table("altered");
        SearchResult result = search(findings(table), LIMITS, table);
        assertEquals(Optional.empty(), row(result.changes().get(0)));
        assertTrue(result.unread() > 0, result::range);
    }

    @Test
    void aStatementAfterTheLastChangeIsNamed() throws SQLException {
        LogicalTable table = servers.create("emptied", "id INT PRIMARY KEY");
        Gtid inserted = gtidOf("INSERT INTO v.emptied VALUES (1)");
        Gtid emptied = gtidOf("TRUNCATE TABLE v.emptied");
        servers.replica().execute("INSERT INTO v.emptied VALUES (1)");
        LastChange change = search(findings(table), LIMITS, table).changes().get(0);
        assertEquals(Optional.of(inserted), row(change));
        assertEquals(Optional.of(emptied), change.statement().map(KeyChange::gtid));
    }

    @Test
    void aLimitThatIsReachedIsNamedAndNothingOlderIsReported() throws SQLException {
        LogicalTable table = servers.create("limited", "id INT PRIMARY KEY");
        source().execute("INSERT INTO v.limited VALUES (1)");
        source().execute("FLUSH BINARY LOGS");
        Gtid inserted = gtidOf("INSERT INTO v.limited VALUES (2)");
        List<Finding> findings = findings(table);
        SearchResult small = search(findings, new SearchLimits(1, Duration.ofSeconds(30), 1_000), table);
        assertEquals(Optional.empty(), row(byKey(small).get("id=1")));
        assertEquals(Optional.of(inserted), row(byKey(small).get("id=2")));
        assertEquals("more than 1 bytes", small.end());
        SearchResult none = search(findings, new SearchLimits(1L << 30, Duration.ZERO, 1_000), table);
        assertEquals(Optional.empty(), row(byKey(none).get("id=2")));
        assertEquals("more than 0 s", none.end());
        assertEquals("no binlog file; older ones not: more than 0 s", none.range());
    }
}
