package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.tributary.common.Corpus;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Damaged messages of a Task: each is read or refused, and its memory is released. bin/fuzz searches for more of them with Jazzer. */
class ChunkFuzzTest {
    private static final int ROUNDS = 20_000;
    private static final Set<ErrorCode> REFUSALS = Set.of(ErrorCode.STREAM_CONTRADICTION, ErrorCode.CUT_UNUSABLE);

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    @FuzzTest(maxDuration = "60s")
    void chunks(byte[] message) {
        try {
            new ChunkReader()
                    .read(allocator.directBuffer(Math.max(1, message.length)).writeBytes(message))
                    .release();
        } catch (TributaryException refusal) {
            assertTrue(REFUSALS.contains(refusal.code()), refusal::line);
        }
        assertEquals(0, allocator.metric().usedDirectMemory());
    }

    @Test
    void changedMessagesAreReadOrRefused() {
        Corpus.of(ChunkFuzzTest.class, "chunks").mutate(1, ROUNDS, this::chunks);
    }
}
