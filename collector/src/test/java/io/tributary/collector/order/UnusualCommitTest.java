package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.collector.Tokens;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gtrid is used again, or a coordinator violates two-phase commit. */
class UnusualCommitTest {
    private static final Xid X0 = OrderHarness.X0;
    private static final Xid X1 = OrderHarness.X1;
    private static final Xid Y0 = OrderHarness.Y0;

    private final OrderHarness on = new OrderHarness();

    @Test
    void aGtridUsedAgainIsAnotherTransaction() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0), on.logs[1].commit(X1));
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0), on.logs[1].commit(X1));
        on.round(1);
        on.round(2);
        on.round(3);
        assertEquals(List.of("0:1+1:1", "0:3+1:3"), on.output);
        assertEquals(0, on.violations.lateBranches().value());
        assertEquals(0, on.payloads.held());
    }

    @Test
    void aGtridUsedAgainOnOtherShardsIsAnotherTransactionAfterTwoRounds() {
        on.feed(on.prepare(0, X0), on.logs[0].commit(X0));
        on.feed(on.logs[0].round(1), on.logs[1].round(1), on.logs[1].round(2));
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0), on.logs[1].commit(X1));
        on.feed(on.logs[2].round(1), on.logs[0].round(2), on.logs[2].round(2));
        assertEquals(List.of("0:1"), on.output);
        on.round(3);
        on.round(4);
        assertEquals(List.of("0:1", "0:4+1:3"), on.output);
        assertEquals(0, on.violations.lateBranches().value());
    }

    @Test
    void aBranchRolledBackAndTriedAgainIsTheSameTransaction() {
        on.feed(on.prepare(0, X0), on.logs[0].rollback(X0), on.prepare(0, X0), on.prepare(1, X1));
        on.feed(on.logs[0].commit(X0), on.logs[1].commit(X1));
        on.round(1);
        on.round(2);
        assertEquals(List.of("0:3+1:1"), on.output);
        assertEquals(0, on.violations.mixedOutcomes().value());
        assertEquals(0, on.payloads.held());
    }

    @Test
    void aLateBranchIsWrittenAloneAndReported() {
        on.feed(on.prepare(0, X0), on.logs[0].commit(X0));
        on.round(1);
        on.round(2);
        on.feed(on.prepare(1, X1), on.logs[1].commit(X1));
        on.round(3);
        on.round(4);
        assertEquals(List.of("0:1", "1:3"), on.output);
        assertEquals(1, on.violations.lateBranches().value());
    }

    @Test
    void aRollbackAfterOthersCommittedIsReportedAndTheCommittedOnesAreWritten() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0), on.logs[1].rollback(X1));
        on.round(1);
        on.round(2);
        assertEquals(List.of("0:1"), on.output);
        assertEquals(1, on.violations.mixedOutcomes().value());
        assertEquals(0, on.payloads.held());
    }

    @Test
    void usesOfAGtridOnOtherShardsAreSeparatedByTheClocks() {
        Token prepare0 = on.prepare(0, X0);
        Token prepare1 = on.prepare(1, X1);
        on.logs[0].pass(10);
        on.logs[1].pass(10);
        Token commit0 = on.logs[0].commit(X0);
        Token commit1 = on.logs[1].commit(X1);
        on.logs[1].pass(10);
        on.logs[2].pass(23);
        Token again1 = on.prepare(1, X1);
        Token again2 = on.prepare(2, Tokens.xid("x", "2"));
        on.logs[1].pass(10);
        on.logs[2].pass(10);
        Token commitAgain2 = on.logs[2].commit(Tokens.xid("x", "2"));
        Token commitAgain1 = on.logs[1].commit(X1);
        on.feed(again2, commitAgain2, prepare0, prepare1, commit0, commit1, again1, commitAgain1);
        on.round(1);
        on.round(2);
        assertEquals(List.of("0:1+1:1", "1:3+2:1"), on.output);
        assertEquals(0, on.violations.lateBranches().value());
    }

    @Test
    void transactionsThatWaitForEachOtherAgainstTwoPhaseCommitAreSeparated() {
        Xid y1 = Tokens.xid("y", "1");
        on.order.tick(0);
        on.feed(on.prepare(0, X0), on.logs[0].commit(X0), on.prepare(0, Y0), on.logs[0].commit(Y0));
        on.feed(on.prepare(1, y1), on.logs[1].commit(y1), on.prepare(1, X1), on.logs[1].commit(X1));
        on.round(1);
        on.round(2);
        assertEquals(List.of(), on.output);
        on.order.tick(1000);
        while (on.order.process()) {}
        assertEquals(List.of("0:1", "0:3+1:1", "1:3"), on.output);
        assertEquals(1, on.violations.lateBranches().value());
        assertEquals(0, on.payloads.held());
    }
}
