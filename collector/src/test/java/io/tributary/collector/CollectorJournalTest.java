package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.SchemaJournal;
import io.tributary.common.config.ByteSize;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventType;
import io.tributary.store.JournalMap;
import io.tributary.testkit.ManualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the position of journal changes in the output: before the transaction that they describe, without a cut between them. */
class CollectorJournalTest {
    private static final long SERVER_ID = 4242;

    private final AtomicInteger held = new AtomicInteger();
    private final Link<Token> in = new Link<>("merged", 1 << 16, Clock.SYSTEM);
    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final ManualClock clock = new ManualClock();
    private final Map<Token, Runnable> before = new HashMap<>();
    private ChunkReader out = new ChunkReader(SERVER_ID);
    private CollectorStages stages;
    private JournalMap map = JournalMap.onHeap();
    private SchemaJournal journal;

    /** Runs the actions for a token when it is received, on the thread that orders. */
    private final class Watched implements Inlet<Token> {
        @Override
        public Token peek() {
            return in.peek();
        }

        @Override
        public Token poll() {
            Token token = in.poll();
            Runnable change = token == null ? null : before.remove(token);
            if (change != null) {
                change.run();
            }
            return token;
        }
    }

    private void begin(Cut start, int workers) {
        stages = CollectorStages.of(
                TestConfig.refusing(new ByteSize(4096), 10, new ByteSize(20_000), workers),
                new CollectorStages.Origin(SERVER_ID, 80036),
                new OrderStart(OrderMode.XA, start),
                new CollectorLinks(new Watched(), out, new RoundRequest(), () -> 5),
                new CollectorResources(TestSchema.store(TestSchema.payloads(), map), new Metrics(), clock));
        CompletableFuture<SchemaJournal> got = stages.collector().journal(used -> used);
        run();
        journal = got.join();
    }

    private void run() {
        int done;
        do {
            done = 0;
            for (Stage stage : stages.all()) {
                done += work(stage);
            }
        } while (done > 0);
    }

