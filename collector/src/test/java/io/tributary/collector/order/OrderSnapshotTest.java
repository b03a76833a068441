package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.Tokens;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The description of transactions that are not emitted, for an operator. */
class OrderSnapshotTest {
    private static final Xid X0 = OrderHarness.X0;
    private static final Xid X1 = OrderHarness.X1;
    private static final Xid Y0 = OrderHarness.Y0;

    private final OrderHarness on = new OrderHarness();

    private HeldTransaction only() {
        OrderSnapshot snapshot = on.order.snapshot(10, 0);
        assertEquals(1, snapshot.total());
        return snapshot.transactions().get(0);
    }

    @Test
    void aPreparedBranchWaitsForItsDecision() {
        on.feed(on.local(0));
        Token prepare = on.prepare(0, X0);
        on.feed(prepare);
        HeldTransaction held = only();
        assertEquals(X0.global(), held.xid());
        HeldBranch branch = held.branches().get(0);
        assertEquals("s0", branch.shard());
        assertEquals(State.PREPARED, branch.state());
        assertEquals(prepare.before().file(), branch.file());
        assertEquals(prepare.before().offset(), branch.offset());
        assertEquals(prepare.gno(), branch.gno());
        assertEquals(prepare.payload().length(), held.payloadBytes());
        assertEquals(List.of("s1", "s2"), held.diagnosis().unknownOn());
        assertEquals(List.of("the decision on shard s0"), held.diagnosis().waitsFor());
        assertEquals(
                List.of("XA COMMIT 'x','0',1 or XA ROLLBACK 'x','0',1 on shard s0"),
                held.diagnosis().remedies());
    }

    @Test
    void ifAnotherBranchIsDecidedTheRemedyIsTheSameDecision() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0));
        assertEquals(State.COMMITTED, only().branches().get(0).state());
        assertEquals(
                List.of("XA COMMIT 'x','1',1 on shard s1"), only().diagnosis().remedies());
    }

    @Test
    void aBranchThatWasRolledBackIsShownAndTheRemedyIsToRollTheOthersBack() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].rollback(X0));
        HeldTransaction held = only();
        assertEquals(
                List.of(State.PREPARED, State.ROLLED_BACK),
                held.branches().stream().map(HeldBranch::state).toList());
        assertEquals(List.of("s2"), held.diagnosis().unknownOn());
        assertEquals(
                List.of("XA ROLLBACK 'x','1',1 on shard s1"), held.diagnosis().remedies());
    }

    @Test
    void aCommittedTransactionWaitsForRoundsAndShowsTheSilentShard() {
        on.feed(on.prepare(0, X0), on.logs[0].commit(X0));
        assertEquals(
                List.of("the next heartbeat round of shard s0"),
                only().diagnosis().waitsFor());
        on.feed(
                on.logs[0].round(1),
                on.logs[1].round(1),
                on.logs[2].round(1),
                on.logs[0].round(2),
                on.logs[1].round(2));
        assertEquals(
                List.of("round 2 of shard s2, which has sent round 1"),
                only().diagnosis().waitsFor());
        assertEquals(List.of(), only().diagnosis().remedies());
        on.feed(on.logs[2].round(2));
        assertEquals(0, on.order.snapshot(10, 0).total());
    }

    @Test
    void aBranchThatIsNotReadyShowsTheTokenBeforeIt() {
        Xid y1 = Tokens.xid("y", "1");
        on.feed(on.prepare(0, Y0));
        Token commit = on.logs[0].commit(Y0);
        on.feed(commit, on.prepare(0, X0), on.prepare(1, X1), on.prepare(1, y1), on.logs[1].commit(X1));
        HeldTransaction x = on.order.snapshot(10, 0).transactions().get(1);
        assertEquals(X0.global(), x.xid());
        assertTrue(
                x.diagnosis()
                        .waitsFor()
                        .contains("the branch on shard s0, which comes after GTID " + commit.sid() + ":" + commit.gno()
                                + ", the commit of XA 'y','',1, which waits too"),
                x.diagnosis().waitsFor().toString());
    }

    @Test
    void theAgeCountsFromThePrepareOnItsShard() {
        Token prepare = on.prepare(0, X0);
        on.feed(prepare);
        assertEquals(
                5_000_000,
                on.order
                        .snapshot(10, prepare.commitMicros() + 5_000_000)
                        .transactions()
                        .get(0)
                        .ageMicros());
    }

    @Test
    void theOldestAreFirstAndTheNumberIsLimited() {
        on.order.tick(0);
        on.feed(on.prepare(0, X0));
        on.order.tick(500);
        on.feed(on.prepare(1, Tokens.xid("z", "1")), on.prepare(0, Y0));
        on.order.tick(1000);
        OrderSnapshot snapshot = on.order.snapshot(2, 0);
        assertEquals(3, snapshot.total());
        assertEquals(2, snapshot.transactions().size());
        assertEquals(X0.global(), snapshot.transactions().get(0).xid());
        assertTrue(snapshot.transactions().get(0).isInDoubt());
        assertFalse(snapshot.transactions().get(1).isInDoubt());
        assertEquals(1000, on.order.oldestNanos());
    }

    @Test
    void theSecondUseOfAnXidShowsThatItWaitsForTheFirst() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0), on.prepare(0, X0));
        OrderSnapshot snapshot = on.order.snapshot(10, 0);
        assertEquals(2, snapshot.total());
        assertEquals(1, on.violations.xidsUsedAgain().value());
        assertTrue(snapshot.transactions().get(1).diagnosis().waitsFor().contains("the earlier use of the same XID"));
    }
}
