package io.tributary.binlog.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.binlog.BinlogReader;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writing stages, each on its own thread that sleeps until another one wakes it up. */
class BinlogThreadsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int LITTLE = 40;
    private static final int MUCH = 600;

    @TempDir
    Path folder;

    @Test
    void noStageSleepsWhileItHasWork() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        BinlogSettings settings = BinlogSettings.in(folder)
                .sync(BinlogSync.ALWAYS)
                .patchers(3)
                .memory(1 << 20)
                .fileSize(200_000);
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(7, dumper.recovered.resume());
            Random random = new Random(7);
            try (StageRunner runner = new StageRunner((stage, cause) -> failure.set(cause))) {
                dumper.start(runner);
                for (int i = 0; i < LITTLE; i++) { // all stages sleep before each batch
                    dumper.put(task.batch(1 + random.nextInt(20)));
                    dumper.put(task.cut());
                    awaitDurable(dumper, task);
                }
                List<Chunk> much = new ArrayList<>(); // more than fits into the ring and its memory
                for (int i = 0; i < MUCH; i++) {
                    much.add(task.batch(1 + random.nextInt(20)));
                    much.add(task.cut());
                }
                dumper.put(much);
                awaitDurable(dumper, task);
            }
            assertEquals(null, failure.get());
            assertEquals(task.gno(), BinlogReader.read(folder).transactions.size());
        }
    }

    private static void awaitDurable(Dumper dumper, TaskStream task) {
        Await.until(
                () -> "transaction " + task.gno() + " to be durable, found the end at "
                        + dumper.files().durableEnd().gno(),
                LIMIT,
                () -> dumper.files().durableEnd().gno() == task.gno());
    }
}
