package io.tributary.extractor;

import static io.tributary.mysql.event.mariadb.MariadbGtidEvent.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Question;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.stream.MysqlVariables;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.mysql.event.TableMapEvent;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A log that a MariaDB 10.11 server wrote (its statements are in recorded.sql), and events made by hand. */
class MariadbLogTest {
    private static final Xid XID = new Xid(new byte[] {'g'}, new byte[] {'b'}, 1);

    private static byte[] log() throws Exception {
        try (InputStream in = MariadbLogTest.class.getResourceAsStream("/mariadb/binlog.000001")) {
            return in.readAllBytes();
        }
    }

    private static List<SeenToken> recorded(GtidSet toLeaveOut) throws Exception {
        try (EventScript script = new EventScript(toLeaveOut)) {
            return script.file(log()).tokens();
        }
    }

    private static List<SeenToken> read(UnaryOperator<EventScript> events) {
        try (EventScript script = new EventScript()) {
            return events.apply(script).tokens();
        }
    }

    private static TributaryException refused(UnaryOperator<EventScript> events) {
        return assertThrows(TributaryException.class, () -> read(events));
    }

    private static Question asked(UnaryOperator<EventScript> events) {
        List<SeenToken> tokens = read(events);
        assertEquals(1, tokens.size());
        return tokens.get(0).token().question();
    }

    private static String text(SeenToken token) {
        var t = token.token();
        return Gtid.text(t.sid(), t.gno()) + " " + t.kind() + (t.xid() == null ? "" : " " + t.xid()) + " "
                + String.join(", ", token.events());
    }

    @Test
    void statementsContainTheirServerAndTheRuleForDefaultsOfTimestamps() throws Exception {
        List<SeenToken> statements = recorded(GtidSet.EMPTY).stream()
                .filter(each -> each.token().ddl() != null)
                .toList();
        assertFalse(statements.isEmpty());
        for (SeenToken each : statements) {
            ServerVersion server = each.token().ddl().server();
            assertTrue(server.mariadb());
            assertEquals(1011, server.number() / 100);
            ByteBuffer event = each.bytes();
            int explicit = QueryEvent.variable(event, 0, StatusVariables.Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP);
            assertEquals(1, LittleEndian.getU8(event, explicit), text(each));
        }
    }

    @Test
    void makesOneTokenForEachTransactionOfARealLog() throws Exception {
        String comment = "a comment that is long enough to be compressed";
        assertEquals(
                String.join(
                        "\n",
                        "0-39101-1 DDL QUERY shop: create database shop",
                        "0-39101-2 DDL QUERY shop: create table t (id int primary key, v varchar(2000)) engine=innodb",
                        "0-39101-3 LOCAL MAP shop.t, WRITE shop.t.",
                        "0-39101-4 LOCAL MAP shop.t, WRITE shop.t., MAP shop.t, UPDATE shop.t., MAP shop.t, DELETE shop.t.",
                        "0-39101-5 PREPARE 'gr','b1',7 MAP shop.t, WRITE shop.t.",
                        "0-39101-6 COMMIT 'gr','b1',7 ",
                        "0-39101-7 PREPARE 'g2','b1',1 MAP shop.t, WRITE shop.t.",
                        "0-39101-8 ROLLBACK 'g2','b1',1 ",
                        "0-39101-9 LOCAL MAP shop.t, WRITE shop.t.",
                        "0-39101-10 DDL QUERY shop: create table m (id int primary key) engine=myisam",
                        "0-39101-11 LOCAL MAP shop.m, WRITE shop.m.",
                        "0-39101-12 DDL QUERY shop: alter table t add column w int default 3",
                        "0-39101-13 DDL QUERY shop: truncate table m",
                        "7-39101-1 LOCAL MAP shop.t, WRITE shop.t.",
                        "0-39101-14 LOCAL MAP shop.t, WRITE shop.t.",
                        "0-39101-15 LOCAL MAP shop.t, UPDATE shop.t.",
                        "0-39101-16 LOCAL MAP shop.t, DELETE shop.t.",
                        "0-39101-17 DDL QUERY shop: alter table t comment='" + comment + ", " + comment + "'",
                        "0-39101-18 SKIPPED ",
                        "0-39101-19 DDL QUERY shop: alter table t add column w2 int",
                        "0-39101-20 PREPARE 'g5','b1',1 MAP shop.t, WRITE shop.t.",
                        "0-39101-21 COMMIT 'g5','b1',1 ",
                        "0-39101-22 DDL QUERY shop: DROP TABLE `m` /* generated by server */"),
                recorded(GtidSet.EMPTY).stream()
                        .map(MariadbLogTest::text)
                        .reduce((a, b) -> a + "\n" + b)
                        .orElseThrow());
    }

