package io.tributary.collector.order.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.OrderHarness;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut.OpenBranch;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules one by one, and cuts. */
class XaOrderTest {
    private static final Xid X0 = OrderHarness.X0;
    private static final Xid X1 = OrderHarness.X1;
    private static final Xid Y0 = OrderHarness.Y0;

    private final OrderHarness on = new OrderHarness();

    @Test
    void aTransactionWaitsForTheRoundAfterTheOneThatEndsItsWindow() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0), on.logs[1].commit(X1));
        assertTrue(on.order.awaitsRound());
        on.round(1);
        assertEquals(List.of(), on.output);
        on.round(2);
        assertEquals(List.of("0:1+1:1"), on.output);
        assertFalse(on.order.awaitsRound());
    }

    @Test
    void othersContinueWhileAShardWaits() {
        on.feed(on.prepare(0, X0), on.logs[0].commit(X0), on.local(0), on.local(1), on.local(2));
        assertEquals(List.of("L1", "L2"), on.output);
        assertEquals(2, on.order.queued());
        on.round(1);
        on.round(2);
        assertEquals(List.of("L1", "L2", "0:1", "L0"), on.output);
    }

    @Test
    void twoBranchesOnOneShardAreWrittenTogether() {
        on.feed(on.prepare(0, X0), on.prepare(0, X1), on.logs[0].commit(X0), on.logs[0].commit(X1));
        on.round(1);
        on.round(2);
        assertEquals(List.of("0:1+0:2"), on.output);
        assertEquals(0, on.order.queued());
    }

    @Test
    void aTransactionThatWasRolledBackEverywhereIsForgotten() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].rollback(X0), on.logs[1].rollback(X1));
        on.round(1);
        assertEquals(List.of(), on.output);
        assertEquals(0, on.payloads.held());
        assertEquals(GtidSet.EMPTY, on.difference());
    }

    @Test
    void aCommitWithoutAPrepareHoldsItsShardUntilItIsLeftOut() {
        on.feed(on.local(0), on.logs[0].commit(X0), on.local(0), on.local(1));
        assertEquals(List.of("L0", "L1"), on.output);
        SchemaItem held = on.schema.watch().currentItems(0).get(0);
        assertEquals(ErrorCode.BRANCH_UNKNOWN, held.code());
        assertTrue(held.message().contains("shard s0"), held.message());
        assertTrue(held.message().contains("'x','0',1"), held.message());
        assertTrue(held.commands().get(1).startsWith("tributary shard skip s0 --gtid "), held.commands()::toString);

        on.restart();
        on.feed(on.logs[2].local(on.payloads.take()));
        assertEquals(0, on.schema.watch().currentItems(0).size(), "not read again yet");
    }

    @Test
    void aHeldTransactionIsLeftOutAndTheCutContainsIt() {
        Token unknown = on.logs[0].commit(X0);
        on.feed(unknown, on.local(0));
        Gtid gtid = new Gtid(unknown.sid(), unknown.gno());
        assertThrows(TributaryException.class, () -> on.schema.questions().skip("s1", gtid, null));
        on.schema.questions().skip("s0", gtid, null);
        while (on.order.process()) {}
        assertEquals(List.of("L0"), on.output);
        assertEquals(List.of(), on.schema.watch().currentItems(0));
        assertTrue(on.order.cut(1, 1, 0, 0).shards().get(0).leftOut().contains(gtid.sid(), gtid.gno()));
    }

    @Test
    void aCutResumesBeforeItsPendingBranches() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.prepare(1, Y0), on.logs[1].commit(Y0));
        on.feed(on.local(0), on.logs[0].commit(X0), on.logs[1].commit(X1));
        on.round(1);
        on.round(2);
        assertEquals(List.of("L0", "0:1+1:1", "1:2"), on.output);
        assertEquals(GtidSet.EMPTY, on.difference());
        on.restart();
        Token again = on.prepare(0, X0);
        on.feed(again);
        on.restart();
        assertEquals(again.before().executed(), on.cut.shards().get(0).resume());
        assertEquals(again.before().offset(), on.cut.shards().get(0).offset());
        assertTrue(on.cut.shards().get(0).frontier().contains(again.sid(), again.gno()));
    }

    @Test
    void anOpenBranchOfTheCutPassesItsCommitAndIsNotCollectedAgain() {
        on.feed(on.prepare(0, X0), on.prepare(1, X1));
        Token prepareY = on.prepare(1, Y0);
        on.feed(prepareY, on.logs[0].commit(X0));
        Token commitY = on.logs[1].commit(Y0); // shard 1 waits here, before its commit of x
        Token commitX1 = on.logs[1].commit(X1);
        Token[] rounds = {
            on.logs[0].round(1), on.logs[1].round(1), on.logs[2].round(1), on.logs[0].round(2), on.logs[2].round(2)
        };
        Token lastRound = on.logs[1].round(2);
        on.feed(commitY, commitX1);
        on.feed(rounds);
        on.order.receive(lastRound);
        while (on.output.isEmpty()) {
            assertTrue(on.order.process());
        }
        assertEquals(List.of("0:1+1:1"), on.output);
        on.restart();
        assertEquals(Set.of(new OpenBranch(X1, 1)), on.cut.open());
        on.feed(on.renewed(prepareY), commitY, commitX1, rounds[1], lastRound);
        on.feed(rounds[0], rounds[3]);
        assertEquals(List.of("0:1+1:1", "1:2"), on.output);
        assertEquals(Set.of(), on.order.cut(1, 2, 0, 0).open());
        assertEquals(0, on.payloads.held());
    }

    @Test
    void reportsATransactionInDoubtOnce() {
        on.order.tick(0);
        on.feed(on.prepare(0, X0), on.prepare(1, X1), on.logs[0].commit(X0));
        on.order.tick(999);
        assertEquals(0, on.order.inDoubt());
        on.order.tick(1000);
        assertEquals(1, on.order.inDoubt());
        on.feed(on.logs[1].commit(X1));
        on.round(1);
        on.round(2);
        assertEquals(0, on.order.inDoubt());
    }

    @Test
    void releasesEveryPayloadWhenItIsClosed() {
        on.feed(
                on.prepare(0, X0),
                on.prepare(1, X1),
                on.logs[0].commit(X0),
                on.local(0),
                on.prepare(0, Y0),
                on.local(1));
        assertEquals(4, on.payloads.held());
        on.order.close();
        assertEquals(0, on.payloads.held());
    }
}
