package io.tributary.node.process;

import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import java.util.ArrayList;
import java.util.List;

/**
 * Assigns stages to threads. On a machine with few cores the hand-over between threads costs more than it gains, so that consecutive stages share a
 * thread; on a larger machine each stage has its own thread.
 */
public final class ThreadPlan {
    private static final int FEW_CORES = 4;

    private final boolean shared;
    private final int cores;
    private final List<List<Stage>> groups = new ArrayList<>();

    /** How stages get their threads. */
    public enum Policy {
        /** Shared threads on a machine with up to 4 cores, otherwise one thread per stage. */
        AUTO,
        /** Each stage has its own thread. */
        OWN,
        /** Consecutive stages share a thread. */
        SHARED
    }

    public ThreadPlan(Policy policy, int cores) {
        this.cores = cores;
        this.shared = policy == Policy.SHARED || policy == Policy.AUTO && cores <= FEW_CORES;
    }

    /** Adds a stage that always has its own thread, because it waits for the network or the disk. */
    public ThreadPlan alone(Stage stage) {
        groups.add(List.of(stage));
        return this;
    }

    /** Adds stages that wait for the disk or for time and can share a thread; no thread if the list is empty. */
    public ThreadPlan aside(List<? extends Stage> stages) {
        if (!stages.isEmpty()) {
            groups.add(List.copyOf(stages));
        }
        return this;
    }

    /** Adds consecutive stages, in the order of the pipeline. */
    public ThreadPlan together(List<? extends Stage> stages) {
        if (shared) {
            groups.add(List.copyOf(stages));
        } else {
            stages.forEach(this::alone);
        }
        return this;
    }

    /**
     * Adds parallel stages that do the same work, with neighbouring stages on one thread. There are at most as many threads as cores, and half as
     * many if stages share threads. More threads than cores would not run at the same time.
     */
    public ThreadPlan spread(List<? extends Stage> stages) {
        int most = Math.max(1, shared ? cores / 2 : cores);
        int threads = Math.min(most, stages.size());
        for (int thread = 0; thread < threads; thread++) {
            int from = (int) ((long) stages.size() * thread / threads);
            int to = (int) ((long) stages.size() * (thread + 1) / threads);
            groups.add(List.copyOf(stages.subList(from, to)));
        }
        return this;
    }

    /** The threads, each with its stages. */
    public List<List<Stage>> groups() {
        return List.copyOf(groups);
    }

    /** Passes all threads to a runner that has not started. */
    public void runOn(StageRunner runner) {
        groups.forEach(runner::onOneThread);
    }
}
