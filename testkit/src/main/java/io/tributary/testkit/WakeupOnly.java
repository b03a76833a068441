package io.tributary.testkit;

import io.tributary.common.pipeline.Stage;
import java.util.List;

/**
 * A wrapper of a stage that is called only after a wake-up, never by the clock. If a wake-up is missing, the stage sleeps forever and the test
 * fails. Times that the stage itself requests are kept.
 */
public record WakeupOnly(Stage stage) implements Stage {
    /** Wraps all these stages. */
    public static List<Stage> all(List<? extends Stage> stages) {
        return stages.stream().<Stage>map(WakeupOnly::new).toList();
    }

    @Override
    public String name() {
        return stage.name();
    }

    @Override
    public int doWork() throws Exception {
        return stage.doWork();
    }

    @Override
    public long restNanos() {
        long nanos = stage.restNanos();
        return nanos < LONGEST_REST_NANOS ? nanos : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        stage.close();
    }
}
