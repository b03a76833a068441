package io.tributary.common.pipeline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The stages of one thread; a stage may leave the group while the others continue. */
final class StageGroup {
    /** A stage that is to leave, and the future that its caller waits for. */
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

    /** Requests that a stage is closed and not called again; any other thread. The future completes when that is done. */
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

    /** For the group's thread, between two turns: closes and removes stages that are to leave. Returns whether any stage is left. */
    boolean closeLeaving(Consumer<Stage> close) {
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

    /** The time in ns for which none of its stages need be called unless woken. */
    long rest() {
        long rest = Long.MAX_VALUE;
        for (Stage stage : stages) {
            rest = Math.min(rest, stage.restNanos());
        }
        return rest;
    }

    /** For the group's thread, as its last action: closes all remaining stages. */
    void end(Consumer<Stage> close) {
        stages.forEach(close);
        synchronized (leaving) {
            hasEnded = true;
            leaving.forEach(each -> each.left().complete(null));
        }
    }
}
