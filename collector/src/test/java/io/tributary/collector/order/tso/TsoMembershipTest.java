package io.tributary.collector.order.tso;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.OrderMembership;
import io.tributary.collector.order.TsoHarness;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.SchemaState.MemberCount;
import io.tributary.common.value.SchemaState.PendingDdl;
import io.tributary.common.value.Token;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shards that join and leave `tso` order: two shards and a third one, whose sorted tokens are written by hand. */
class TsoMembershipTest {
    private static final Ddl DDL = TestSchema.alter("digest", "t");

    private final TsoHarness tso = new TsoHarness(2);
    private final Tokens[] logs = tso.logs;
    private final List<String> output = tso.output;
    private final OrderMembership members = tso.order.membership();
    private GtidSet resume = GtidSet.EMPTY;

    @AfterEach
    void everyPayloadIsReleased() {
        tso.close();
    }

    private void rounds(long number, long certain, int... shards) {
        for (int shard : shards) {
            tso.feed(logs[shard].round(number).withTso(-certain));
        }
    }

    private List<String> namesInCut() {
        return tso.order.cut(1, 1, 0, 0).shards().stream().map(ShardCut::name).toList();
    }

    private void join(int shard, GtidSet frontier) {
        members.join(shard, ShardCut.unread("s2", "", resume, frontier));
    }

    @Test
    void noLargerTsoIsCompleteOnceAShardIsExpected() {
        tso.branch(0, "x", 5);
        rounds(1, 5, 0, 1);
        assertEquals(2, members.expect());
        tso.branch(0, "y", 7);
        tso.feed(logs[0].local(tso.payloads.take()).withTso(-7));
        rounds(2, 9, 0, 1);
        assertEquals(List.of("0:2"), output);
        assertEquals(List.of("s0", "s1"), namesInCut());
        assertTrue(members.cancelJoin(2));
        tso.processAll();
        assertEquals(List.of("0:2", "0:5", "L0"), output);
    }

    @Test
    void aShardIsInTheCutWithGapsOnceItsFirstRoundWasReceived() {
        tso.branch(0, "x", 5);
        rounds(1, 5, 0, 1);
        int shard = members.expect();
        tso.branch(0, "y", 7);
        Token before = logs[2].local(tso.payloads.take());
        Token prepared = tso.prepare(2, "y", 7);
        GtidSet frontier = logs[2].executed();
        Token committed = tso.commit(2, "y", 7);
        Token local = logs[2].local(tso.payloads.take()).withTso(-7);
        join(shard, frontier);
        tso.feed(before, prepared, committed, local);
        assertFalse(members.isJoined(shard));
        assertEquals(List.of("0:2"), output);
        assertEquals(List.of("s0", "s1"), namesInCut());

        rounds(2, 7, 2);
        assertTrue(members.isJoined(shard));
        ShardCut cut = tso.order.cut(1, 1, 0, 0).shards().get(2);
        assertEquals("s2", cut.name());
        assertEquals(1, cut.frontier().count(), "the branch is a gap");
        assertEquals(cut.resume(), cut.frontier());
        rounds(2, 7, 0, 1);
        assertEquals(List.of("0:2", "0:5+2:3", "L2"), output, "complete, and without earlier transactions");
        assertFalse(members.cancelJoin(shard), "it has joined");
    }

    @Test
    void aShardIsNotInTheCutWhileABranchFromBeforeItsFrontierIsUndecided() {
        int shard = members.expect();
        Token pendingBranch = tso.prepare(2, "x", 5);
        GtidSet frontier = logs[2].executed();
        join(shard, frontier);
        rounds(1, 4, 2);
        rounds(2, 4, 2);
        assertEquals(List.of("s0", "s1"), namesInCut());
        tso.feed(pendingBranch, tso.commit(2, "x", 5), logs[2].round(3).withTso(-5));
        assertTrue(members.isJoined(shard));
        rounds(3, 5, 0, 1);
        assertEquals(List.of("2:4"), output);
    }

    @Test
    void aShardThatDoesNotJoinReleasesItsPayload() {
        int shard = members.expect();
        join(shard, GtidSet.EMPTY);
        tso.feed(logs[2].local(tso.payloads.take()));
        assertTrue(members.cancelJoin(shard));
        tso.feed(logs[2].local(tso.payloads.take()), logs[2].round(1));
        assertEquals(List.of("s0", "s1"), namesInCut());
        assertEquals(3, members.expect(), "no index is used twice");
    }

    @Test
    void aStatementThatAShardExecutedBeforeItJoinedIsNotExpected() {
        tso.feed(logs[0].ddl(DDL, tso.payloads.take()));
        rounds(1, 1, 0, 1);
        int shard = members.expect();
        Token had = logs[2].ddl(DDL, tso.payloads.take());
        join(shard, logs[2].executed());
        tso.feed(had);
        rounds(1, 1, 2);
        TestSchema.list(tso.schema, shard, "t");
        List<PendingDdl> pending = tso.order.cut(1, 1, 0, 0).schema().pending();
        assertEquals(
                List.of(1),
                pending.get(0).members().stream().map(MemberCount::shard).toList());
        assertEquals(List.of("D0"), output);
    }

    // ---- leaving

    @Test
    void aShardLeavesAtARoundAfterAQuietWindow() {
        members.requestLeave(1, 4);
        rounds(3, 1, 0, 1);
        rounds(4, 1, 0, 1);
        rounds(5, 1, 0, 1);
        assertNull(members.left(1), "no whole window has begun since");
        tso.feed(logs[1].local(tso.payloads.take()).withTso(-1));
        rounds(6, 1, 0, 1);
        assertTrue(
                String.join("", members.hindrances(1)).contains("still logged"),
                members.hindrances(1).toString());
        rounds(7, 1, 0, 1);
        assertEquals(logs[1].executed(), members.left(1).frontier());
        assertEquals(List.of("s0"), namesInCut());
        tso.branch(0, "x", 5);
        tso.feed(logs[1].local(tso.payloads.take()));
        rounds(8, 5, 0);
        assertEquals(List.of("L1", "0:7"), output, "the others do not wait for it");
    }

    @Test
    void aShardStaysWhileABranchIsUndecidedThere() {
        members.requestLeave(1, 0);
        Token pendingBranch = tso.prepare(1, "x", 5);
        rounds(1, 1, 0, 1);
        rounds(2, 1, 0, 1);
        rounds(3, 1, 0, 1);
        assertNull(members.left(1));
        assertTrue(
                String.join("", members.hindrances(1)).contains("not decided"),
                members.hindrances(1).toString());
        tso.feed(pendingBranch, tso.commit(1, "x", 5));
        rounds(4, 5, 0, 1);
        assertNull(members.left(1), "the decision was logged just now");
        rounds(5, 5, 0, 1);
        assertEquals(List.of("1:5"), output);
        assertEquals(List.of("s0"), namesInCut());
    }

    @Test
    void aCancelledLeaveKeepsTheShard() {
        members.requestLeave(1, 0);
        rounds(1, 1, 0, 1);
        members.cancelLeave(1);
        rounds(2, 1, 0, 1);
        rounds(3, 1, 0, 1);
        Cut cut = tso.order.cut(1, 1, 0, 0);
        assertEquals(2, cut.shards().size());
        assertEquals(List.of(), members.hindrances(1));
    }
}
