package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.xa.XaStatement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads back events that Tributary writes, and events that only newer or older servers write. */
class HandmadeEventTest {
    @Test
    void patchesAGtidOfConstantLength() {
        ByteBuffer event = Handmade.gtid();
        int end = event.limit();
        UUID uuid = UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562");
        GtidEvent.setSid(event, 0, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        GtidEvent.setGno(event, 0, 123);
        GtidEvent.setLogicalClock(event, 0, 4, 5);
        GtidEvent.setTransactionLength(event, 0, 1L << 40);
        GtidEvent.check(event, 0, end);
        assertEquals(uuid, GtidEvent.uuid(event, 0));
        assertEquals(123, GtidEvent.gno(event, 0));
        assertEquals(4, GtidEvent.lastCommitted(event, 0, end));
        assertEquals(5, GtidEvent.sequenceNumber(event, 0, end));
        assertEquals(1L << 40, GtidEvent.transactionLength(event, 0, end));
        assertEquals(1_700_000_000_123_456L, GtidEvent.immediateCommitMicros(event, 0, end));
        assertEquals(1_700_000_000_123_456L, GtidEvent.originalCommitMicros(event, 0, end));
        assertEquals(80031, GtidEvent.immediateServerVersion(event, 0, end));
        assertEquals(GtidEvent.FLAG_MAY_HAVE_SBR, GtidEvent.flags(event, 0));
    }

    @Test
    void readsAGtidWhoseOriginalDiffers() {
        ByteBuffer event = Handmade.event(
                EventType.GTID_LOG_EVENT,
                "00" + "3e11fa4771ca11e19e33c80aa9429562" + "0700000000000000" + "02" + "0100000000000000"
                        + "0200000000000000" + "01000000000080" + "02000000000000" + "fc0102" + "9f380180"
                        + "a9de0000");
        int end = event.limit();
        GtidEvent.check(event, 0, end);
        assertEquals(1, GtidEvent.immediateCommitMicros(event, 0, end));
        assertEquals(2, GtidEvent.originalCommitMicros(event, 0, end));
        assertEquals(513, GtidEvent.transactionLength(event, 0, end));
        assertEquals(0x1389f, GtidEvent.immediateServerVersion(event, 0, end));
        assertEquals(57001, GtidEvent.originalServerVersion(event, 0, end));
    }

    @Test
    void readsAGtidOfMysql57() {
        ByteBuffer event = Handmade.event(
                EventType.GTID_LOG_EVENT,
                "01" + "3e11fa4771ca11e19e33c80aa9429562" + "0700000000000000" + "02" + "0100000000000000"
                        + "0200000000000000");
        int end = event.limit();
        GtidEvent.check(event, 0, end);
        assertEquals(7, GtidEvent.gno(event, 0));
        assertEquals(2, GtidEvent.sequenceNumber(event, 0, end));
        assertEquals(0, GtidEvent.immediateCommitMicros(event, 0, end));
        assertEquals(0, GtidEvent.originalCommitMicros(event, 0, end));
        assertEquals(0, GtidEvent.transactionLength(event, 0, end));
        assertEquals(0, GtidEvent.originalServerVersion(event, 0, end));
    }

    @Test
    void readsATaggedGtid() {
        ByteBuffer event = Handmade.taggedGtid();
        int end = event.limit();
        GtidTaggedLogEvent.check(event, 0, end);
        Sid sid = GtidTaggedLogEvent.sid(event, 0, end, null);
        assertEquals("00102030-4050-6070-8090-a0b0c0d0e0f0:foobaz", sid.toString());
        assertSame(sid, GtidTaggedLogEvent.sid(event, 0, end, sid));
        assertEquals(sid, GtidTaggedLogEvent.sid(event, 0, end, new Sid(sid.uuid(), "foobar")));
        assertEquals(1, GtidTaggedLogEvent.flags(event, 0, end));
        assertEquals(1234, GtidTaggedLogEvent.gno(event, 0, end));
        assertEquals(41, GtidTaggedLogEvent.lastCommitted(event, 0, end));
        assertEquals(42, GtidTaggedLogEvent.sequenceNumber(event, 0, end));
        assertEquals(1_700_000_000_123_456L, GtidTaggedLogEvent.immediateCommitMicros(event, 0, end));
        assertEquals(1_600_000_000_123_456L, GtidTaggedLogEvent.originalCommitMicros(event, 0, end));
        assertEquals(210, GtidTaggedLogEvent.transactionLength(event, 0, end));
        assertEquals(90200, GtidTaggedLogEvent.immediateServerVersion(event, 0, end));
        assertEquals(90200, GtidTaggedLogEvent.originalServerVersion(event, 0, end));
    }

    @Test
    void readsATaggedGtidThatMysql92Wrote() {
        ByteBuffer event = Handmade.event(
                EventType.GTID_TAGGED_LOG_EVENT,
                "0276000002022502dcf0090230f90322bd03ad02210244445a685103220404060c666f6f62617a08000a040c7f1583222d5c2e06"
                        + "10490312c3020b");
        int end = event.limit();
        GtidTaggedLogEvent.check(event, 0, end);
        Sid sid = GtidTaggedLogEvent.sid(event, 0, end, null);
        assertEquals("896e7882-18fe-11ef-ab88-22222d34d411:foobaz", sid.toString());
        assertEquals(1, GtidTaggedLogEvent.gno(event, 0, end));
        assertEquals(0, GtidTaggedLogEvent.lastCommitted(event, 0, end));
        assertEquals(1, GtidTaggedLogEvent.sequenceNumber(event, 0, end));
        assertEquals(210, GtidTaggedLogEvent.transactionLength(event, 0, end));
        assertEquals(90200, GtidTaggedLogEvent.originalServerVersion(event, 0, end));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 128, 16383, 16384, 1L << 48, (1L << 56) - 1, 1L << 56, Long.MAX_VALUE, -1})
    void readsIntegersOfEveryLength(long value) {
        ByteBuffer buf = ByteBuffer.allocate(9);
        Handmade.putVarlen(buf, value);
        assertEquals(value, VarlenInteger.unsigned(buf, 0));
        assertEquals(buf.position(), VarlenInteger.length(buf, 0));
    }

