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

class ErrandsTest {
    private final Errands errands = new Errands();

    @Test
    void areDoneInTheirOrderWhenTheStageRunsThem() {
        StringBuilder done = new StringBuilder();
        CompletableFuture<Void> first = errands.tell(() -> done.append('a'));
        CompletableFuture<Integer> second = errands.ask(() -> done.append('b').length());
        assertFalse(first.isDone());
        assertEquals(2, errands.run());
        assertEquals(2, second.join());
        assertEquals("ab", done.toString());
        assertEquals(0, errands.run());
    }

    @Test
    void whatOneThrowsGoesToWhoAsked() {
        IllegalStateException failure = new IllegalStateException("no");
        CompletableFuture<Void> failing = errands.tell(() -> {
            throw failure;
        });
        CompletableFuture<Void> next = errands.tell(() -> {});
        errands.run();
        assertSame(
                failure, assertThrows(CompletionException.class, failing::join).getCause());
        assertTrue(next.isDone());
    }

    @Test
    void nobodyWaitsForAStageThatHasEnded() {
        CompletableFuture<Void> before = errands.tell(() -> {});
        errands.close();
        CompletableFuture<Void> after = errands.tell(() -> {});
        assertThrows(CancellationException.class, before::join);
        assertThrows(CancellationException.class, after::join);
    }
}
