package io.tributary.collector.order.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.Tokens;
import io.tributary.collector.order.TsoHarness;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Xid;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three shards' sorted tokens, written by hand, joined by TSO. */
class TsoOrderTest {
    private final TsoHarness tso = new TsoHarness(3);
    private final Tokens[] logs = tso.logs;
    private final List<String> output = tso.output;

    @AfterEach
    void everyPayloadIsReleased() {
        tso.close();
    }

    private void local(int shard, long stamp) {
        tso.feed(logs[shard].local(tso.payloads.take()).withTso(stamp));
    }

    private void round(long certain) {
        for (Tokens log : logs) {
            tso.feed(log.round(1).withTso(-certain));
        }
    }

    private static TributaryException refused(Runnable what) {
        TributaryException e = assertThrows(TributaryException.class, what::run);
        assertTrue(e.getMessage().startsWith("shard s"), e.getMessage());
        return e;
    }

    @Test
    void theSnapshotShowsForWhichShardTheOthersWait() {
        assertEquals(List.of(), tso.order.snapshot(10, 0).waits());
        tso.branch(0, "x", 5);
        tso.feed(logs[2].round(1).withTso(-5));
        String waits = String.join("; ", tso.order.snapshot(10, 0).waits());
        assertEquals(
                "2 transactions and decisions, the first of them at TSO 5, wait for a larger one from shard s1", waits);
    }

    @Test
    void branchesOfOneTsoAreOneTransactionOnceEveryShardHasPassedIt() {
        tso.branch(0, "x", 5);
        tso.branch(2, "x", 5);
        assertTrue(tso.order.awaitsRound());
        tso.feed(logs[0].round(1).withTso(-5), logs[2].round(1).withTso(-5));
        assertEquals(List.of(), output, "shard 1 may have a branch too");
        tso.feed(logs[1].round(1).withTso(-5));
        assertEquals(List.of("0:2+2:2"), output);
        assertFalse(tso.order.awaitsRound());
    }

    @Test
    void aRoundWithASmallerTsoIsNotEnough() {
        tso.branch(0, "x", 5);
        round(4 + 1);
        assertEquals(List.of("0:2"), output);
        tso.branch(0, "y", 8);
        tso.feed(
                logs[0].round(2).withTso(-8),
                logs[1].round(2).withTso(-7),
                logs[2].round(2).withTso(-8));
        assertEquals(List.of("0:2"), output);
    }

    @Test
    void aTokenWithoutATsoFollowsItsShardsLastTso() {
        local(1, 0);
        tso.branch(0, "x", 5);
        local(0, -5);
        tso.branch(1, "x", 5);
        local(1, -5);
        local(2, 4);
        round(5);
        assertEquals(List.of("L1", "L2", "0:2+1:3", "L0", "L1"), output);
    }

    @Test
    void aCutResumesWithoutTheGapsOfPendingTransactions() {
        local(1, 0);
        tso.branch(0, "x", 5);
        Cut cut = tso.order.cut(1, 1, output.size(), 0);
        assertEquals(0, cut.tso());
        round(5);
        cut = tso.order.cut(1, 2, output.size(), 0);
        assertEquals(5, cut.tso());
        assertEquals(3, cut.shards().get(0).resume().count());
        assertEquals(cut.shards().get(0).resume(), cut.shards().get(0).frontier());
        assertTrue(cut.open().isEmpty());
        tso.restart(cut);
        assertEquals(
                ErrorCode.ORDER_CONTRADICTION,
                refused(() -> tso.branch(0, "y", 4)).code());
    }

    @Test
    void refusesOneTsoInTwoTransactions() {
        tso.branch(0, "x", 5);
        tso.branch(1, "y", 5);
        TributaryException two = refused(() -> round(5));
        assertEquals(ErrorCode.TSO_REFUSED, two.code());
        assertTrue(two.getMessage().contains("'x'") && two.getMessage().contains("'y'"), two.getMessage());
    }

    @Test
    void refusesOneTsoInALocalAndAnotherTransaction() {
        local(0, 5);
        local(1, 5);
        assertEquals(ErrorCode.TSO_REFUSED, refused(() -> round(5)).code());
    }

    @Test
    void refusesBranchesWithDifferentTsos() {
        tso.branch(0, "x", 5);
        TributaryException other = refused(() -> tso.branch(1, "x", 6));
        assertEquals(ErrorCode.TSO_REFUSED, other.code());
        for (String named : List.of("shard s1", "shard s0", "expected TSO 5", "found 6", "'x'")) {
            assertTrue(other.getMessage().contains(named), named + " in " + other.getMessage());
        }
    }

    @Test
    void aGtridMayBeUsedAgainOnAShardThatHadIt() {
        tso.branch(0, "x", 5);
        tso.branch(1, "x", 5);
        round(5);
        tso.branch(0, "x", 7);
        tso.branch(1, "x", 7);
        round(7);
        assertEquals(List.of("0:2+1:2", "0:5+1:5"), output);
    }

    @Test
    void aBranchThatWasRolledBackAlthoughOthersCommittedIsReported() {
        tso.branch(0, "x", 5);
        Xid xid = Tokens.xid("x", "1");
        tso.feed(
                logs[1].prepare(xid, null).skipped().withTso(5),
                logs[1].rollback(xid).withTso(5));
        round(5);
        assertEquals(List.of("0:2"), output);
        assertEquals(1, tso.violations.mixedOutcomes().value());
    }

    @Test
    void refusesDecreasingTsos() {
        local(0, 5);
        TributaryException back = refused(() -> local(0, -4));
        assertEquals(ErrorCode.ORDER_CONTRADICTION, back.code());
    }

    @Test
    void theMinimumOfManyIsAlwaysKnown() {
        for (int size = 1; size < 20; size++) {
            long[] numbers = new long[size];
            SplittableRandom random = new SplittableRandom(size);
            MinimumTree tree = new MinimumTree(numbers);
            for (int i = 0; i < 200; i++) {
                int at = random.nextInt(size);
                numbers[at] = random.nextInt(50);
                tree.set(at, numbers[at]);
                assertEquals(Arrays.stream(numbers).min().orElseThrow(), tree.minimum());
            }
        }
    }
}
