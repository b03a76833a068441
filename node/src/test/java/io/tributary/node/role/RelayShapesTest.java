package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Token;
import io.tributary.node.role.RelayLogs.Entry;
import io.tributary.testkit.proxy.Direction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares trees of relays of any shape with one flat merger, token by token, also when connections break and the remaining tokens are read again
 * after the consumed ones. Shards leave when streams are opened again, and join while they run: a new shard is read at the top at first, and at its
 * place in the tree once all streams are opened again. {@code -Dseed=} replays one run.
 */
class RelayShapesTest {
    private static final int RUNS = 25;
    private static final long END = 1_000_000;

    /** Tokens of each shard after the end, like those of further rounds: the merger always has tokens of all shards to compare. */
    private static final int BEHIND_END = 200;

    /** Tokens that were merged at the top and not consumed. */
    private static final int MERGED = 8;

    @Test
    void everyShapeOfRelaysGivesTheSameAsAFlatMerger(@TempDir Path folder) {
        Long seed = Long.getLong("seed");
        int joins = 0;
        int leaves = 0;
        int crashes = 0;
        for (long run = seed == null ? 1 : seed; run <= (seed == null ? RUNS : seed); run++) {
            try {
                Run one = new Run(new SplittableRandom(run), folder);
                one.compare();
                joins += one.joins;
                leaves += one.leaves;
                crashes += one.crashes;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + run + ": " + e.getMessage(), e);
            }
        }
        String seen = joins + " joins, " + leaves + " leaves, " + crashes + " crashes";
        assertTrue(seed != null || joins >= RUNS / 2 && leaves >= RUNS / 4 && crashes >= RUNS / 4, seen);
    }

    /** One tree, and its expected output. */
    private static final class Run {
        private final SplittableRandom random;
        private final RelayLogs logs;
        private final int[] taken;
        private final List<Integer> present = new ArrayList<>();
        private final List<Integer> toCome = new ArrayList<>();
        private RelayTree top;
        private List<Entry> due;
        private int attempt;
        private int joins;
        private int leaves;
        private int crashes;

        Run(SplittableRandom random, Path folder) {
            this.random = random;
            int shards = 1 + random.nextInt(random.nextInt(5) == 0 ? 120 : 12);
            this.logs = logs(random, shards, folder);
            this.taken = new int[shards];
            for (int shard = 0; shard < shards; shard++) {
                boolean isToCome = shard > 0 && random.nextInt(4) == 0;
                (isToCome ? toCome : present).add(shard);
            }
        }

        void compare() {
            List<RelayTree> cuttable = new ArrayList<>();
            List<Integer> all = new ArrayList<>(present);
            all.addAll(toCome);
            try (RelayTree tree = tree(random, logs, "top", all, 2, cuttable)) {
                top = tree;
                int cuts = random.nextInt(4);
                int most = cuts + toCome.size();
                due = rest();
                for (; !due.isEmpty(); attempt++) {
                    assertTrue(attempt <= most, top + " has not given all of " + due.size());
                    if (attempt < cuts && !cuttable.isEmpty()) {
                        RelayTree victim = cuttable.get(random.nextInt(cuttable.size()));
                        victim.proxy().cutAfter(Direction.TO_CLIENT, random.nextInt(400_000));
                    } else {
                        cuttable.forEach(relay -> relay.proxy().pass());
                    }
                    consume();
                    int gone = random.nextInt(taken.length);
                    if (gone > 0 && random.nextInt(2) == 0 && present.remove((Integer) gone)) {
                        leaves += due.isEmpty() ? 0 : 1;
                        due = due.isEmpty() ? due : rest();
                    }
                }
            }
            assertEquals(0, logs.store().memoryInUse(), "payload is still in memory");
            logs.store().close();
        }

        /** The expected tokens after the consumed ones. The last one is of the first shard at the end, because the others wait for more of it. */
        private List<Entry> rest() {
            List<Entry> rest = new ArrayList<>();
            for (int shard : present) {
                List<Entry> log = logs.entries.get(shard);
                rest.addAll(log.subList(taken[shard], Math.max(taken[shard], log.size() - BEHIND_END)));
            }
            int[] place = new int[taken.length];
            present.forEach(shard -> place[shard] = present.indexOf(shard));
            rest.sort(Comparator.comparingLong(Entry::key)
                    .thenComparingInt(entry -> place[entry.shard()])
                    .thenComparingLong(Entry::gno));
            List<Entry> first = logs.entries.get(0);
            rest.add(first.get(first.size() - BEHIND_END));
            return rest;
        }

        /** Consumes tokens until all have arrived, a connection breaks, or some time after a shard has joined. */
        private void consume() {
            Link<Token> out = new Link<>("merged", MERGED, Clock.SYSTEM);
            AtomicReference<TributaryException> failed = new AtomicReference<>();
            boolean joins = !toCome.isEmpty();
            int pause = joins ? random.nextInt(1 + due.size() / 2) : due.size();
            int count = 0;
            long deadline = Clock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            RelayTree.Run running = top.run(logs.cut(present, taken), new RoundRequest(), out, List.of(), failed::set);
            try {
                while (failed.get() == null || out.peek() != null) {
                    if (count == pause && !joins) {
                        break;
                    }
                    if (count == pause) {
                        join(running);
                        joins = false;
                        count = 0;
                        pause = random.nextInt(1 + due.size());
                        continue;
                    }
                    Token token = out.poll();
                    if (token == null) {
                        assertTrue(Clock.SYSTEM.nanoTime() < deadline, () -> top + ": no token within a minute");
                        LockSupport.parkNanos(50_000);
                        continue;
                    }
                    check(token, due.get(count++));
                    token.payload().release();
                }
            } finally {
                running.close();
            }
            for (Token token = out.poll(); token != null; token = out.poll()) {
                token.payload().release();
            }
            due = count == due.size() ? List.of() : rest();
            if (failed.get() != null && !due.isEmpty()) {
                crashes++;
                assertEquals(
                        ErrorCode.STREAM_BROKEN,
                        failed.get().code(),
                        failed.get().getMessage());
            }
        }

        /** Adds a shard from a position that is not before any token that may have been merged. */
        private void join(RelayTree.Run running) {
            int onTheirWay = MERGED + running.betweenMergers() + 2;
            long merged = 0;
            for (int shard : present) {
                List<Entry> log = logs.entries.get(shard);
                merged = Math.max(
                        merged,
                        log.get(Math.min(log.size() - 1, taken[shard] + onTheirWay))
                                .key());
            }
            int newcomer = toCome.remove(random.nextInt(toCome.size()));
            long after = Math.min(merged, END); // the order after the end does not matter
            taken[newcomer] = (int) logs.entries.get(newcomer).stream()
                    .filter(entry -> entry.key() <= after)
                    .count();
            present.add(newcomer);
            running.join(logs.cut(present, taken));
            due = rest();
            joins++;
        }

        private void check(Token token, Entry expected) {
            taken[expected.shard()]++;
            String where = top + ", attempt " + attempt + ", after " + joins + " joins";
            assertEquals(
                    expected.shard() + ":" + expected.gno(), present.get(token.shard()) + ":" + token.gno(), where);
            assertEquals(expected.key(), token.key(), where);
            assertEquals(RelayLogs.event(expected), bytes(token), where);
        }
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
            for (int more = 1; more <= BEHIND_END; more++) {
                log.add(new Entry(shard, count + more, END + more, 10));
            }
            logs.entries.add(log);
        }
        return logs;
    }

    /** Some shards are read directly, the others are assigned to relays at random. */
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