    @Test
    void writesEventsInMysqlsFormat() throws Exception {
        for (SeenToken token : recorded(GtidSet.EMPTY)) {
            for (int at : token.offsets()) {
                int type = EventHeader.type(token.bytes(), at);
                assertTrue(
                        List.of(
                                        EventType.QUERY_EVENT,
                                        EventType.TABLE_MAP_EVENT,
                                        EventType.WRITE_ROWS_EVENT,
                                        EventType.UPDATE_ROWS_EVENT,
                                        EventType.DELETE_ROWS_EVENT)
                                .contains(type),
                        EventType.name(type));
                if (type == EventType.QUERY_EVENT) {
                    for (int code = StatusVariables.Q_HRNOW; code < StatusVariables.Q_LIZARD_COMMIT_GCN; code++) {
                        assertEquals(-1, QueryEvent.variable(token.bytes(), at, code), "variable " + code);
                    }
                }
            }
        }
    }

    @Test
    void rowsAreTheSameWhetherTheServerCompressedThemOrNot() throws Exception {
        SeenToken token = recorded(GtidSet.EMPTY).get(14);
        int rows = token.offsets().get(1);
        int end = EventHeader.end(token.bytes(), rows);
        byte[] image = new byte[end - RowsEvent.rowsAt(token.bytes(), rows)];
        token.bytes().get(RowsEvent.rowsAt(token.bytes(), rows), image);
        String text = new String(image, StandardCharsets.ISO_8859_1);
        assertEquals(2 * (1 + 4 + 2 + 800 + 4), image.length);
        assertTrue(text.contains("long".repeat(200)));
        assertEquals(100, image[1]);
    }

    /** MySQL has no collation 2308, utf8mb4_uca1400_ai_ci. */
    @Test
    void replacesACollationThatMysqlDoesNotHaveByOneOfTheSameCharacterSet() throws Exception {
        SeenToken alter = recorded(GtidSet.EMPTY).get(17);
        int charset = QueryEvent.variable(alter.bytes(), 0, StatusVariables.Q_CHARSET_CODE);
        assertEquals(45, LittleEndian.getU16(alter.bytes(), charset));
        assertEquals(45, LittleEndian.getU16(alter.bytes(), charset + 2));
        assertEquals(46, MysqlVariables.collation(46));
        assertEquals(46, MysqlVariables.collation(1024 + 46));
        assertEquals(33, MysqlVariables.collation(2048 + 5));
        assertEquals(45, MysqlVariables.collation(608));
        assertEquals(33, MysqlVariables.collation(576));
    }

    @Test
    void leavesOutATransactionAsOrdered() throws Exception {
        GtidSet.Builder some = new GtidSet.Builder();
        for (long number : new long[] {5, 14, 17}) {
            some.add(MariadbGtids.sid(0, 39101), number);
        }
        List<SeenToken> tokens = recorded(some.build());
        assertEquals(23, tokens.size());
        assertEquals("0-39101-5 PREPARE 'gr','b1',7 ", text(tokens.get(4)));
        assertEquals("0-39101-14 SKIPPED ", text(tokens.get(14)));
        assertEquals("0-39101-17 SKIPPED ", text(tokens.get(17)));
        assertEquals("0-39101-16 LOCAL MAP shop.t, DELETE shop.t.", text(tokens.get(16)));
    }

