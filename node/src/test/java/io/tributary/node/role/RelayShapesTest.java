package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.value.Token;
import io.tributary.node.role.RelayLogs.Entry;
import io.tributary.testkit.proxy.Direction;
import io.tributary.transmitter.StreamSource;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trees of relays of any shape give what one flat merger gives, token by token, also when connections are cut and the rest is read
 * anew from what was taken, and when shards leave then. {@code -Dseed=} replays one run.
 */
class RelayShapesTest {
    private static final int RUNS = 25;
    private static final long END = 1_000_000;

    @Test
    void everyShapeOfRelaysGivesWhatAFlatMergerGives(@TempDir Path folder) {
        Long seed = Long.getLong("seed");
        for (long run = seed == null ? 1 : seed; run <= (seed == null ? RUNS : seed); run++) {
            try {
                compare(new SplittableRandom(run), folder);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + run + ": " + e.getMessage(), e);
            }
        }
    }

    private static void compare(SplittableRandom random, Path folder) {
        int shards = 1 + random.nextInt(random.nextInt(5) == 0 ? 120 : 12);
        RelayLogs logs = logs(random, shards, folder);
        List<Entry> flat = new ArrayList<>();
        logs.entries.forEach(log -> flat.addAll(log.subList(0, log.size() - 1)));
        flat.sort(Comparator.comparingLong(Entry::key)
                .thenComparingInt(Entry::shard)
                .thenComparingLong(Entry::gno));
        flat.add(logs.entries.get(0).get(logs.entries.get(0).size() - 1)); // the others' last wait for more of shard 0
        List<RelayTree> cuttable = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            all.add(shard);
        }
        try (RelayTree top = tree(random, logs, "top", all, 2, cuttable)) {
            int[] taken = new int[shards];
            int cuts = random.nextInt(4);
            int at = 0;
            for (int attempt = 0; at < flat.size(); attempt++) {
                assertTrue(attempt <= cuts, top + " came to " + at + " of " + flat.size());
                if (attempt < cuts && !cuttable.isEmpty()) {
                    RelayTree victim = cuttable.get(random.nextInt(cuttable.size()));
                    victim.proxy().cutAfter(Direction.TO_CLIENT, random.nextInt(400_000));
                } else {
                    cuttable.forEach(relay -> relay.proxy().pass());
                }
                at += take(top, logs, taken, flat.subList(at, flat.size()), attempt);
                int gone = random.nextInt(shards);
                if (gone > 0 && random.nextInt(2) == 0) { // it leaves: the relays are asked for fewer
                    taken[gone] = -1;
                    flat.subList(at, flat.size()).removeIf(entry -> entry.shard() == gone);
                }
            }
        }
        assertEquals(0, logs.store().memoryInUse(), "payload is held");
        logs.store().close();
    }

    private static RelayLogs logs(SplittableRandom random, int shards, Path folder) {
        RelayLogs logs = new RelayLogs(folder);
        int most = 1 + 3000 / shards;
        int step = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(50);
        for (int shard = 0; shard < shards; shard++) {
            List<Entry> log = new ArrayList<>();
            long key = random.nextInt(20);
            int count = random.nextInt(4) == 0 ? 0 : random.nextInt(most);
            for (int gno = 1; gno <= count; gno++) {
                key += random.nextInt(step);
                int bytes = random.nextInt(200) == 0 ? 300_000 : random.nextInt(400);
                log.add(new Entry(shard, gno, key, bytes));
            }
            log.add(new Entry(shard, count + 1, END, 10));
            logs.entries.add(log);
        }
        return logs;
    }

    /** Some of the shards read directly, the others dealt out to relays at random, not by neighbourhood. */
    static RelayTree tree(
            SplittableRandom random,
            RelayTree.Source logs,
            String name,
            List<Integer> shards,
            int levels,
            List<RelayTree> cuttable) {
        int count = levels == 0 ? 0 : random.nextInt(4);
        List<List<Integer>> parts = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            parts.add(new ArrayList<>());
        }
        shards.forEach(shard -> parts.get(random.nextInt(count + 1)).add(shard));
        List<RelayTree> relays = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            if (!parts.get(i).isEmpty()) {
                relays.add(tree(random, logs, name + "-" + i, parts.get(i), levels - 1, cuttable));
            }
        }
        cuttable.addAll(relays);
        return new RelayTree(logs, name, parts.get(0), relays, random.split());
    }

    /** Takes tokens until all have come or a connection breaks; answers how many. */
    private static int take(RelayTree top, RelayLogs logs, int[] taken, List<Entry> due, int attempt) {
        Link<Token> out = new Link<>("merged", 64, Clock.SYSTEM);
        AtomicReference<TributaryException> failed = new AtomicReference<>();
        int count = 0;
        List<Integer> present = IntStream.range(0, taken.length)
                .filter(shard -> taken[shard] >= 0)
                .boxed()
                .toList();
        long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        StreamSource.Running running = top.run(logs.cut(taken), new RoundDemand(), out, List.of(), failed::set);
        try {
            while (count < due.size() && (failed.get() == null || out.peek() != null)) {
                Token token = out.poll();
                if (token == null) {
                    assertTrue(Clock.SYSTEM.nanoTime() < deadline, () -> top + ": nothing more came within a minute");
                    LockSupport.parkNanos(50_000);
                    continue;
                }
                Entry expected = due.get(count++);
                taken[expected.shard()]++;
                String where = top + ", attempt " + attempt + ", token " + count;
                assertEquals(
                        expected.shard() + ":" + expected.gno(), present.get(token.shard()) + ":" + token.gno(), where);
                assertEquals(expected.key(), token.key(), where);
                assertEquals(RelayLogs.event(expected), bytes(token), where);
                token.payload().release();
            }
        } finally {
            running.close();
        }
        for (Token token = out.poll(); token != null; token = out.poll()) {
            token.payload().release();
        }
        if (failed.get() != null && count < due.size()) {
            assertEquals(
                    ErrorCode.STREAM_BROKEN, failed.get().code(), failed.get().getMessage());
        }
        return count;
    }

    private static ByteBuffer bytes(Token token) {
        ByteBuffer bytes = ByteBuffer.allocate((int) token.payload().length());
        try (var cursor = token.payload().open()) {
            for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                bytes.put(range);
            }
        }
        return bytes.flip();
    }
}
