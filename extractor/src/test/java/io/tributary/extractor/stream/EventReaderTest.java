package io.tributary.extractor.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.EventScript;
import io.tributary.extractor.SeenToken;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events made by hand: events that servers write rarely, and events that they must not write. */
class EventReaderTest {
    private static final Xid XID = new Xid(new byte[] {'g'}, new byte[] {'b'}, 1);

    private static TributaryException refused(UnaryOperator<EventScript> events) {
        try (EventScript script = new EventScript()) {
            TributaryException e = assertThrows(TributaryException.class, () -> events.apply(script));
            assertTrue(e.getMessage().startsWith("shard s1 at binlog.000001:"), e.getMessage());
            return e;
        }
    }

    private static List<SeenToken> read(UnaryOperator<EventScript> events) {
        try (EventScript script = new EventScript()) {
            return events.apply(script).tokens();
        }
    }

    @Test
    void readsATransaction() {
        SeenToken token = read(s ->
                        s.gtid().begin().tableMap(77, "d", "t").rows(77, true).xid())
                .get(0);
        assertEquals(TokenKind.LOCAL, token.kind());
        assertEquals(List.of("MAP d.t", "WRITE d.t."), token.events());
        assertEquals(1, token.token().gno());
    }

    @Test
    void refusesAnUnknownTypeButNotAnIgnorableOne() {
        TributaryException e = refused(s -> s.raw(120, 0, 8));
        assertEquals(ErrorCode.EVENT_UNKNOWN, e.code());
        assertTrue(e.getMessage().contains("between transactions"), e.getMessage());
        List<SeenToken> tokens = read(s -> s.gtid()
                .begin()
                .raw(120, EventFlags.LOG_EVENT_IGNORABLE_F, 8)
                .tableMap(1, "d", "t")
                .rows(1, true)
                .xid());
        assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
    }

    @Test
    void refusesEventsThatMeanLostTransactions() {
        assertEquals(
                ErrorCode.SHARD_UNFIT,
                refused(s -> s.raw(EventType.ANONYMOUS_GTID_LOG_EVENT, 0, 60)).code());
        assertEquals(ErrorCode.SHARD_UNFIT, refused(EventScript::begin).code());
        assertEquals(
                ErrorCode.ORDER_CONTRADICTION,
                refused(s -> s.raw(EventType.INCIDENT_EVENT, 0, 3)).code());
    }

    @Test
    void refusesEventsOutOfPlace() {
        List<UnaryOperator<EventScript>> scripts = List.of(
                s -> s.gtid().gtid(),
                s -> s.xid(),
                s -> s.gtid().xid(),
                s -> s.gtid().tableMap(1, "d", "t"),
                s -> s.gtid().begin().rows(1, true),
                s -> s.gtid().begin().xaPrepare(XID, false),
                s -> s.gtid().query("", "XA END 'g','b',1"),
                s -> s.gtid().query("", "XA START 'g','b',1").xid(),
                s -> s.gtid().query("", "XA START 'other','b',1").xaPrepare(XID, false),
                s -> s.raw(EventType.TRANSACTION_PAYLOAD_EVENT, 0, 8),
                s -> s.gtid().raw(EventType.TRANSACTION_PAYLOAD_EVENT, 0, 8),
                s -> s.gtid().begin().raw(EventType.TABLE_MAP_EVENT, 0, 3),
                s -> s.gtid().begin().raw(EventType.WRITE_ROWS_EVENT, 0, 3));
        for (int i = 0; i < scripts.size(); i++) {
            assertEquals(ErrorCode.EVENT_MALFORMED, refused(scripts.get(i)).code(), "script " + i);
        }
    }