    private static int work(Stage stage) {
        try {
            return stage.doWork();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void close() {
        stages.all().forEach(Stage::close);
        assertEquals(0, held.get(), "payloads that were not released");
    }

    private Token local(int rowBytes) {
        TestPayload payload = new TestPayload(held).statement(12, EventType.WRITE_ROWS_EVENT, 1, rowBytes);
        Token token = logs[0].local(payload.inOnePiece());
        in.put(token);
        return token;
    }

    @Test
    void aChangeIsDirectlyBeforeItsTransactionAlsoInTheMiddleOfABatch() {
        begin(Tokens.firstCut(2), 1);
        local(5);
        local(5);
        before.put(local(5), () -> journal.put("d\0shop\0t", new byte[] {1}));
        local(5);
        run();
        assertEquals(4, out.transactions().size());
        ChunkReader.Change change = out.changes().get(0);
        assertEquals(2, change.transactionsBefore());
        assertEquals(1, change.change().number());
        assertEquals(out.cutsBefore(2), change.cutsBefore(), "no cut is between them");
        Cut last = out.cuts().get(out.cuts().size() - 1);
        assertEquals(1, last.schemaNumber());
        close();
    }

    @Test
    void changesOfOneTokenAreOneRecordAndNoChangeIsNoRecord() {
        begin(Tokens.firstCut(2), 1);
        before.put(local(5), () -> {
            journal.put("a", new byte[] {1});
            journal.put("b", new byte[] {2});
            journal.put("a", new byte[] {3});
            journal.remove("b");
            journal.remove("c");
        });
        run();
        before.put(local(5), () -> journal.put("a", new byte[] {3}));
        run();
        assertEquals(
                List.of(Journal.change(1, List.of(new Journal.Put("a", new byte[] {3})), List.of("b"))),
                out.changes().stream().map(ChunkReader.Change::change).toList());
        close();
    }

    @Test
    void aChangeWithoutAFollowingTransactionIsWrittenAtOnce() {
        begin(Tokens.firstCut(2), 1);
        int cuts = out.cuts().size();
        CompletableFuture<Void> done = stages.collector().journal(used -> {
            used.put("k", new byte[] {7});
            return null;
        });
        run();
        assertTrue(done.isDone());
        assertEquals(1, out.changes().size());
        assertEquals(cuts + 1, out.cuts().size());
        assertEquals(1, out.cuts().get(cuts).schemaNumber());
        close();
    }

    @Test
    void aLargeTransactionIsAfterItsChange() {
        begin(Tokens.firstCut(2), 1);
        local(5);
        before.put(local(30_000), () -> journal.put("k", new byte[] {1}));
        run();
        assertTrue(out.pieces() > 0);
        assertEquals(1, out.changes().get(0).transactionsBefore());
        assertEquals(out.cutsBefore(1), out.changes().get(0).cutsBefore());
        close();
    }

    @Test
    void manyChangesAtOnceAreRecordsOfBoundedSizeWithoutACutBetweenThem() {
        begin(Tokens.firstCut(2), 1);
        Token last = local(5);
        before.put(last, () -> {
            for (int i = 0; i < 40_000; i++) {
                journal.put("d\0shop\0t" + i, new byte[150]);
            }
        });
        run();
        assertTrue(out.changes().size() > 10, out.changes().size() + " records");
        out.changes().forEach(change -> {
            assertTrue(change.change().bytes() < 2 * Journal.PART_BYTES);
            assertEquals(out.cutsBefore(0), change.cutsBefore());
            assertEquals(0, change.transactionsBefore());
        });
        assertEquals(
                40_000,
                out.changes().stream()
                        .mapToInt(each -> each.change().puts().size())
                        .sum());
        close();
    }

    @Test
    void aCollectorContinuesWithTheJournalOfItsCutAndRefusesAnother() {
        begin(Tokens.firstCut(2), 1);
        before.put(local(5), () -> journal.put("k", new byte[] {7}));
        run();
        Cut kept = out.cuts().get(out.cuts().size() - 1);
        JournalMap at = JournalMap.onHeap();
        out.changes().forEach(change -> at.fold(change.change()));
        close();

        map = JournalMap.onHeap();
        assertThrows(TributaryException.class, () -> begin(kept, 1));
        map = at;
        out = new ChunkReader(SERVER_ID);
        begin(kept, 1);
        assertArrayEquals(new byte[] {7}, journal.get("k"));
        assertNull(journal.get("l"));
        before.put(local(5), () -> journal.remove("k"));
        run();
        assertEquals(2, out.changes().get(0).change().number());
        close();
    }

    @Test
    void underAnyBackPressureEachChangeIsWrittenOnceInOrderAndMatchesTheMapAtEachCut() {
        long first = new Random().nextLong();
        for (long seed = first; seed < first + 200; seed++) {
            Random random = new Random(seed);
            String at = "seed " + seed;
            out = new ChunkReader(SERVER_ID);
            map = JournalMap.onHeap();
            begin(Tokens.firstCut(2), 1 + random.nextInt(3));
            Map<Integer, Map<String, byte[]>> changes = new LinkedHashMap<>(); // by transaction, from 0
            boolean isSlow = random.nextBoolean();
            for (int i = 0; i < 120; i++) {
                Token token = local(random.nextInt(20) == 0 ? 25_000 : random.nextInt(600));
                if (random.nextInt(4) == 0) {
                    Map<String, byte[]> change = new TreeMap<>();
                    for (int n = random.nextInt(3); n >= 0; n--) {
                        change.put("t" + i + "." + n, new byte[] {(byte) i, (byte) n});
                    }
                    changes.put(i, change);
                    byte[] shared = {(byte) i};
                    before.put(token, () -> {
                        change.forEach(journal::put);
                        journal.put("shared", shared);
                    });
                }
                if (isSlow) {
                    out.room(random.nextInt(3));
                }
                for (Stage stage : stages.all()) {
                    work(stage);
                }
            }
            out.room(Integer.MAX_VALUE);
            run();
            assertEquals(120, out.transactions().size(), at);
            check(changes, isSlow, at);
            close();
        }
    }

    private void check(Map<Integer, Map<String, byte[]>> changes, boolean isSlow, String at) {
        List<Integer> expected = new ArrayList<>(changes.keySet());
        Map<String, byte[]> puts = new HashMap<>();
        int next = 0;
        for (ChunkReader.Change change : out.changes()) {
            for (Journal.Put put : change.change().puts()) {
                puts.put(put.key(), put.value());
            }
            while (next < expected.size() && has(puts, changes.get(expected.get(next)))) {
                int transaction = expected.get(next);
                assertEquals(out.cutsBefore(transaction), change.cutsBefore(), at);
                assertTrue(change.transactionsBefore() <= transaction, at);
                assertTrue(isSlow || change.transactionsBefore() == transaction, at);
                next++;
            }
        }
        assertEquals(expected.size(), next, at);
        Cut last = out.cuts().get(out.cuts().size() - 1);
        assertEquals(out.changes().size(), last.schemaNumber(), at);
    }

    private static boolean has(Map<String, byte[]> puts, Map<String, byte[]> change) {
        return change.entrySet().stream()
                .allMatch(entry -> java.util.Arrays.equals(entry.getValue(), puts.get(entry.getKey())));
    }
}
