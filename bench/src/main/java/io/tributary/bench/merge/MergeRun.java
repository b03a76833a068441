package io.tributary.bench.merge;

import io.tributary.bench.stage.StageThreads;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Token;
import io.tributary.merger.MergeLinks;
import io.tributary.merger.MergeTree;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A run of one form of merge on two threads, as on a machine with two cores: the root on one, all mergers below it on the other. The tokens
 * are ready before a lap begins, so that the threads are busy during the whole measurement.
 */
final class MergeRun implements AutoCloseable {
    private static final int LAP = 128 << 10;
    private static final int LINK = 8192;
    private static final String ROOT = "merge";
    private static final String LOWER = "lower";
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final TokenFeed feed;
    private final StageThreads threads = new StageThreads();
    private final Count merged = new Count();
    private final Metrics metrics = new Metrics();
    private volatile boolean isOpen;

    /**
     * The result of some laps.
     *
     * @param tokens number of merged tokens
     * @param seconds elapsed seconds
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

    /** @param fanIn the largest number of sources of a merger; from the number of sources on, a flat merge */
    MergeRun(int sources, int fanIn) {
        feed = new TokenFeed(sources, LAP);
        MergeTree tree = MergeTree.of(
                feed.links(),
                new Counted(merged),
                new MergeLinks(fanIn, LINK, Clock.SYSTEM),
                new RoundRequest(),
                metrics);
        threads.alone(new Gated(ROOT, List.of(tree.root())));
        if (!tree.lower().isEmpty()) {
            threads.alone(new Gated(LOWER, tree.lower()));
        }
        threads.start();
    }

    /** Counts tokens and discards them. */
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

    /** Stages that pause between laps. */
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
            return POLL_REST_NANOS;
        }

        @Override
        public void close() {
            stages.forEach(Stage::close);
        }
    }

    /** Runs this many laps. */
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
            if (Clock.SYSTEM.nanoTime() - since > TIMEOUT_NANOS) {
                throw new IllegalStateException("expected " + due + " tokens, found " + merged.value());
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
