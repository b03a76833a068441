package io.tributary.bench.merge;

import io.tributary.bench.stage.StageThreads;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Token;
import io.tributary.merger.MergeTree;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One shape of merge, on threads of its own as on a machine of two cores: the root on one, all mergers below it on another. Tokens
 * lie ready before a lap begins, so that threads work all the time that is measured.
 */
final class MergeRun implements AutoCloseable {
    private static final int LAP = 128 << 10;
    private static final int LINK = 8192;
    private static final String ROOT = "merge";
    private static final String LOWER = "lower";
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final TokenFeed feed;
    private final StageThreads threads = new StageThreads();
    private final Count merged = new Count();
    private final Metrics metrics = new Metrics();
    private volatile boolean isOpen;

    /**
     * What some laps needed.
     *
     * @param tokens that came out
     * @param seconds from beginning to end
     * @param root CPU of the thread of the last merger, ns per token
     * @param lower CPU of the thread of the mergers below it, ns per token; 0 for a flat merge
     * @param allocated bytes on the heap per token
     */
    record Outcome(long tokens, double seconds, double root, double lower, double allocated) {
        double tokensPerSecond() {
            return tokens / seconds;
        }

        double busiest() {
            return Math.max(root, lower);
        }
    }

    /** @param fanIn the most sources of a merger; at least the sources = a flat merge */
    MergeRun(int sources, int fanIn) {
        feed = new TokenFeed(sources, LAP);
        MergeTree tree = MergeTree.of(
                ROOT, feed.links(), new Counted(merged), fanIn, LINK, new RoundDemand(), metrics, Clock.SYSTEM);
        threads.alone(new Gated(ROOT, List.of(tree.root())));
        if (!tree.lower().isEmpty()) {
            threads.alone(new Gated(LOWER, tree.lower()));
        }
        threads.start();
    }

    /** Counts tokens, and forgets them. */
    private record Counted(Count count) implements Outlet<Token> {
        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void put(Token item) {
            count.add(1);
        }
    }

    /** Stages that rest between laps. */
    private final class Gated implements Stage {
        private final String name;
        private final List<? extends Stage> stages;

        Gated(String name, List<? extends Stage> stages) {
            this.name = name;
            this.stages = stages;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int doWork() throws Exception {
            int done = 0;
            if (isOpen) {
                for (Stage stage : stages) {
                    done += stage.doWork();
                }
            }
            return done;
        }

        @Override
        public long restNanos() {
            return UNTOLD_REST_NANOS;
        }

        @Override
        public void close() {
            stages.forEach(Stage::close);
        }
    }

    /** Runs so many laps. */
    Outcome run(int laps) {
        double seconds = 0;
        double root = 0;
        double lower = 0;
        double allocated = 0;
        long first = merged.value();
        for (int lap = 0; lap < laps; lap++) {
            long due = feed.feed(LAP);
            StageThreads.Usage before = threads.usage();
            long since = Clock.SYSTEM.nanoTime();
            isOpen = true;
            await(due, since);
            isOpen = false;
            seconds += (Clock.SYSTEM.nanoTime() - since) / 1e9;
            StageThreads.Usage used = threads.usage().since(before);
            root += used.cpuSeconds(ROOT);
            lower += used.cpuSeconds(LOWER);
            allocated += used.allocated("");
        }
        long tokens = merged.value() - first;
        return new Outcome(tokens, seconds, root * 1e9 / tokens, lower * 1e9 / tokens, allocated / tokens);
    }

    private void await(long due, long since) {
        while (merged.value() < due) {
            threads.check();
            if (Clock.SYSTEM.nanoTime() - since > PATIENCE_NANOS) {
                throw new IllegalStateException("expected " + due + " tokens, came " + merged.value());
            }
            LockSupport.parkNanos(50_000);
        }
    }

    @Override
    public void close() {
        threads.close();
        metrics.close();
    }
}
