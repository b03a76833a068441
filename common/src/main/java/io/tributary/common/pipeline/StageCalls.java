package io.tributary.common.pipeline;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What other threads ask of a stage, done by the stage's own thread between two turns, so that nothing in it needs a lock. It costs two
 * volatile reads a turn while nobody asks.
 */
public final class StageCalls {
    private final Arrivals<Call<?>> waiting = new Arrivals<>();
    private volatile boolean closed;

    private record Call<T>(Supplier<T> work, CompletableFuture<T> answer) {
        void run() {
            try {
                answer.complete(work.get());
            } catch (RuntimeException e) { // who asked decides what it means
                answer.completeExceptionally(e);
            }
        }

        void giveUp() {
            answer.completeExceptionally(new CancellationException("the stage has ended"));
        }
    }

    /**
     * Has the stage do something; any thread.
     *
     * @return the answer, completed by the stage's thread; fails with what the work threw, or when the stage ends first
     */
    public <T> CompletableFuture<T> ask(Supplier<T> work) {
        Call<T> call = new Call<>(work, new CompletableFuture<>());
        waiting.add(call);
        if (closed) {
            giveUpAll();
        }
        return call.answer;
    }

    /** Has the stage do something that has no answer; any thread. */
    public CompletableFuture<Void> tell(Runnable work) {
        return ask(() -> {
            work.run();
            return null;
        });
    }

    /** The stage's thread: does what has been asked for; returns how much that was. */
    public int run() {
        int done = 0;
        for (Call<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
            done++;
        }
        return done;
    }

    /** The stage has ended: nothing more is done. */
    public void close() {
        closed = true;
        giveUpAll();
    }

    private void giveUpAll() {
        waiting.drain(Call::giveUp);
    }
}
