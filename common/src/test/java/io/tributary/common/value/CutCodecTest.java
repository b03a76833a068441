package io.tributary.common.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.proto.CutWire;
import io.tributary.common.value.Cut.Corrections;
import io.tributary.common.value.Cut.OpenBranch;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.SchemaState.CreatedTable;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.common.value.SchemaState.MemberCount;
import io.tributary.common.value.SchemaState.PendingDdl;
import io.tributary.common.value.SchemaState.Written;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CutCodecTest {
    private static final int ROUNDS = 2000;

    private final Random random = new Random(7);

    @Test
    void readsBackEveryFullCut() {
        for (int i = 0; i < ROUNDS; i++) {
            Cut cut = randomCut(random.nextInt(6));
            ByteBuffer bytes = ByteBuffer.wrap(CutCodec.encodeFull(cut));
            assertTrue(CutCodec.isFull(bytes));
            assertEquals(cut, CutCodec.decodeFull(bytes));
            assertEquals(0, bytes.position());
        }
    }

    @Test
    void appliesEveryDeltaToTheCutBeforeIt() {
        Cut previous = randomCut(5);
        for (int i = 0; i < ROUNDS; i++) {
            Cut next = random.nextInt(10) == 0 ? randomCut(5) : moved(previous);
            ByteBuffer delta = ByteBuffer.wrap(CutCodec.encodeDelta(previous, next));
            assertFalse(CutCodec.isFull(delta));
            assertEquals(next, CutCodec.apply(previous, delta));
            previous = next;
        }
    }

    @Test
    void aDeltaOfOneMovedShardIsSomeTensOfBytes() {
        Cut previous = randomCut(64);
        List<ShardCut> shards = new ArrayList<>(previous.shards());
        ShardCut one = shards.get(3);
        shards.set(3, advanced(one));
        Cut next = new Cut(
                previous.epoch(),
                previous.number() + 1,
                new Cut.Sources(shards, previous.open()),
                new Cut.OutputPoint(8, previous.tableIds(), 0),
                new Cut.SchemaPoint(previous.schema(), 0));
        assertTrue(CutCodec.encodeDelta(previous, next).length < 80);
    }

    @Test
    void aShardThatResumesElsewhereLosesItsBranchesAndItsHistory() {
        GtidSet old = GtidSet.parse("00000000-0000-0000-0000-000000000001:1-9");
        Cut.LeftOutGtids leftOut = new Cut.LeftOutGtids(old, GtidSet.EMPTY);
        ShardCut held = new ShardCut("s1", "a", ResumePosition.after(old), old, 5, 77, leftOut);
        Xid xid = new Xid(new byte[] {1}, new byte[] {2}, 3);
        Cut cut = Cut.beginning(List.of(ShardCut.unread("s0", "z", old, old), held));
        cut = new Cut(
                1,
                8,
                new Cut.Sources(cut.shards(), Set.of(new OpenBranch(xid, 0), new OpenBranch(xid, 1))),
                cut.output(),
                cut.schemaPoint());
        GtidSet reset = GtidSet.parse("00000000-0000-0000-0000-000000000001:1-4");
        Corrections corrections = new Corrections(
                GtidSet.parse("00000000-0000-0000-0000-000000000009:1-2"), List.of(new TableName("shop", "t")));

        Cut next = cut.resuming(held.resuming("b", reset, corrections));
        ShardCut resumed = next.shards().get(1);
        assertEquals(Set.of(new OpenBranch(xid, 0)), next.open());
        assertEquals(9, next.number());
        assertEquals(reset, resumed.frontier());
        assertEquals(reset, resumed.resume());
        assertEquals(77, resumed.key());
        assertEquals(Cut.LeftOutGtids.NONE, resumed.leftOutGtids()); // the GTIDs now belong to other transactions
        assertEquals(corrections.gtids(), resumed.correctionsLeft());
        assertEquals(
                leftOut,
                held.resuming("a", old.union(corrections.gtids()), corrections).leftOutGtids());
        assertEquals(next, CutCodec.apply(cut, ByteBuffer.wrap(CutCodec.encodeDelta(cut, next))));
    }

    @Test
    void refusesACutThatIsTruncatedAnywhere() {
        Cut previous = randomCut(3);
        for (int i = 0; i < 50; i++) {
            Cut next = moved(previous);
            byte[] full = CutCodec.encodeFull(next);
            for (int length = 0; length < full.length; length++) {
                ByteBuffer torn = ByteBuffer.wrap(full, 0, length);
                assertUnusable(() -> CutCodec.decodeFull(torn));
            }
            byte[] delta = CutCodec.encodeDelta(previous, next);
            for (int length = 0; length < delta.length; length++) {
                ByteBuffer torn = ByteBuffer.wrap(delta, 0, length);
                Cut base = previous;
                assertUnusable(() -> CutCodec.apply(base, torn));
            }
            previous = next;
        }
    }

    @Test
    void neverThrowsAnotherExceptionForDamagedBytes() {
        Cut previous = randomCut(3);
        Cut next = moved(previous);
        for (byte[] bytes : List.of(CutCodec.encodeFull(next), CutCodec.encodeDelta(previous, next))) {
            for (int i = 0; i < 20_000; i++) {
                byte[] damaged = Arrays.copyOf(bytes, bytes.length);
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
                ByteBuffer view = ByteBuffer.wrap(damaged);
                try {
                    if (CutCodec.isFull(view)) {
                        CutCodec.decodeFull(view);
                    } else {
                        CutCodec.apply(previous, view);
                    }
                } catch (TributaryException e) {
                    assertEquals(ErrorCode.CUT_UNUSABLE, e.code());
                }
            }
        }
    }

    @Test
    void refusesADeltaOfAnotherCut() {
        Cut previous = randomCut(2);
        Cut next = moved(previous);
        ByteBuffer delta = ByteBuffer.wrap(CutCodec.encodeDelta(previous, next));
        assertUnusable(() -> CutCodec.apply(next, delta));
        assertUnusable(() -> CutCodec.decodeFull(delta));
        assertUnusable(() -> CutCodec.apply(previous, ByteBuffer.wrap(CutCodec.encodeFull(previous))));
    }

    private static void assertUnusable(org.junit.jupiter.api.function.Executable call) {
        assertEquals(
                ErrorCode.CUT_UNUSABLE,
                assertThrows(TributaryException.class, call).code());
    }

    private Cut moved(Cut previous) {
        List<ShardCut> shards = new ArrayList<>(previous.shards());
        for (int i = 0; i < shards.size(); i++) {
            int what = random.nextInt(6);
            if (what == 0) {
                shards.set(i, randomShard(i));
            } else if (what < 4) {
                shards.set(i, advanced(shards.get(i)));
            }
        }
        Set<OpenBranch> open = new HashSet<>(previous.open());
        open.removeIf(branch -> random.nextBoolean());
        open.addAll(randomBranches());
        return new Cut(
                previous.epoch() + random.nextInt(2),
                previous.number() + 1 + random.nextInt(3),
                new Cut.Sources(shards, open),
                new Cut.OutputPoint(
                        previous.transactions() + random.nextInt(1000), previous.tableIds() + random.nextInt(3), 0),
                new Cut.SchemaPoint(random.nextInt(4) == 0 ? randomSchema(previous.schema()) : previous.schema(), 0));
    }

    private ShardCut advanced(ShardCut shard) {
        GtidSet.Builder resume = shard.resume().toBuilder();
        GtidSet.Builder frontier = shard.frontier().toBuilder();
        for (Sid sid : shard.resume().sids()) {
            long last = shard.resume().last(sid);
            resume.addRange(sid, last + 1, last + 1 + random.nextInt(3));
        }
        for (Sid sid : shard.frontier().sids()) {
            long gap = random.nextInt(4) == 0 ? 2 : 1;
            frontier.add(sid, shard.frontier().last(sid) + gap);
        }
        return new ShardCut(
                shard.name(),
                shard.serverUuid(),
                new ResumePosition(resume.build(), shard.file(), shard.offset() + random.nextInt(5000)),
                frontier.build(),
                shard.round() + random.nextInt(2),
                shard.key() + random.nextInt(1 << 20),
                new Cut.LeftOutGtids(
                        random.nextInt(4) == 0 ? shard.leftOut().union(randomSet()) : shard.leftOut(), GtidSet.EMPTY),
                random.nextInt(4) == 0 ? randomCorrections() : shard.corrections());
    }

    private Corrections randomCorrections() {
        return random.nextBoolean()
                ? Corrections.NONE
                : new Corrections(
                        randomSet(), List.of(new TableName("shop", "t" + random.nextInt(9)), new TableName("a.b", "")));
    }

    private Cut randomCut(int shards) {
        List<ShardCut> list = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            list.add(randomShard(i));
        }
        return new Cut(
                random.nextInt(100),
                random.nextLong() >>> 1,
                new Cut.Sources(list, randomBranches()),
                new Cut.OutputPoint(random.nextLong() >>> 1, random.nextInt(1000), 0),
                new Cut.SchemaPoint(randomSchema(SchemaState.NONE), 0));
    }

    private ShardCut randomShard(int index) {
        return new ShardCut(
                "s" + index,
                random.nextBoolean() ? "" : new UUID(random.nextLong(), random.nextLong()).toString(),
                new ResumePosition(
                        randomSet(),
                        random.nextBoolean() ? "" : "mysql-bin.00000" + random.nextInt(10),
                        random.nextInt(1 << 30)),
                randomSet(),
                random.nextInt(1 << 20),
                random.nextLong(),
                new Cut.LeftOutGtids(random.nextBoolean() ? GtidSet.EMPTY : randomSet(), GtidSet.EMPTY),
                randomCorrections());
    }

    private GtidSet randomSet() {
        GtidSet.Builder set = GtidSet.EMPTY.toBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            Sid sid = new Sid(new UUID(0, random.nextInt(4)), random.nextInt(8) == 0 ? "tag" : "");
            long first = 1L + random.nextInt(1000);
            set.addRange(sid, first, first + random.nextInt(1000));
        }
        return set.build();
    }

    private Set<OpenBranch> randomBranches() {
        Set<OpenBranch> branches = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            byte[] gtrid = new byte[1 + random.nextInt(64)];
            random.nextBytes(gtrid);
            branches.add(new OpenBranch(new Xid(gtrid, new byte[0], random.nextInt()), random.nextInt(4)));
        }
        return branches;
    }

    /** Some entries of the previous state are kept, some are changed, some are removed, and others are added after them. */
    private SchemaState randomSchema(SchemaState before) {
        List<PendingDdl> pending = new ArrayList<>();
        for (PendingDdl each : before.pending()) {
            switch (random.nextInt(3)) {
                case 0 -> {}
                case 1 -> pending.add(each);
                default ->
                    pending.add(new PendingDdl(
                            each.part(),
                            each.text(),
                            each.sinceMicros() + 1,
                            new SchemaState.LoggedStatement(each.event(), each.server()),
                            each.members()));
            }
        }
        List<CreatedTable> created = new ArrayList<>(before.created());
        created.removeIf(each -> random.nextInt(3) == 0);
        List<DdlDecision> orders = new ArrayList<>();
        List<HeldQuestion> questions = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            PendingDdl added = randomPending(new TableName("shop", "t_" + i));
            pending.add(added);
            TableName table = new TableName("shop", "t" + random.nextInt(5));
            created.removeIf(each -> each.table().equals(table));
            created.add(new CreatedTable(table, "c", List.of(new Written(added.part(), added.text()))));
            orders.add(new DdlDecision(DdlDecision.Verb.IGNORE, "id", "s1:shop.t_" + i, random.nextBoolean()));
            Gtid gtid = new Gtid(new Sid(new UUID(0, i), ""), 7);
            questions.add(
                    new HeldQuestion("q", "s" + i, gtid, new Question(ErrorCode.STATEMENT_FORMAT, "found UPDATE")));
        }
        return new SchemaState(pending, questions, orders, created);
    }

    private PendingDdl randomPending(TableName physical) {
        List<DdlKind> kinds = List.of(DdlKind.values());
        Ddl.Part part = new Ddl.Part(
                kinds.get(random.nextInt(kinds.size())),
                "id" + random.nextInt(),
                random.nextBoolean(),
                random.nextBoolean(),
                List.of(
                        new Ddl.Target(Ddl.Effect.RENAMES, new TableName("shop", "t"), physical),
                        new Ddl.Target(Ddl.Effect.BECOMES, new TableName("shop", ""))));
        byte[] event = new byte[random.nextInt(40)];
        random.nextBytes(event);
        MemberCount count = new MemberCount(random.nextInt(3), physical, random.nextInt(3), random.nextInt(3));
        ServerVersion server =
                event.length == 0 ? ServerVersion.STANDARD : new ServerVersion(random.nextBoolean(), 101118);
        return new PendingDdl(
                part,
                "ALTER ...",
                random.nextInt(1000),
                new SchemaState.LoggedStatement(ByteBuffer.wrap(event), server),
                List.of(count));
    }

    @Test
    void aDeltaContainsOnlyTheNewOfManySchemaChanges() {
        List<PendingDdl> pending = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            pending.add(randomPending(new TableName("shop", "t_" + i)));
        }
        Cut cut = randomCut(3);
        Cut previous = with(cut, new SchemaState(pending, List.of(), List.of(), List.of()));
        pending.add(randomPending(new TableName("shop", "t")));
        Cut next = with(cut, new SchemaState(pending, List.of(), List.of(), List.of()));
        byte[] delta = CutCodec.encodeDelta(previous, next);
        assertTrue(delta.length < 400, delta.length + " bytes");
        assertEquals(next, CutCodec.apply(previous, ByteBuffer.wrap(delta)));
    }

    private static Cut with(Cut cut, SchemaState schema) {
        return new Cut(
                cut.epoch(),
                cut.number(),
                new Cut.Sources(cut.shards(), cut.open()),
                new Cut.OutputPoint(cut.transactions(), cut.tableIds(), cut.tso()),
                new Cut.SchemaPoint(schema, 0));
    }

    @Test
    void aCutRecordsThatStatementsOfAnEarlierVersionWereInProgressUntilALaterOneHasNone() {
        CutWire.Cut.Builder full = CutWire.Cut.newBuilder()
                .setKind(CutWire.Cut.Kind.FULL)
                .setNumber(7)
                .addDdls(CutWire.Ddl.newBuilder().setDigest("0123"))
                .setWhole(true);
        Cut cut = CutCodec.decodeFull(ByteBuffer.wrap(full.build().toByteArray()));
        assertTrue(cut.schema().isOfEarlierVersion());
        CutWire.Cut.Builder delta = CutWire.Cut.newBuilder()
                .setKind(CutWire.Cut.Kind.DELTA)
                .setNumber(8)
                .setPrevious(7)
                .setWhole(true);
        assertTrue(CutCodec.apply(cut, ByteBuffer.wrap(delta.build().toByteArray()))
                .schema()
                .isOfEarlierVersion());
        assertEquals(cut, CutCodec.decodeFull(ByteBuffer.wrap(CutCodec.encodeFull(cut))));
        Cut none = with(cut, SchemaState.NONE);
        assertEquals(cut, CutCodec.apply(none, ByteBuffer.wrap(CutCodec.encodeDelta(none, cut))));
        assertEquals(none, CutCodec.apply(cut, ByteBuffer.wrap(CutCodec.encodeDelta(cut, none))));
        delta.setDdlsChanged(true);
        assertEquals(
                SchemaState.NONE,
                CutCodec.apply(cut, ByteBuffer.wrap(delta.build().toByteArray()))
                        .schema());
    }
}
