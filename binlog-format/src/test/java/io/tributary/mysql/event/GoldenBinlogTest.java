package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import io.tributary.mysql.event.xa.XaStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reads the events of a real server's files one by one. */
class GoldenBinlogTest {
    private static final int CREATED_AT = 71;

    private static final Sid SERVER = Sid.parse("3820e795-e55a-11f1-8efd-02fc00000001");

    private final Binlog first = Binlog.golden("golden.000001");
    private final Binlog second = Binlog.golden("golden.000002");

    @Test
    void everyEventHasItsChecksumAndPassesItsCheck() {
        Checksum checksum = new Checksum();
        for (Binlog file : List.of(first, second)) {
            assertEquals(EventHeader.FILE_MAGIC, LittleEndian.getInt(file.view, 0));
            for (int at : file.events) {
                checksum.verify(file.view, at);
                Events.check(file.view, at, file.end(at));
                assertEquals(7, EventHeader.serverId(file.view, at));
                assertEquals(EventHeader.end(file.view, at), EventHeader.logPos(file.view, at));
                assertFalse(EventType.name(file.type(at)).startsWith("unknown"));
            }
        }
    }

    @Test
    void readsTheFormatDescriptionAndWritesItByteForByte() {
        int at = first.events.get(0);
        assertEquals("8.0.31", FormatDescriptionEvent.serverVersion(first.view, at));
        assertEquals(Checksum.CRC32, FormatDescriptionEvent.checksumAlgorithm(first.view, first.end(at)));
        assertEquals(42, FormatDescriptionEvent.postHeaderLength(first.view, at, first.end(at), 33));
        assertEquals(-1, FormatDescriptionEvent.postHeaderLength(first.view, at, first.end(at), 42));

        ByteBuffer written = ByteBuffer.allocate(FormatDescriptionEvent.LENGTH + Checksum.LENGTH);
        FormatDescriptionEvent.write(
                written, 0, new EventOrigin(EventHeader.timestamp(first.view, at), 7), "8.0.31", Checksum.CRC32);
        written.put(CREATED_AT, first.view, at + CREATED_AT, Integer.BYTES); // the first file after a start
        EventHeader.setLogPos(written, 0, EventHeader.logPos(first.view, at));
        new Checksum().append(written, 0);
        assertSameBytes(first, at, written);
    }

    @Test
    void readsAndWritesPreviousGtids() {
        int at = second.nth(EventType.PREVIOUS_GTIDS_LOG_EVENT, 0);
        GtidSet gtids = PreviousGtidsEvent.gtids(second.view, at, second.end(at));
        assertEquals(SERVER + ":1-25", gtids.toString());

        ByteBuffer written = ByteBuffer.allocate(PreviousGtidsEvent.length(gtids) + Checksum.LENGTH);
        int end =
                PreviousGtidsEvent.write(written, 0, new EventOrigin(EventHeader.timestamp(second.view, at), 7), gtids);
        sealAs(second, at, written, end);

        int none = first.nth(EventType.PREVIOUS_GTIDS_LOG_EVENT, 0);
        assertEquals(GtidSet.EMPTY, PreviousGtidsEvent.gtids(first.view, none, first.end(none)));
    }

    @Test
    void readsRotateAndStopAndWritesThemByteForByte() {
        int at = first.nth(EventType.ROTATE_EVENT, 0);
        assertEquals("golden.000002", RotateEvent.fileName(first.view, at, first.end(at)));
        assertEquals(4, RotateEvent.position(first.view, at));
        ByteBuffer written = ByteBuffer.allocate(RotateEvent.length("golden.000002") + Checksum.LENGTH);
        int end = RotateEvent.write(
                written, 0, new EventOrigin(EventHeader.timestamp(first.view, at), 7), "golden.000002", 4);
        sealAs(first, at, written, end);

        int stop = second.nth(EventType.STOP_EVENT, 0);
        ByteBuffer stopped = ByteBuffer.allocate(StopEvent.LENGTH + Checksum.LENGTH);
        StopEvent.write(stopped, 0, new EventOrigin(EventHeader.timestamp(second.view, stop), 7));
        sealAs(second, stop, stopped, StopEvent.LENGTH);
    }

