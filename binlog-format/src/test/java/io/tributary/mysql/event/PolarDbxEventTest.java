package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that only PolarDB-X data nodes write: timestamps of three generations. */
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
        QueryEvent.write(event, 0, new EventOrigin(0, 9), new LoggedStatement(0, 5, bytes, new byte[0], statement));
        LittleEndian.putU16(event, QueryEvent.variablesAt(0) - 2, claimed);
        QueryEvent.check(event, 0, event.limit());
        return event;
    }

    private static void requireMalformed(ByteBuffer event, String expected) {
        TributaryException refusal =
                assertThrows(TributaryException.class, () -> Events.check(event, 0, event.limit()));
        assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
    }
}