    @Test
    void readsTheIdOfAGroupCommitBeforeTheXid() {
        int flags = FL_TRANSACTIONAL | FL_GROUP_COMMIT_ID;
        List<SeenToken> tokens = read(s -> s.mariadbGtid(flags | FL_PREPARED_XA, 0, 1, XID)
                .tableMap(1, "d", "t")
                .rows(1, true)
                .query("d", "XA END 'g','b'")
                .xaPrepare(XID, false)
                .mariadbGtid(flags, 0, 2, null)
                .tableMap(1, "d", "t")
                .rows(1, true)
                .xid()
                .mariadbGtid(flags | FL_COMPLETED_XA, 0, 3, XID)
                .query("d", "XA COMMIT 'g','b'"));
        assertEquals(
                List.of(TokenKind.PREPARE, TokenKind.LOCAL, TokenKind.COMMIT),
                tokens.stream().map(SeenToken::kind).toList());
        assertEquals(XID, tokens.get(0).token().xid());
    }

    @Test
    void refusesAPrepareOfAnotherBranchThanInItsGtid() {
        TributaryException e = refused(s -> s.mariadbGtid(FL_PREPARED_XA, 0, 1, XID)
                .tableMap(1, "d", "t")
                .rows(1, true)
                .xaPrepare(new Xid(new byte[] {'h'}, new byte[] {'b'}, 1), false));
        assertEquals(ErrorCode.EVENT_MALFORMED, e.code());
        assertTrue(e.getMessage().contains("prepare of branch 'g','b',1"), e.getMessage());
    }

    @Test
    void refusesADomainWhoseNumbersDoNotGrow() {
        TributaryException e = refused(s -> s.emptyOf(0, 5).emptyOf(1, 2).emptyOf(0, 5));
        assertEquals(ErrorCode.SHARD_UNFIT, e.code());
        assertTrue(e.getMessage().contains("above 5 in domain 0, found 0-1-5"), e.getMessage());
        assertTrue(e.getMessage().contains("gtid_strict_mode"), e.getMessage());
        assertEquals(
                4,
                read(s -> s.emptyOf(0, 5).emptyOf(1, 2).emptyOf(0, 9).emptyOf(1, 3))
                        .size());
    }

