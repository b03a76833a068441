package io.tributary.merger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Trees of any shape give the same tokens in the same order as one flat merger. {@code -Dseed=} replays one run. */
class MergeTreeTest {
    private static final int RUNS = 150;
    private static final Sid SID = new Sid(new UUID(1, 2));

    /** How the keys of the shards grow in one run. */
    private enum Keys {
        EQUAL,
        CLOSE,
        SKEWED,
        APART
    }

    private SplittableRandom random;

    @Test
    void everyShapeGivesTheSameAsAFlatMerger() {
        Long seed = Long.getLong("seed");
        for (long run = seed == null ? 1 : seed; run <= (seed == null ? RUNS : seed); run++) {
            random = new SplittableRandom(run);
            try {
                compare(1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 40), 2 + random.nextInt(63));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + run + ": " + e.getMessage(), e);
            }
        }
    }

    private void compare(int shards, int fanIn) {
        List<List<Token>> logs = logs(shards);
        List<Token> flat = new Shape(logs, new int[shards], shards + 1, false).runToTheEnd();
        List<Token> merged = new ArrayList<>();
        int[] taken = new int[shards];
        for (int restarts = random.nextInt(3); restarts >= 0; restarts--) {
            Shape tree = new Shape(logs, taken, fanIn, random.nextBoolean());
            List<Token> part = restarts == 0 ? tree.runToTheEnd() : tree.run(random.nextInt(1 + flat.size()));
            part.forEach(token -> taken[token.shard()]++);
            merged.addAll(part);
            tree.close();
        }
        assertEquals(flat.size(), merged.size(), shards + " shards, fan-in " + fanIn);
        for (int i = 0; i < flat.size(); i++) {
            assertSame(flat.get(i), merged.get(i), shards + " shards, fan-in " + fanIn + ", token " + i);
        }
    }

    /** Some shards have no tokens, some few, some many; sometimes one has no last token, so that the others wait for it. */
    private List<List<Token>> logs(int shards) {
        Keys keys = Keys.values()[random.nextInt(Keys.values().length)];
        int most = 1 + 4000 / shards;
        int endless = random.nextInt(3) == 0 ? random.nextInt(shards) : -1;
        List<List<Token>> logs = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            List<Token> log = new ArrayList<>();
            long key = keys == Keys.SKEWED ? random.nextInt(1000) : 0;
            int count = random.nextInt(4) == 0 ? 0 : random.nextInt(most);
            for (int gno = 1; gno <= count; gno++) {
                key += switch (keys) {
                    case EQUAL -> 0;
                    case CLOSE, SKEWED -> random.nextInt(3);
                    case APART -> random.nextInt(100);
                };
                log.add(token(shard, key, gno));
            }
            if (shard != endless) {
                log.add(token(shard, 1_000_000, count + 1));
            }
            logs.add(log);
        }
        return logs;
    }

    private static Token token(int shard, long key, long gno) {
        LoggedTransaction logged = new LoggedTransaction(SID, gno, "binlog.000001", gno, 0, 0, 0);
        return new Token(shard, key, 0, logged, new TokenBody.LocalTransaction(null, List.of()));
    }

    /** One tree over the logs, which arrive at random moments; its stages run in random order. */
    private final class Shape {
        private final List<List<Token>> logs;
        private final int[] next;
        private final List<Link<Token>> links = new ArrayList<>();
        private final Link<Token> out = new Link<>("merged", 4, Clock.SYSTEM);
        private final Metrics metrics = new Metrics();
        private final MergeTree tree;
        private final List<Token> merged = new ArrayList<>();

        /** @param shuffled whether the sources have another order than their shards */
        Shape(List<List<Token>> logs, int[] taken, int fanIn, boolean shuffled) {
            this.logs = logs;
            this.next = taken.clone();
            logs.forEach(log -> links.add(new Link<>("shard", 1 + random.nextInt(20), Clock.SYSTEM)));
            List<Link<Token>> sources = new ArrayList<>(links);
            if (shuffled) {
                Collections.shuffle(sources, new Random(random.nextLong()));
            }
            tree = MergeTree.of(
                    sources,
                    out,
                    new MergeLinks(fanIn, 1 + random.nextInt(8), Clock.SYSTEM),
                    new RoundRequest(),
                    metrics);
        }

        /** Runs until this many tokens have arrived, or no more arrive. */
        List<Token> run(int tokens) {
            int idle = 0;
            while (idle < 3 && merged.size() < tokens) {
                boolean all = random.nextInt(8) == 0;
                int done = feed(all);
                for (Merger merger : tree.stages()) {
                    done += all || random.nextInt(3) > 0 ? merger.doWork() : 0;
                }
                for (Token token = out.poll(); token != null; token = out.poll()) {
                    merged.add(token);
                }
                idle = done > 0 ? 0 : idle + (all ? 1 : 0);
            }
            return merged;
        }

        List<Token> runToTheEnd() {
            return run(Integer.MAX_VALUE);
        }

        private int feed(boolean all) {
            int fed = 0;
            for (int shard = 0; shard < links.size(); shard++) {
                int most = all || random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(3);
                for (int i = 0; i < most && next[shard] < logs.get(shard).size(); i++) {
                    if (!links.get(shard).hasRoom()) {
                        break;
                    }
                    links.get(shard).put(logs.get(shard).get(next[shard]++));
                    fed++;
                }
            }
            return fed;
        }

        void close() {
            tree.stages().forEach(Merger::close);
            metrics.close();
        }
    }
}
