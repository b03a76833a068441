package io.tributary.seed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The rules by which transactions are passed to sessions. */
class ReplayDispatchTest {
    private static final Sid SID = new Sid(new UUID(1, 1));
    private final ReplayDispatch dispatch = new ReplayDispatch(2, 1 << 20);

    private static ReplayTransaction transaction(long lastCommitted, long sequence, int bytes) {
        ReplayTransaction made = new ReplayTransaction(new Gtid(SID, sequence), lastCommitted, sequence, 0);
        made.add(new byte[bytes]);
        return made;
    }

    private List<Long> take(int session) {
        return dispatch.take(session).stream().map(ReplayTransaction::sequence).toList();
    }

    private CompletableFuture<Void> submits(ReplayTransaction transaction) throws Exception {
        CompletableFuture<Void> submitted = CompletableFuture.runAsync(() -> dispatch.submit(transaction));
        assertThrows(TimeoutException.class, () -> submitted.get(100, TimeUnit.MILLISECONDS), "it does not wait");
        return submitted;
    }

    @Test
    void independentTransactionsGoToDifferentSessionsAndDependentOnesAfterTheirs() {
        dispatch.submit(transaction(0, 1, 10));
        dispatch.submit(transaction(0, 2, 10));
        dispatch.submit(transaction(1, 3, 10));
        assertEquals(List.of(1L, 3L), take(0));
        assertEquals(List.of(2L), take(1));
    }

    @Test
    void aTransactionThatDependsOnTwoSessionsWaitsForOne() throws Exception {
        dispatch.submit(transaction(0, 1, 10));
        dispatch.submit(transaction(0, 2, 10));
        CompletableFuture<Void> third = submits(transaction(2, 3, 10));
        assertEquals(List.of(1L), take(0));
        dispatch.committed(0, 1);
        third.join();
        assertEquals(List.of(2L, 3L), take(1));
    }

    @Test
    void aNewFileWaitsForTheOneBefore() throws Exception {
        dispatch.submit(transaction(0, 7, 10));
        CompletableFuture<Void> first = submits(transaction(0, 1, 10));
        dispatch.committed(0, 1);
        first.join();
        assertEquals(1, dispatch.transactions());
    }

    @Test
    void bytesInFlightAreLimited() throws Exception {
        dispatch.submit(transaction(0, 1, 900_000));
        CompletableFuture<Void> second = submits(transaction(0, 2, 200_000));
        dispatch.committed(0, 1);
        second.join();
        assertEquals(List.of(2L), take(0));
    }

    @Test
    void theErrorOfASessionEndsTheReader() throws Exception {
        dispatch.submit(transaction(0, 1, 900_000));
        CompletableFuture<Void> second = submits(transaction(0, 2, 200_000));
        IllegalStateException error = new IllegalStateException("broken");
        dispatch.fail(error);
        assertEquals(
                error, assertThrows(CompletionException.class, second::join).getCause());
        assertEquals(error, assertThrows(IllegalStateException.class, dispatch::drain));
        assertTrue(dispatch.take(1).isEmpty());
        assertFalse(dispatch.transactions() > 0);
    }
}
