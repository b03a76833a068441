package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.config.ByteSize;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventType;
import io.tributary.testkit.ManualClock;
import io.tributary.testkit.order.NamedTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** From merged tokens to chunks: bytes, batches, large transactions, cuts, and the release of every payload. */
class CollectorTest {
    private static final int SHARDS = 3;
    private static final long SERVER_ID = 4242;
    private static final TableRef TABLE = NamedTables.table(12, "shop", "t");

    private final AtomicInteger held = new AtomicInteger();
    private final Link<Token> in = new Link<>("merged", 1 << 16, Clock.SYSTEM);
    private final RoundRequest demand = new RoundRequest();
    private final Tokens[] logs = {new Tokens(0), new Tokens(1), new Tokens(2)};
    private final ManualClock clock = new ManualClock();
    private ChunkReader out = new ChunkReader(SERVER_ID);
    private CollectorStages stages = stages(Tokens.firstCut(SHARDS), 1);

    private CollectorStages stages(Cut start, int workers) {
        CollectorConfig config = TestConfig.refusing(new ByteSize(4096), 10, new ByteSize(20_000), workers);
        return CollectorStages.of(
                config,
                new CollectorStages.Origin(SERVER_ID, 80036),
                new OrderStart(OrderMode.XA, start),
                new CollectorLinks(in, out, demand, () -> 5),
                new CollectorResources(TestSchema.store(), new Metrics(), clock));
    }

