package io.tributary.common.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The stages of one thread: stages may leave it while the others go on. */
final class StageGroup {
    /** A stage that is to leave, and who waits for it. */
    private record Leaving(Stage stage, CompletableFuture<Void> left) {}

    private final Queue<Leaving> leaving = new ArrayDeque<>();
    private volatile boolean someLeave;
    private boolean hasEnded;
    private volatile List<Stage> stages; // changed by its thread only
    volatile StageThread thread;

    StageGroup(List<? extends Stage> stages) {
        this.stages = List.copyOf(stages);
    }

    List<Stage> stages() {
        return stages;
    }

    /** Asks for a stage to be closed and called no more; any other thread. Completed when that has happened. */
    CompletableFuture<Void> leave(Stage stage) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        synchronized (leaving) {
            if (hasEnded) {
                left.complete(null);
            } else {
                leaving.add(new Leaving(stage, left));
                someLeave = true;
            }
        }
        LockSupport.unpark(thread);
        return left;
    }

    /** The group's thread, between two rounds: closes and forgets those that are to leave. Whether any stage is left. */
    boolean letGo(Consumer<Stage> close) {
        if (someLeave) {
            synchronized (leaving) {
                someLeave = false;
                for (Leaving each = leaving.poll(); each != null; each = leaving.poll()) {
                    List<Stage> rest = new ArrayList<>(stages);
                    if (rest.remove(each.stage())) {
                        close.accept(each.stage());
                        stages = List.copyOf(rest);
                    }
                    each.left().complete(null);
                }
            }
        }
        return !stages.isEmpty();
    }

    /** For how long none of its stages need be called unless woken, ns. */
    long rest() {
        long rest = Long.MAX_VALUE;
        for (Stage stage : stages) {
            rest = Math.min(rest, stage.restNanos());
        }
        return rest;
    }

    /** The group's thread, last of all: closes all that are left. */
    void end(Consumer<Stage> close) {
        stages.forEach(close);
        synchronized (leaving) {
            hasEnded = true;
            leaving.forEach(each -> each.left().complete(null));
        }
    }
}
