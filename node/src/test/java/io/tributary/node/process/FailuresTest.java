package io.tributary.node.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void aTributaryExceptionIsKept() {
        TributaryException known = new TributaryException(ErrorCode.STORE_FULL, "full");
        assertSame(known, Failures.of("extract-s1", known));
        assertSame(known, Failures.of("extract-s1", new ExecutionException(known)));
        assertSame(known, Failures.of("extract-s1", new RuntimeException(new ExecutionException(known))));
    }

    @Test
    void aFullDiskIsDetected() {
        assertEquals(
                ErrorCode.DISK_FULL,
                Failures.of("write", new IOException("No space left on device")).code());
        assertEquals(
                ErrorCode.IO_FAILED,
                Failures.of("write", new IOException("Input/output error")).code());
    }

    @Test
    void anyOtherFailureNamesTheStage() {
        TributaryException failure = Failures.of("collect", new NullPointerException("x"));
        assertEquals(ErrorCode.INTERNAL, failure.code());
        assertEquals("collect: java.lang.NullPointerException: x", failure.getMessage());
    }

    @Test
    void whatAnOperatorCorrectsHoldsAReader() {
        TributaryException unfit = new TributaryException(ErrorCode.TARGET_UNFIT, "read-only");
        TributaryException held = Failures.held(unfit, ErrorCode.APPLY_HELD);
        assertEquals(ErrorCode.APPLY_HELD, held.code());
        assertEquals(unfit.line(), held.getMessage());
        for (ErrorCode kept : List.of(ErrorCode.TARGET_UNREACHABLE, ErrorCode.CONFIG_INVALID, ErrorCode.INTERNAL)) {
            TributaryException failure = new TributaryException(kept, "x");
            assertSame(failure, Failures.held(failure, ErrorCode.APPLY_HELD));
        }
    }
}
