package io.tributary.testkit;

import io.tributary.common.pipeline.Stage;
import java.util.List;

/**
 * A stage that is not called again by the clock: where it waits to be told of something and is not, it sleeps for ever, and the test
 * fails. What it says of times it keeps.
 */
public record OnlyWoken(Stage stage) implements Stage {
    /** All of them so. */
    public static List<Stage> all(List<? extends Stage> stages) {
        return stages.stream().<Stage>map(OnlyWoken::new).toList();
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
