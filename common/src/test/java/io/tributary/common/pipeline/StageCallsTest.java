package io.tributary.common.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class StageCallsTest {
    private final StageCalls calls = new StageCalls();

    @Test
    void areDoneInTheirOrderWhenTheStageRunsThem() {
        StringBuilder done = new StringBuilder();
        CompletableFuture<Void> first = calls.submit(() -> done.append('a'));
        CompletableFuture<Integer> second = calls.ask(() -> done.append('b').length());
        assertFalse(first.isDone());
        assertEquals(2, calls.run());
        assertEquals(2, second.join());
        assertEquals("ab", done.toString());
        assertEquals(0, calls.run());
    }

    @Test
    void anExceptionGoesToTheCaller() {
        IllegalStateException failure = new IllegalStateException("no");
        CompletableFuture<Void> failing = calls.submit(() -> {
            throw failure;
        });
        CompletableFuture<Void> next = calls.submit(() -> {});
        calls.run();
        assertSame(
                failure, assertThrows(CompletionException.class, failing::join).getCause());
        assertTrue(next.isDone());
    }

    @Test
    void noCallWaitsForAStageThatHasEnded() {
        CompletableFuture<Void> before = calls.submit(() -> {});
        calls.close();
        CompletableFuture<Void> after = calls.submit(() -> {});
        assertThrows(CancellationException.class, before::join);
        assertThrows(CancellationException.class, after::join);
    }
}
