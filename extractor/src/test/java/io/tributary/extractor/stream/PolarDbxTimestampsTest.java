package io.tributary.extractor.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.extractor.EventPosition;
import io.tributary.extractor.TransactionState;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A PolarDB-X commit timestamp is passed to its transaction from every position; other timestamps are ignored. */
class PolarDbxTimestampsTest {
    private static final long TSO = 1_700_000_000_000L << 22;

    private final TransactionState open = new TransactionState();
    private PolarDbxTimestamps timestamps = new PolarDbxTimestamps(open, true);
    private long gno;

    private void gtid() {
        ByteBuffer event = ByteBuffer.allocate(GtidEvent.LENGTH);
        GtidEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), 0, 80032);
        GtidEvent.setSid(event, 0, 1, 2);
        GtidEvent.setGno(event, 0, ++gno);
        open.begin(event, 0, event.limit(), new EventPosition());
        timestamps.gtidRead();
    }

    private void sequence(int kind, long value) {
        ByteBuffer event = ByteBuffer.allocate(SequenceEvent.LENGTH);
        SequenceEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), kind, value);
        timestamps.read(event, 0, event.limit());
    }

    private void gcn(int flags, long value) {
        ByteBuffer event = ByteBuffer.allocate(GcnEvent.LENGTH);
        GcnEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), flags, value);
        timestamps.read(event, 0, event.limit());
    }

    private void query(int variable, long value) {
        ByteBuffer variables = ByteBuffer.allocate(9);
        LittleEndian.putU8(variables, 0, variable);
        LittleEndian.putLong(variables, 1, value);
        byte[] text = "XA COMMIT 'a'".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(9, 0, text.length));
        QueryEvent.write(
                event, 0, new EventOrigin(0, 9), new LoggedStatement(0, 1, variables.array(), new byte[0], text));
        timestamps.readCommit(event, 0);
    }

    @Test
    void aSequenceWithinTheTransaction() {
        gtid();
        sequence(SequenceEvent.SNAPSHOT, TSO);
        sequence(SequenceEvent.COMMIT, TSO + 7);
        assertEquals(TSO + 7, open.tso());
    }

    @Test
    void aGcnBeforeTheGtid() {
        gcn(5, TSO);
        gtid();
        assertEquals(TSO, open.tso());
        open.end();
        gtid();
        assertEquals(0, open.tso());
    }

    @Test
    void aStatusVariableOfTheCommit() {
        gtid();
        query(StatusVariables.Q_LIZARD_COMMIT_GCN, TSO);
        assertEquals(TSO, open.tso());
    }

    @Test
    void ignoresTimestampsThatAreNotOfACommit() {
        sequence(SequenceEvent.HEARTBEAT, TSO);
        gcn(1, TSO + 1);
        gtid();
        sequence(SequenceEvent.SNAPSHOT, TSO + 2);
        gcn(0, TSO + 3);
        query(StatusVariables.Q_LIZARD_PREPARE_GCN, TSO + 4);
        assertEquals(0, open.tso());
    }

    @Test
    void acceptsTheSameTimestampTwice() {
        gcn(5, TSO);
        gtid();
        query(StatusVariables.Q_LIZARD_COMMIT_GCN, TSO);
        assertEquals(TSO, open.tso());
    }

    @Test
    void refusesAnotherTimestampInTheSameTransaction() {
        gcn(5, TSO);
        gtid();
        TributaryException refusal =
                assertThrows(TributaryException.class, () -> sequence(SequenceEvent.COMMIT, TSO + 1));
        assertEquals(ErrorCode.TSO_REFUSED, refusal.code());
    }

    @Test
    void ignoresAllTimestampsInXaOrder() {
        timestamps = new PolarDbxTimestamps(open, false);
        gcn(5, -1);
        gtid();
        sequence(SequenceEvent.COMMIT, TSO);
        query(StatusVariables.Q_LIZARD_COMMIT_GCN, TSO + 1);
        assertEquals(0, open.tso());
    }

    @Test
    void discardsAKeptTimestampWhenTheStreamBeginsAgain() {
        gcn(5, TSO);
        timestamps.forget();
        gtid();
        assertEquals(0, open.tso());
    }
}