    @Test
    void readsBranches() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .query("", "XA START X'67',X'62',1")
                .tableMap(1, "d", "t")
                .rows(1, true)
                .query("", "XA END X'67',X'62',1")
                .xaPrepare(XID, false)
                .gtid()
                .query("", "XA COMMIT X'67',X'62',1")
                .gtid()
                .query("", "XA ROLLBACK X'67',X'62',1")
                .gtid()
                .query("", "XA START X'67',X'62',1")
                .tableMap(1, "d", "t")
                .rows(1, true)
                .query("", "XA END X'67',X'62',1")
                .xaPrepare(XID, true));
        assertEquals(
                List.of(TokenKind.PREPARE, TokenKind.COMMIT, TokenKind.ROLLBACK, TokenKind.LOCAL),
                tokens.stream().map(SeenToken::kind).toList());
        assertEquals(XID, tokens.get(2).token().xid());
    }

    @Test
    void leavesOutTransactionsThatChangedNothing() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .begin()
                .query("d", "COMMIT")
                .gtid()
                .begin()
                .tableMap(1, "d", "t")
                .rows(1, true)
                .query("d", "ROLLBACK")
                .gtid()
                .begin()
                .tableMap(1, "d", "t")
                .xid());
        assertEquals(
                List.of(TokenKind.SKIPPED, TokenKind.SKIPPED, TokenKind.SKIPPED),
                tokens.stream().map(SeenToken::kind).toList());
    }

    @Test
    void marksTheEndOfAStatementWhoseLastRowsAreLeftOut() {
        SeenToken token = read(s -> s.gtid()
                        .begin()
                        .tableMap(1, "d", "t")
                        .tableMap(2, "hidden", "h")
                        .tableMap(3, "d", "u")
                        .rows(1, false)
                        .rows(3, false)
                        .rows(2, false)
                        .rows(3, false)
                        .rows(2, true)
                        .tableMap(1, "d", "t")
                        .rows(1, false)
                        .rows(0xff_ffff, true)
                        .xid())
                .get(0);
        assertEquals(
                List.of("MAP d.t", "MAP d.u", "WRITE d.t", "WRITE d.u", "WRITE d.u.", "MAP d.t", "WRITE d.t"),
                token.events());
        assertEquals(2, token.token().tables().size());
    }

    @Test
    void rowsOfTablesOfAnOnlineSchemaChangeAreLeftOut() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .begin()
                .tableMap(1, "d", "_t_gho")
                .rows(1, true)
                .xid()
                .gtid()
                .begin()
                .tableMap(2, "d", "t")
                .tableMap(1, "d", "_t_gho")
                .rows(2, false)
                .rows(1, true)
                .xid());
        assertEquals(TokenKind.SKIPPED, tokens.get(0).kind());
        assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(1).events());
    }

    @Test
    void largeRowsDoNotWaitOnTheHeapForTheEndOfTheirStatement() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (EventScript script = new EventScript()) {
            script.gtid().begin().tableMap(1, "d", "t").tableMap(2, "hidden", "h");
            long before = threads.getCurrentThreadAllocatedBytes();
            script.largeRows(1, 8 << 20).rows(1, false).largeRows(1, 100_000).rows(2, true);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < 1 << 20, allocated + " bytes on the heap");
            SeenToken token = script.xid().tokens().get(0);
            assertEquals(List.of("MAP d.t", "WRITE d.t", "WRITE d.t", "WRITE d.t."), token.events());
            for (int event : List.of(1, 3)) {
                int at = token.offsets().get(event);
                for (int i = EventHeader.LENGTH + 12; i < EventHeader.size(token.bytes(), at); i++) {
                    assertEquals(
                            (byte) ((i - EventHeader.LENGTH - 12) * 31),
                            token.bytes().get(at + i));
                }
            }
        }
    }

    @Test
    void discardsATransactionThatACrashTruncated() {
        List<SeenToken> tokens = read(s -> s.gtid()
                .begin()
                .tableMap(1, "d", "t")
                .rows(1, true)
                .rotate("binlog.000002")
                .formatDescription()
                .gtid()
                .begin()
                .tableMap(1, "d", "u")
                .rows(1, true)
                .xid());
        assertEquals(1, tokens.size());
        assertEquals(2, tokens.get(0).token().gno());
        assertEquals(List.of("MAP d.u", "WRITE d.u."), tokens.get(0).events());
        assertEquals("binlog.000002", tokens.get(0).token().file());
    }

    @Test
    void keepsFewOfManyTablesAndGivesEachItsIdAgain() {
        try (EventScript script = new EventScript(1000)) {
            for (int table = 1; table <= 20_000; table++) {
                script.gtid().begin().tableMap(table, "d", "t" + table).rows(table, false);
                script.tableMap(table + 50_000, "d", "u")
                        .rows(table + 50_000, true)
                        .xid();
                long expected = table == 1 ? 1 : table + 1; // u got 2
                assertEquals(
                        expected, script.tokens().get(0).token().tables().get(0).id());
                assertTrue(script.tablesHeapBytes() <= 512 << 10, script.tablesHeapBytes() + " bytes");
            }
            script.gtid().begin().tableMap(5, "d", "t5").rows(5, true).xid();
            assertEquals(6, script.tokens().get(0).token().tables().get(0).id());
        }
    }

    @Test
    void discardsTableIdsWithTheFile() {
        assertEquals(
                ErrorCode.EVENT_MALFORMED,
                assertThrows(
                                TributaryException.class,
                                () -> read(s -> s.gtid()
                                        .begin()
                                        .tableMap(1, "d", "t")
                                        .rows(1, true)
                                        .xid()
                                        .rotate("binlog.000002")
                                        .formatDescription()
                                        .gtid()
                                        .begin()
                                        .rows(1, true)))
                        .code());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE USER a",
                "ANALYZE TABLE t",
                "DROP TEMPORARY TABLE t",
                "DROP TABLE hidden.t",
                "CREATE DATABASE hidden",
                "CREATE VIEW tributary.v AS SELECT 1"
            })
    void leavesOutStatements(String text) {
        List<SeenToken> tokens = read(s -> s.gtid().query("d", text));
        assertEquals(
                List.of(TokenKind.SKIPPED), tokens.stream().map(SeenToken::kind).toList());
    }

    @Test
    void dropsTemporaryTablesInsideATransaction() {
        SeenToken token = read(s -> s.gtid()
                        .begin()
                        .query("d", "DROP /*!40005 TEMPORARY */ TABLE IF EXISTS `tmp`")
                        .query("d", "SAVEPOINT `s`")
                        .tableMap(1, "d", "t")
                        .rows(1, true)
                        .xid())
                .get(0);
        assertEquals(List.of("MAP d.t", "WRITE d.t."), token.events());
    }

    @Test
    void hiddenTablesAreKnownAfterTheTransactionsThatAreReadAgain() {
        HiddenTable.Alter alter = new HiddenTable.Alter(
                "ADD c INT", new HiddenTable.SessionSettings("d", false, true, "UTF-8", ByteBuffer.allocate(0)));
        List<HiddenTable> known = List.of(
                HiddenTable.copy(new TableName("d", "_t_gho"), List.of(alter)),
                HiddenTable.copy(new TableName("d", "_u_gho"), List.of(alter)));
        List<SeenToken> tokens;
        try (EventScript script = EventScript.knowing(3, known)) {
            tokens = script.gtid()
                    .query("d", "ALTER TABLE _t_gho ADD c INT")
                    .gtid()
                    .query("d", "CREATE TABLE _u_gho LIKE u")
                    .gtid()
                    .query("d", "ALTER TABLE _u_gho ADD c INT")
                    .gtid()
                    .query("d", "RENAME TABLE t TO _t_del, _t_gho TO t")
                    .gtid()
                    .query("d", "ALTER TABLE _u_gho DROP v")
                    .gtid()
                    .query("d", "RENAME TABLE u TO _u_del, _u_gho TO u")
                    .tokens();
        }
        assertEquals(
                List.of("QUERY d: ALTER TABLE `d`.`t` ADD c INT"), tokens.get(3).events());
        assertEquals(
                List.of("QUERY d: ALTER TABLE `d`.`u` ADD c INT", "QUERY d: ALTER TABLE `d`.`u` DROP v"),
                tokens.get(5).events());
        assertEquals(2, tokens.get(4).token().hidden().tables().get(0).alters().size());
    }
}
