package io.tributary.common.pipeline;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Requests of other threads to a stage, which the stage's own thread runs between two turns, so that the stage needs no lock. It costs two
 * volatile reads per turn while there are no requests.
 */
public final class StageCalls {
    private final InboundQueue<Call<?>> waiting = new InboundQueue<>();
    private volatile boolean closed;

    private record Call<T>(Supplier<T> work, CompletableFuture<T> answer) {
        void run() {
            try {
                answer.complete(work.get());
            } catch (RuntimeException e) { // the requesting thread handles it
                answer.completeExceptionally(e);
            }
        }

        void giveUp() {
            answer.completeExceptionally(new CancellationException("the stage has ended"));
        }
    }

    /**
     * Lets the stage run a task; any thread.
     *
     * @return the answer, completed by the stage's thread; fails with the exception of the task, or if the stage ends first
     */
    public <T> CompletableFuture<T> ask(Supplier<T> work) {
        Call<T> call = new Call<>(work, new CompletableFuture<>());
        waiting.add(call);
        if (closed) {
            giveUpAll();
        }
        return call.answer;
    }

    /** Lets the stage run a task without an answer; any thread. */
    public CompletableFuture<Void> submit(Runnable work) {
        return ask(() -> {
            work.run();
            return null;
        });
    }

    /** For the stage's thread: runs the requested tasks; returns how many. */
    public int run() {
        int done = 0;
        for (Call<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
            done++;
        }
        return done;
    }

    /** Ends the calls because the stage has ended: no further task runs. */
    public void close() {
        closed = true;
        giveUpAll();
    }

    private void giveUpAll() {
        waiting.drain(Call::giveUp);
    }
}