    @Test
    void readsGtidsWhoseTransactionLengthsFillTheFile() {
        List<Integer> gtids = first.ofType(EventType.GTID_LOG_EVENT);
        assertEquals(25, gtids.size());
        int next = gtids.get(0);
        for (int i = 0; i < gtids.size(); i++) {
            int at = gtids.get(i);
            int end = first.end(at);
            assertEquals(next, at);
            assertSame(SERVER, GtidEvent.sid(first.view, at, SERVER));
            assertEquals(SERVER, GtidEvent.sid(first.view, at, null));
            assertEquals(i + 1, GtidEvent.gno(first.view, at));
            assertEquals(i + 1, GtidEvent.sequenceNumber(first.view, at, end));
            assertTrue(GtidEvent.lastCommitted(first.view, at, end) <= i);
            assertEquals(80031, GtidEvent.immediateServerVersion(first.view, at, end));
            assertEquals(80031, GtidEvent.originalServerVersion(first.view, at, end));
            long commit = GtidEvent.immediateCommitMicros(first.view, at, end);
            assertEquals(commit, GtidEvent.originalCommitMicros(first.view, at, end));
            assertEquals(EventHeader.timestamp(first.view, at), commit / 1_000_000);
            next += (int) GtidEvent.transactionLength(first.view, at, end);
        }
        assertEquals(EventType.ROTATE_EVENT, first.type(next));
    }

    @Test
    void readsQueriesWithTheirStatusVariables() {
        int create = first.nth(EventType.QUERY_EVENT, 0);
        assertEquals("bank", QueryEvent.schema(first.view, create));
        assertEquals(
                "CREATE DATABASE bank DEFAULT CHARACTER SET utf8mb4",
                QueryEvent.text(first.view, create, first.end(create)));
        int charset = QueryEvent.variable(first.view, create, StatusVariables.Q_CHARSET_CODE);
        assertEquals(255, LittleEndian.getU16(first.view, charset));
        int names = QueryEvent.variable(first.view, create, StatusVariables.Q_UPDATED_DB_NAMES);
        assertEquals(1, LittleEndian.getU8(first.view, names));
        assertEquals('b', first.view.get(names + 1));
        assertTrue(QueryEvent.textStartsWith(first.view, create, first.end(create), "CREATE DATABASE"));
        assertEquals(-1, QueryEvent.variable(first.view, create, StatusVariables.Q_TIME_ZONE_CODE));
        long begins = first.ofType(EventType.QUERY_EVENT).stream()
                .filter(at -> QueryEvent.textIs(first.view, at, first.end(at), "BEGIN"))
                .count();
        assertEquals(10, begins);
    }

    @Test
    void rewritesSchemaAndTextOfAQueryAndKeepsTheRest() {
        int at = first.nth(EventType.QUERY_EVENT, 0);
        byte[] schema = "ledger".getBytes(StandardCharsets.UTF_8);
        byte[] text = "DROP DATABASE ledger".getBytes(StandardCharsets.UTF_8);
        int variables = QueryEvent.variablesEnd(first.view, at) - QueryEvent.variablesAt(at);
        int length = QueryEvent.length(variables, schema.length, text.length);
        ByteBuffer written = QueryEvent.withText(first.view, at, schema, text);
        assertEquals(length, written.limit());
        QueryEvent.check(written, 0, length);
        assertEquals("ledger", QueryEvent.schema(written, 0));
        assertEquals("DROP DATABASE ledger", QueryEvent.text(written, 0, length));
        assertEquals(length, EventHeader.size(written, 0));
        assertEquals(QueryEvent.threadId(first.view, at), QueryEvent.threadId(written, 0));
        assertTrue(QueryEvent.variable(written, 0, StatusVariables.Q_DDL_LOGGED_WITH_XID) > 0);
    }

