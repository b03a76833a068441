package io.tributary.node.role;

import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import java.util.ArrayList;
import java.util.List;

/**
 * Which stages share a thread. On a machine with few cores threads that hand over to each other cost more than they bring, so
 * what follows each other closely runs on one; on a larger machine each stage has its own.
 */
final class Threads {
    private static final int FEW_CORES = 4;

    private final boolean shared;
    private final int cores;
    private final List<List<Stage>> groups = new ArrayList<>();

    /** How stages get their threads. */
    enum Policy {
        /** Shared on a machine with up to 4 cores, else each its own. */
        AUTO,
        /** Each stage has its own. */
        OWN,
        /** Stages that follow each other closely share one. */
        SHARED
    }

    Threads(Policy policy, int cores) {
        this.cores = cores;
        this.shared = policy == Policy.SHARED || policy == Policy.AUTO && cores <= FEW_CORES;
    }

    /** A stage that always has a thread of its own: one that waits for the network or the disk. */
    Threads alone(Stage stage) {
        groups.add(List.of(stage));
        return this;
    }

    /** Stages that wait for the disk or for time, and may do so together; none of them, no thread. */
    Threads aside(List<? extends Stage> stages) {
        if (!stages.isEmpty()) {
            groups.add(List.copyOf(stages));
        }
        return this;
    }

    /** Stages that hand over to each other, in the order of the pipeline. */
    Threads together(List<? extends Stage> stages) {
        if (shared) {
            groups.add(List.copyOf(stages));
        } else {
            stages.forEach(this::alone);
        }
        return this;
    }

    /**
     * Stages side by side that do the same work, neighbours on one thread: as many threads as cores, where stages share half as
     * many. More threads than cores would only take turns.
     */
    Threads spread(List<? extends Stage> stages) {
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
    List<List<Stage>> groups() {
        return List.copyOf(groups);
    }

    /** Hands all of them to a runner that has not started. */
    void runOn(StageRunner runner) {
        groups.forEach(runner::onOneThread);
    }
}
