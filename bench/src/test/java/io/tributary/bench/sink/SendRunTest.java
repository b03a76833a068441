package io.tributary.bench.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.bench.ProcessUsage;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SendRunTest {
    @Test
    void theThreadsOfTheCompilerAreNotCounted() {
        ProcessUsage used = new ProcessUsage(
                6, 2, 0, Map.of("C1 CompilerThre", 0.5, "C2 CompilerThre", 1.5, "sink-1", 4.0, "VM Thread", 1.0));
        assertEquals(6.0, SendRun.withoutCompiler(used), 1e-9);
    }
}