    private void run() {
        int done;
        do {
            done = 0;
            for (Stage stage : stages.all()) {
                try {
                    done += stage.doWork();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        } while (done > 0);
    }

    private void close() {
        stages.all().forEach(Stage::close);
        assertEquals(0, held.get(), "payloads that were not released");
    }

    private TestPayload rows(int statements, int rowBytes) {
        TestPayload payload = new TestPayload(held);
        for (int i = 0; i < statements; i++) {
            payload.statement(12, EventType.WRITE_ROWS_EVENT, 1, rowBytes);
        }
        return payload.inOnePiece();
    }

    private void round(long round) {
        for (Tokens log : logs) {
            in.put(log.round(round));
        }
    }

    @Test
    void aTransactionIsGtidBeginPayloadXid() {
        TestPayload payload = rows(2, 30);
        in.put(logs[0].local(payload, TABLE));
        run();
        assertEquals(1, out.transactions().size());
        assertArrayEquals(payload.bytes(), out.transactions().get(0).payload());
        assertEquals(1, out.cuts().size());
        assertEquals(5, out.cuts().get(0).epoch());
        assertEquals(1, out.cuts().get(0).number());
        assertEquals(12, out.cuts().get(0).tableIds());
        close();
    }

    @Test
    void onlyANewStreamBeginsWithTheCutThatItStartsFrom() {
        run();
        assertEquals(1, out.cuts().size());
        assertEquals(Tokens.firstCut(SHARDS).shards(), out.cuts().get(0).shards());
        Cut kept = out.cuts().get(0);
        close();

        stages = stages(kept, 1);
        run();
        assertEquals(1, out.cuts().size());
        close();
    }

    @Test
    void aDdlIsGtidAndQuery() {
        TestPayload query =
                new TestPayload(held).event(EventType.QUERY_EVENT, 1, 0, 40).inOnePiece();
        Ddl ddl = TestSchema.alter("d", "t");
        listed("t");
        in.put(logs[0].ddl(ddl, query));
        in.put(logs[1].ddl(ddl, new TestPayload(held).query("ALTER TABLE t FORCE")));
        run();
        assertEquals(1, out.transactions().size());
        assertTrue(out.transactions().get(0).isDdl());
        assertArrayEquals(query.bytes(), out.transactions().get(0).payload());
        close();
    }

    @Test
    void aTransactionWithoutRowsIsNotWritten() {
        in.put(logs[0].prepare(Tokens.xid("x", "0"), new TestPayload(held)));
        in.put(logs[0].commit(Tokens.xid("x", "0")));
        in.put(logs[1].local(new TestPayload(held)));
        round(1);
        round(2);
        in.put(logs[1].local(rows(1, 5)));
        run();
        assertEquals(List.of(1L), out.transactions().stream().map(t -> t.gno()).toList());
        close();
    }

    @Test
    void batchesEndWhenTheyAreFullOrNoTokenWaits() {
        for (int i = 0; i < 50; i++) {
            in.put(logs[0].local(rows(1, 5)));
        }
        run();
        assertEquals(
                List.of(10L, 20L, 30L, 40L, 50L),
                out.cuts().stream().map(c -> c.transactions()).toList());
        for (int i = 0; i < 5; i++) {
            in.put(logs[0].local(rows(1, 1500)));
        }
        run();
        assertEquals(7, out.cuts().size(), "4096 bytes end a batch");
        close();
    }

    @Test
    void whileOnlyRoundsArriveACutIsWrittenOncePerInterval() {
        run();
        assertEquals(1, out.cuts().size(), "the start of the stream");
        round(1);
        run();
        assertEquals(1, out.cuts().size());
        clock.pass(Duration.ofSeconds(1));
        run();
        assertEquals(2, out.cuts().size());
        assertEquals(1, out.cuts().get(1).shards().get(2).round());
        clock.pass(Duration.ofSeconds(1));
        run();
        assertEquals(2, out.cuts().size(), "nothing has moved");
        in.put(logs[1].skipped());
        run();
        assertEquals(3, out.cuts().size());
        close();
    }

    @Test
    void cutsShareUnchangedShards() {
        in.put(logs[0].local(rows(1, 5)));
        run();
        in.put(logs[1].local(rows(1, 5)));
        run();
        List<Cut.ShardCut> first = out.cuts().get(0).shards();
        List<Cut.ShardCut> second = out.cuts().get(1).shards();
        assertSame(first.get(0), second.get(0));
        assertNotSame(first.get(1), second.get(1));
        close();
    }

    @Test
    void requestsARoundWhileATransactionWaitsForOne() {
        in.put(logs[0].local(rows(1, 5)));
        run();
        assertFalse(demand.isRequested());
        in.put(logs[0].prepare(Tokens.xid("x", "0"), rows(1, 5)));
        in.put(logs[0].commit(Tokens.xid("x", "0")));
        run();
        assertTrue(demand.isRequested());
        close();
    }

    @Test
    void aLargeTransactionIsSentInPieces() {
        SplittableRandom random = new SplittableRandom(9);
        TestPayload small = rows(1, 5);
        TestPayload large = new TestPayload(held);
        for (int i = 0; i < 300; i++) {
            large.statement(12, EventType.UPDATE_ROWS_EVENT, 2, random.nextInt(4000));
        }
        large.inPieces(random);
        in.put(logs[0].local(small));
        in.put(logs[0].local(large));
        in.put(logs[0].local(rows(1, 5)));
        run();
        assertEquals(3, out.transactions().size());
        assertArrayEquals(large.bytes(), out.transactions().get(1).payload());
        assertTrue(out.pieces() > 3);
        assertEquals(
                List.of(1L, 2L, 3L),
                out.cuts().stream().map(c -> c.transactions()).toList());
        close();
    }

    @Test
    void aResumeFromTheCutBeforeALargeTransactionReadsItAgain() {
        Token small = logs[0].local(rows(1, 5));
        TestPayload branch = rows(9, 3000);
        List<Token> after = List.of(
                logs[0].prepare(Tokens.xid("x", "0"), branch),
                logs[1].prepare(Tokens.xid("x", "1"), new TestPayload(held)),
                logs[0].commit(Tokens.xid("x", "0")),
                logs[1].commit(Tokens.xid("x", "1")));
        in.put(small);
        after.forEach(in::put);
        round(1);
        round(2);
        run();
        assertEquals(
                List.of(1L, 2L), out.cuts().stream().map(c -> c.transactions()).toList());
        Cut before = out.cuts().get(0);
        assertTrue(before.open().isEmpty(), "nothing of it has been emitted");
        close();

        out = new ChunkReader(SERVER_ID);
        stages = stages(before, 1);
        in.put(Tokens.again(after.get(0), after.get(0).shard(), rows(9, 3000)));
        in.put(Tokens.again(after.get(1), after.get(1).shard(), new TestPayload(held)));
        in.put(after.get(2));
        in.put(after.get(3));
        Tokens[] later = logs;
        for (Tokens log : later) {
            in.put(log.round(3));
        }
        for (Tokens log : later) {
            in.put(log.round(4));
        }
        run();
        assertEquals(List.of(2L), out.transactions().stream().map(t -> t.gno()).toList());
        assertArrayEquals(branch.bytes(), out.transactions().get(0).payload());
        close();
    }

    @Test
    void aDdlThatSomeShardsLackIsShownUntilTheyHaveIt() {
        Ddl ddl = TestSchema.alter("0123456789", "t");
        listed("t");
        in.put(logs[0].ddl(
                ddl,
                new TestPayload(held).event(EventType.QUERY_EVENT, 1, 0, 40).inOnePiece()));
        run();
        clock.pass(Duration.ofMillis(300));
        run();
        SchemaItem item = stages.collector().schemaItems().get(0);
        assertEquals(SchemaItem.State.PENDING, item.state());
        assertEquals(List.of("s1:shop.t", "s2:shop.t"), item.lacks());
        in.put(logs[1].ddl(ddl, new TestPayload(held).query("ALTER TABLE t FORCE")));
        clock.pass(Duration.ofSeconds(90));
        run();
        clock.pass(Duration.ofMillis(300));
        run();
        assertEquals(
                List.of("s2:shop.t"), stages.collector().schemaItems().get(0).lacks());
        assertEquals(90, stages.collector().schemaItems().get(0).seconds());
        in.put(logs[2].ddl(ddl, new TestPayload(held).query("ALTER TABLE t FORCE")));
        run();
        clock.pass(Duration.ofMillis(300));
        run();
        assertEquals(List.of(), stages.collector().schemaItems());
        close();
    }

    private void listed(String... tables) {
        for (int shard = 0; shard < SHARDS; shard++) {
            assertFalse(
                    stages.collector().tables(shard, TestSchema.tables(tables)).isCompletedExceptionally());
        }
    }

    @Test
    void returnsTheTransactionsThatAreNotEmittedUntilItIsClosed() throws Exception {
        in.put(logs[0].prepare(Tokens.xid("x", "0"), rows(1, 5)));
        run();
        CompletableFuture<OrderSnapshot> answer = stages.collector().snapshot();
        CompletableFuture<OrderSnapshot> another = stages.collector().snapshot();
        assertFalse(answer.isDone());
        run();
        assertEquals(1, answer.get().total());
        assertEquals(1, another.get().transactions().size());
        CompletableFuture<OrderSnapshot> last = stages.collector().snapshot();
        close();
        assertTrue(last.isCompletedExceptionally());
        assertTrue(stages.collector().snapshot().isCompletedExceptionally());
    }

    @Test
    void aDistributedTransactionDependsByItsPreparesAndCountsByItsCommits() {
        in.put(logs[0].local(0, rows(1, 5))); // 1
        in.put(logs[1].local(0, rows(1, 5))); // 2
        in.put(logs[0].prepare(Tokens.xid("x", "0"), rows(1, 5)));
        in.put(logs[0].local(1, rows(1, 5))); // 3: in parallel with x
        in.put(logs[1].prepare(Tokens.xid("x", "1"), rows(1, 5)));
        in.put(logs[0].commit(Tokens.xid("x", "0")));
        in.put(logs[1].commit(Tokens.xid("x", "1")));
        round(1);
        round(2); // 4: x
        in.put(logs[1].local(2, rows(1, 5))); // 5: after the prepare, before the commit
        in.put(logs[1].local(3, rows(1, 5))); // 6: after the commit
        run();
        assertEquals(
                List.of(0L, 0L, 1L, 2L, 2L, 4L),
                out.transactions().stream().map(t -> t.lastCommitted()).toList());
        close();
    }

    @Test
    void everythingIsWrittenUnderAnyBackPressureAndFromAnyCut() {
        for (int run = 0; run < 25; run++) {
            SplittableRandom random = new SplittableRandom(run);
            out = new ChunkReader(SERVER_ID);
            stages = stages(Tokens.firstCut(SHARDS), random.nextInt(1, 4));
            List<byte[]> expected = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                feed(random, expected);
                out.room(random.nextInt(3));
                for (Stage stage : stages.all()) {
                    for (int times = random.nextInt(3); times > 0; times--) {
                        assertTrue(work(stage) >= 0);
                    }
                }
            }
            out.room(Integer.MAX_VALUE);
            if (random.nextBoolean()) {
                run();
                assertEquals(expected.size(), out.transactions().size());
                for (int i = 0; i < expected.size(); i++) {
                    assertArrayEquals(expected.get(i), out.transactions().get(i).payload());
                    assertEquals(i + 1, out.transactions().get(i).gno());
                }
            }
            close();
        }
    }

    private void feed(SplittableRandom random, List<byte[]> expected) {
        TestPayload payload = rows(random.nextInt(1, 4), random.nextInt(20) == 0 ? 12_000 : random.nextInt(400));
        if (random.nextBoolean()) {
            payload.inPieces(random);
        }
        expected.add(payload.bytes());
        in.put(logs[random.nextInt(SHARDS)].local(payload, TABLE));
    }

    private static int work(Stage stage) {
        try {
            return stage.doWork();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
