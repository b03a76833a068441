package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StopSignalTest {
    private final StopSignal stop = new StopSignal();

    @Test
    void isPermanent() throws InterruptedException {
        assertFalse(stop.isRequested());
        assertFalse(stop.await(1));
        stop.request();
        stop.request();
        assertTrue(stop.isRequested());
        assertTrue(stop.await(1));
    }

    @Test
    void abortsBlockingWork() throws InterruptedException {
        CompletableFuture<String> blocked = new CompletableFuture<>();
        Thread operator = new Thread(stop::request);
        String result = stop.during(() -> blocked.complete("aborted"), () -> {
            operator.start();
            return blocked.join();
        });
        operator.join();
        assertEquals("aborted", result);
    }

    @Test
    void abortsWorkThatBeginsAfterTheSignal() {
        CompletableFuture<String> blocked = new CompletableFuture<>();
        stop.request();
        assertEquals("aborted", stop.during(() -> blocked.complete("aborted"), blocked::join));
    }

    @Test
    void doesNotAbortFinishedWork() {
        int[] broken = {0};
        stop.during(() -> broken[0]++, () -> "done");
        stop.request();
        assertEquals(0, broken[0]);
    }
}