    @Test
    void readsHeartbeatsOfBothVersions() {
        ByteBuffer event = Handmade.heartbeat();
        assertEquals("binlog.000041", HeartbeatEvent.fileName(event, 0, event.limit()));
        assertEquals(0xfedcba98L, HeartbeatEvent.position(event, 0, event.limit()));
        ByteBuffer second = Handmade.heartbeatV2();
        assertEquals("binlog.000041", HeartbeatEvent.fileName(second, 0, second.limit()));
        assertEquals(1L << 33, HeartbeatEvent.position(second, 0, second.limit()));
    }

    @Test
    void writesABeginThatIsReadAsOne() {
        ByteBuffer event = Handmade.begin();
        QueryEvent.check(event, 0, event.limit());
        assertTrue(QueryEvent.textIs(event, 0, event.limit(), "BEGIN"));
        assertEquals("", QueryEvent.schema(event, 0));
        assertEquals(5, QueryEvent.threadId(event, 0));
        assertTrue(QueryEvent.variable(event, 0, StatusVariables.Q_CHARSET_CODE) > 0);
    }

    @Test
    void iteratesOverEveryStatusVariable() {
        ByteBuffer event = Handmade.queryWithEveryVariable();
        QueryEvent.check(event, 0, event.limit());
        for (int code :
                new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 200, 201}) {
            assertTrue(QueryEvent.variable(event, 0, code) > 0, "code " + code);
        }
        assertEquals("db", QueryEvent.schema(event, 0));
        XaStatement commit = XaStatement.parse(event, 0, event.limit());
        assertEquals(XaStatement.Verb.COMMIT, commit.verb());
        assertEquals(new Xid(ascii("a'b"), ascii("bc"), -1), commit.xid());
        assertTrue(commit.onePhase());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "XA",
                "XA ",
                "XA NOTHING 'a'",
                "XA START",
                "XA START a",
                "XA START X'0'",
                "XA START X'00",
                "XA START 'a",
                "XA START 'a',",
                "XA START 'a','b',",
                "XA START 'a','b',4294967296",
                "XA START 'a' ONE PHASE",
                "XA COMMIT 'a' ONE",
                "XA COMMIT 'a' x",
                "XA RECOVER"
            })
    void rejectsTextThatIsNotAnXaStatement(String text) {
        ByteBuffer event = Handmade.query(text);
        TributaryException refusal =
                assertThrows(TributaryException.class, () -> XaStatement.parse(event, 0, event.limit()));
        assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
        assertTrue(refusal.getMessage().contains("found " + text), refusal.getMessage());
    }

    @Test
    void distinguishesXaStatementsFromOthers() {
        for (String text : new String[] {"XA START 'a'", "xa\tcommit 'a'"}) {
            ByteBuffer event = Handmade.query(text);
            assertTrue(XaStatement.isOne(event, 0, event.limit()), text);
        }
        for (String text : new String[] {"XA", "XAVIER 1", "CREATE TABLE xa (a INT)", "BEGIN"}) {
            ByteBuffer event = Handmade.query(text);
            assertTrue(!XaStatement.isOne(event, 0, event.limit()), text);
        }
    }

    @Test
    void readsRowsOfTheFirstVersion() {
        ByteBuffer event = Handmade.rowsVersion1();
        RowsEvent.check(event, 0, event.limit());
        assertEquals(123, RowsEvent.tableId(event, 0));
        assertTrue(RowsEvent.isWrite(event, 0) && RowsEvent.endsStatement(event, 0));
        assertEquals(2, RowsEvent.columnCount(event, 0));
        assertTrue(RowsEvent.hasAllColumns(event, 0));
        RowsEvent.setTableId(event, 0, 7);
        RowsEvent.setFlags(event, 0, RowsEvent.NO_FOREIGN_KEY_CHECKS_F);
        assertEquals(7, RowsEvent.tableId(event, 0));
        assertEquals(RowsEvent.NO_FOREIGN_KEY_CHECKS_F, RowsEvent.flags(event, 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void checksumsEventsInAnyBuffer(boolean direct) {
        ByteBuffer begin = Handmade.begin();
        int size = QueryEvent.BEGIN_LENGTH + Checksum.LENGTH;
        ByteBuffer buf = direct ? ByteBuffer.allocateDirect(200) : ByteBuffer.allocate(200);
        buf.put(7, begin, 0, QueryEvent.BEGIN_LENGTH);
        EventHeader.setSize(buf, 7, size);
        Checksum checksum = new Checksum();
        checksum.append(buf, 7);
        checksum.verify(buf, 7);
        buf.put(30, (byte) (buf.get(30) ^ 1));
        TributaryException refusal = assertThrows(TributaryException.class, () -> checksum.verify(buf, 7));
        assertEquals(ErrorCode.EVENT_CHECKSUM_WRONG, refusal.code());
        assertEquals(0, buf.position());
    }

    @Test
    void ignoresTheInUseMarkInTheChecksumOfAFormatDescription() {
        ByteBuffer event = ByteBuffer.allocate(FormatDescriptionEvent.LENGTH + Checksum.LENGTH);
        FormatDescriptionEvent.write(event, 0, new EventOrigin(1, 9), "8.0.31-tributary", Checksum.CRC32);
        Checksum checksum = new Checksum();
        checksum.append(event, 0);
        EventHeader.setFlags(event, 0, EventFlags.LOG_EVENT_BINLOG_IN_USE_F);
        checksum.verify(event, 0);
        assertEquals("8.0.31-tributary", FormatDescriptionEvent.serverVersion(event, 0));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
