package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.check.Events;
import io.tributary.mysql.event.polardbx.DrdsXid;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that only PolarDB-X data nodes write: timestamps of three generations, consensus bookkeeping, XIDs. */
class PolarDbxEventTest {
    /** 2023-11-14T22:13:20Z and counter 5. */
    private static final long TSO = 1_700_000_000_000L << 22 | 5;

    private static final String TSO_HEX = hex(TSO);

    private static String hex(long value) {
        ByteBuffer bytes = ByteBuffer.allocate(8);
        LittleEndian.putLong(bytes, 0, value);
        return HexFormat.of().formatHex(bytes.array());
    }

    @Test
    void readsSequenceEventsOfEachKind() {
        for (int kind : new int[] {SequenceEvent.SNAPSHOT, SequenceEvent.COMMIT, SequenceEvent.HEARTBEAT}) {
            ByteBuffer event = Handmade.event(EventType.SEQUENCE_EVENT, "0" + kind + TSO_HEX);
            SequenceEvent.check(event, 0, event.limit());
            assertEquals(kind, SequenceEvent.kind(event, 0));
            assertEquals(kind == 2, SequenceEvent.isCommit(event, 0));
            assertEquals(TSO, SequenceEvent.value(event, 0));
            assertEquals(event, Handmade.sequence(kind, TSO));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "04", "ff"})
    void refusesSequenceEventsOfAnotherKind(String kind) {
        ByteBuffer event = Handmade.event(EventType.SEQUENCE_EVENT, kind + TSO_HEX);
        requireMalformed(
                event, "expected kind 1 (snapshot), 2 (commit) or 3 (heartbeat), found " + Integer.parseInt(kind, 16));
    }

    @Test
    void rejectsTruncatedTimestamps() {
        requireMalformed(
                Handmade.event(EventType.SEQUENCE_EVENT, "02" + TSO_HEX.substring(2)),
                "expected 9 bytes of kind and timestamp");
        requireMalformed(
                Handmade.event(EventType.GCN_LOG_EVENT, "05" + TSO_HEX.substring(2)),
                "expected 8 bytes of commit timestamp");
        requireMalformed(Handmade.event(EventType.GCN_LOG_EVENT, ""), "expected 1 bytes of flags");
    }

    @Test
    void usesAGcnAsTheCommitsOnlyWithItsFlag() {
        ByteBuffer commit = Handmade.event(EventType.GCN_LOG_EVENT, "05" + TSO_HEX);
        GcnEvent.check(commit, 0, commit.limit());
        assertTrue(GcnEvent.isCommit(commit, 0));
        assertEquals(TSO, GcnEvent.value(commit, 0));
        assertEquals(commit, Handmade.gcn(5, TSO));
        for (String others : new String[] {"00", "01" + TSO_HEX, "03" + TSO_HEX, "0b" + TSO_HEX}) {
            ByteBuffer event = Handmade.event(EventType.GCN_LOG_EVENT, others);
            Events.check(event, 0, event.limit());
            assertFalse(GcnEvent.isCommit(event, 0), others);
        }
    }

    @Test
    void readsTheTimestampsOfXaStatements() {
        assertEquals(TSO, QueryEvent.commitGcn(xa("XA COMMIT X'61',X'',1", "c8" + TSO_HEX), 0));
        assertEquals(TSO, QueryEvent.prepareGcn(xa("XA END X'61',X'',1", "c9" + TSO_HEX), 0));
        assertEquals(0, QueryEvent.commitGcn(xa("XA END X'61',X'',1", "c9" + TSO_HEX), 0));
        assertEquals(0, QueryEvent.prepareGcn(xa("XA COMMIT X'61',X'',1", ""), 0));
    }

    @Test
    void rejectsATruncatedStatusVariable() {
        TributaryException refusal = assertThrows(
                TributaryException.class, () -> xa("XA COMMIT X'61',X'',1", "c8" + TSO_HEX.substring(2), 9));
        assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
    }

    private static ByteBuffer xa(String text, String variables) {
        return xa(text, variables, variables.length() / 2);
    }

    /** @param claimed the length of the variables in the event, possibly more than all of its bytes */
    private static ByteBuffer xa(String text, String variables, int claimed) {
        byte[] bytes = HexFormat.of().parseHex(variables);
        byte[] statement = claimed > bytes.length ? new byte[0] : text.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(bytes.length, 0, statement.length));
        QueryEvent.write(event, 0, 0, 9, 0, 5, bytes, new byte[0], statement);
        LittleEndian.putU16(event, QueryEvent.variablesAt(0) - 2, claimed);
        QueryEvent.check(event, 0, event.limit());
        return event;
    }

    @Test
    void parsesXids() {
        DrdsXid branch = DrdsXid.of(xid("drds-16248b5ed0010000@e394da2fea20da21", "DB_SINGLE_GROUP@0003"));
        assertEquals(0x16248b5ed0010000L, branch.transactionId());
        assertEquals(0xe394da2fea20da21L, branch.suffix());
        assertEquals("DB_SINGLE_GROUP", branch.group());
        assertEquals("0003", branch.readView());
        assertEquals(xid("drds-16248b5ed0010000@e394da2fea20da21", "DB_SINGLE_GROUP@0003"), branch.xid());
        assertEquals("", DrdsXid.of(xid("drds-1@2", "G")).readView());
    }

    @Test
    void branchesOfOneTransactionShareItsGtridInAnyGroupAndReadView() {
        Xid one = xid("drds-7f@2a", "G1@0001");
        Xid otherReadView = xid("drds-7f@2a", "G1@0002");
        Xid otherGroup = xid("drds-7f@2a", "G2");
        assertEquals(one.global(), otherReadView.global());
        assertEquals(one.global(), otherGroup.global());
        assertNotEquals(one, otherReadView);
        assertNotEquals(one.global(), xid("drds-80@2a", "G1@0001").global());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"drds-", "drds-7f", "drds-@2a", "drds-7f@", "drds-7g@2a", "drds-11112222333344445@1", "drds--1@2"
            })
    void rejectsXidsThatOnlyHaveThePrefix(String gtrid) {
        Xid xid = xid(gtrid, "G");
        assertTrue(DrdsXid.isOne(xid));
        TributaryException refusal = assertThrows(TributaryException.class, () -> DrdsXid.of(xid));
        assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
        assertTrue(refusal.getMessage().contains("found '" + gtrid + "'"), refusal.getMessage());
    }

    @Test
    void ignoresOtherCoordinatorsXids() {
        assertFalse(DrdsXid.isOne(xid("transfer-7", "s1")));
        assertFalse(DrdsXid.isOne(xid("drd", "")));
    }

    private static Xid xid(String gtrid, String bqual) {
        return new Xid(gtrid.getBytes(StandardCharsets.US_ASCII), bqual.getBytes(StandardCharsets.US_ASCII), 1);
    }

    private static void requireMalformed(ByteBuffer event, String expected) {
        TributaryException refusal =
                assertThrows(TributaryException.class, () -> Events.check(event, 0, event.limit()));
        assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
    }
}