    @Test
    void refusesTsoOrder() {
        Cut start = new Cut(
                1,
                1,
                new Cut.Sources(List.of(), Set.of()),
                new Cut.OutputPoint(0, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        ExtractOrder order = ExtractOrder.tso(
                new TableName("tributary", "commit_tso"), Duration.ofSeconds(1), start, new RoundRequest());
        try (EventScript script = new EventScript(order)) {
            TributaryException e = assertThrows(TributaryException.class, () -> script.emptyOf(0, 1));
            assertEquals(ErrorCode.SHARD_UNFIT, e.code());
            assertTrue(e.getMessage().contains("order.mode = xa"), e.getMessage());
        }
    }

    @Test
    void refusesEventsThatMysqlDoesNotSupport() {
        TributaryException compressed = refused(s -> s.mariadbGtid(FL_TRANSACTIONAL, 0, 1, null)
                .tableMapOf(1, "d", "t", ColumnType.MYSQL_TYPE_LONG, ColumnType.MYSQL_TYPE_VARCHAR_COMPRESSED));
        assertTrue(
                compressed.getMessage().contains("column 2 of d.t with MariaDB's attribute COMPRESSED"),
                compressed.getMessage());
        Question statement = asked(s -> s.mariadbGtid(FL_TRANSACTIONAL, 0, 1, null)
                .query("d", "INSERT INTO t VALUES (1)")
                .xid());
        assertEquals(ErrorCode.STATEMENT_FORMAT, statement.code());
        TributaryException encrypted = refused(s -> s.raw(EventType.START_ENCRYPTION_EVENT, 0, 17));
        assertTrue(encrypted.getMessage().contains("decrypted"), encrypted.getMessage());
    }

    @Test
    void createTableSelectIsOneToken() {
        List<SeenToken> tokens = read(s -> s.mariadbGtid(FL_TRANSACTIONAL, 0, 1, null)
                .query("d", "CREATE TABLE `u` (`id` int(11) NOT NULL)")
                .tableMap(1, "d", "u")
                .rowsOfVersion1(1, true)
                .xid());
        assertEquals(TokenKind.DDL, tokens.get(0).kind());
        assertEquals(
                List.of("QUERY d: CREATE TABLE `u` (`id` int(11) NOT NULL)", "MAP d.u", "WRITE d.u."),
                tokens.get(0).events());
        Question late = asked(s -> s.mariadbGtid(FL_TRANSACTIONAL, 0, 1, null)
                .tableMap(1, "d", "u")
                .rowsOfVersion1(1, true)
                .query("d", "CREATE TABLE `v` (`id` int(11) NOT NULL)")
                .xid());
        assertEquals(ErrorCode.DDL_UNSUPPORTED, late.code());
    }

    @Test
    void tablesThatAreLeftOutMayHaveColumnsThatMysqlDoesNotSupport() {
        List<SeenToken> tokens = read(s -> s.mariadbGtid(FL_TRANSACTIONAL, 0, 1, null)
                .raw(EventType.ANNOTATE_ROWS_EVENT, 0, 30)
                .query("hidden", "CREATE TABLE `u` (`id` int(11) NOT NULL)")
                .tableMapOf(1, "hidden", "u", ColumnType.MYSQL_TYPE_LONG)
                .rows(1, true)
                .xid());
        assertEquals(TokenKind.SKIPPED, tokens.get(0).kind());
    }

    @Test
    void rowsOfVersion1AndTheirStatementEndAreKeptWhereATableIsLeftOut() {
        List<SeenToken> tokens = read(s -> s.mariadbGtid(FL_TRANSACTIONAL, 0, 1, null)
                .tableMap(1, "d", "t")
                .tableMap(2, "hidden", "t")
                .rowsOfVersion1(1, false)
                .rowsOfVersion1(2, true)
                .xid());
        assertEquals(List.of("MAP d.t", "WRITE d.t."), tokens.get(0).events());
        assertFalse(RowsEvent.isVersion1(
                tokens.get(0).bytes(), tokens.get(0).offsets().get(1)));
    }

    /** What MySQL 8.0.31 and MariaDB 10.11 log of {@code accounts (id BIGINT PRIMARY KEY, balance BIGINT, note VARCHAR(60))}. */
    @Test
    void theSameTableOnMysqlAndMariadbIsOneShape() {
        String mariadb = "0100" + "046261 6e6b00" + "0161 00" + "03 08080f 02f000 04" + "010100" + "02012d"
                + "040c 026964 0362616c 046e6f7465" + "080100";
        assertEquals(shape(mariadb), shape(mariadb + "0c01e0"), "all columns visible");
        assertFalse(shape(mariadb).equals(shape(mariadb + "0c01a0")), "one that is not");
    }

    private static String shape(String body) {
        byte[] bytes = HexFormat.of().parseHex(body.replace(" ", ""));
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 6 + bytes.length);
        EventHeader.write(event, 0, new EventOrigin(1, 1), EventType.TABLE_MAP_EVENT, event.limit());
        event.put(EventHeader.LENGTH + 6, bytes);
        TableMapEvent.check(event, 0, event.limit());
        return HexFormat.of().formatHex(TableMapEvent.comparable(event, 0, event.limit()));
    }
}
