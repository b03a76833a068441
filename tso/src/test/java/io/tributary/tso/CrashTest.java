package io.tributary.tso;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 while timestamps are handed out, again and again; each time the clock is one hour further behind. */
class CrashTest {
    private static final int CRASHES = 10;
    private static final int RANGES = 20_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private long last = -1;

    @Test
    void noTimestampRepeatsAfterKills() throws IOException {
        for (int crash = 0; crash < CRASHES; crash++) {
            Path handedOut = folder.resolve("handed-out-" + crash);
            runAndKill(handedOut, crash * 3_600_000L);
            requireGrowth(handedOut);
        }
    }

    private void runAndKill(Path handedOut, long behindMillis) {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CrashedSequence.class.getName(),
                        folder.toString(),
                        Long.toString(behindMillis)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(handedOut.toFile());
        try (ChildProcess child = ChildProcess.start(builder)) {
            Await.until("ranges", LIMIT, () -> !child.isAlive() || Files.size(handedOut) > RANGES * 16L);
            assertTrue(child.isAlive());
            child.kill9();
        }
    }

    private void requireGrowth(Path handedOut) throws IOException {
        ByteBuffer values = ByteBuffer.wrap(Files.readAllBytes(handedOut));
        while (values.remaining() >= Long.BYTES) {
            long value = values.getLong();
            assertTrue(value > last, value + " handed out after " + last);
            last = value;
        }
    }
}