    @Test
    void rewritesNamesAndIdOfATableMapAndKeepsItsBody() {
        int at = first.nth(EventType.TABLE_MAP_EVENT, 0);
        int end = first.end(at);
        byte[] schema = "s".getBytes(StandardCharsets.UTF_8);
        byte[] table = "a_longer_name".getBytes(StandardCharsets.UTF_8);
        ByteBuffer written = TableMapEvent.renamed(first.view, at, end, schema, table);
        int length = written.limit();
        assertEquals(0, TableMapEvent.tableId(written, 0));
        TableMapEvent.setTableId(written, 0, 0xfedcba987654L);
        TableMapEvent.check(written, 0, length);
        assertEquals("s", TableMapEvent.schema(written, 0));
        assertEquals("a_longer_name", TableMapEvent.table(written, 0));
        assertEquals(0xfedcba987654L, TableMapEvent.tableId(written, 0));
        int body = TableMapEvent.bodyAt(written, 0);
        int originalBody = TableMapEvent.bodyAt(first.view, at);
        assertEquals(first.view.slice(originalBody, end - originalBody), written.slice(body, length - body));
    }

    @Test
    void readsXaTransactionsOfEveryEnd() {
        Xid one = new Xid(ascii("g1"), ascii("b1"), 7);
        Xid two = new Xid(new byte[] {0, -1, 39}, new byte[0], 1);
        Xid three = new Xid(ascii("g3"), new byte[0], 1);
        List<Integer> prepares = first.ofType(EventType.XA_PREPARE_LOG_EVENT);
        assertEquals(
                List.of(one, two, three),
                prepares.stream().map(at -> XaPrepareEvent.xid(first.view, at)).toList());
        assertEquals(
                List.of(false, false, true),
                prepares.stream()
                        .map(at -> XaPrepareEvent.isOnePhase(first.view, at))
                        .toList());
        List<String> statements = first.ofType(EventType.QUERY_EVENT).stream()
                .filter(at -> XaStatement.isOne(first.view, at, first.end(at)))
                .map(at -> XaStatement.parse(first.view, at, first.end(at)))
                .map(xa -> xa.verb() + " " + xa.xid())
                .toList();
        assertEquals(
                List.of(
                        "START " + one,
                        "END " + one,
                        "COMMIT " + one,
                        "START " + two,
                        "END " + two,
                        "ROLLBACK " + two,
                        "START " + three,
                        "END " + three),
                statements);

        int at = prepares.get(0);
        ByteBuffer written = ByteBuffer.allocate(XaPrepareEvent.length(one) + Checksum.LENGTH);
        int end =
                XaPrepareEvent.write(written, 0, new EventOrigin(EventHeader.timestamp(first.view, at), 7), false, one);
        sealAs(first, at, written, end);
    }

    @Test
    void readsRowsQueriesAndXids() {
        int query = first.nth(EventType.ROWS_QUERY_LOG_EVENT, 1);
        assertEquals("INSERT INTO kinds (id) VALUES (2)", RowsQueryEvent.text(first.view, query, first.end(query)));
        ByteBuffer written = ByteBuffer.allocate(200);
        byte[] text = ascii("INSERT INTO kinds (id) VALUES (2)");
        int end = RowsQueryEvent.write(written, 0, new EventOrigin(EventHeader.timestamp(first.view, query), 7), text);
        sealAs(first, query, written, end);

        int commit = first.nth(EventType.XID_EVENT, 0);
        ByteBuffer xid = ByteBuffer.allocate(XidEvent.LENGTH + Checksum.LENGTH);
        XidEvent.write(
                xid,
                0,
                new EventOrigin(EventHeader.timestamp(first.view, commit), 7),
                XidEvent.xid(first.view, commit));
        sealAs(first, commit, xid, XidEvent.LENGTH);
    }

    /** Adds checksum and log_pos as the server did, and compares with the bytes that it wrote. */
    private static void sealAs(Binlog file, int at, ByteBuffer written, int end) {
        EventHeader.setSize(written, 0, end + Checksum.LENGTH);
        EventHeader.setLogPos(written, 0, EventHeader.logPos(file.view, at));
        new Checksum().append(written, 0);
        assertSameBytes(file, at, written.slice(0, end + Checksum.LENGTH));
    }

    private static void assertSameBytes(Binlog file, int at, ByteBuffer written) {
        assertEquals(file.view.slice(at, EventHeader.size(file.view, at)), written);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
