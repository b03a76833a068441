package io.tributary.testkit.workload;

import java.sql.SQLException;
import java.time.Duration;

/** A load that writes to shards on its own threads. With the same seed it is the same, except for the timing of the threads. */
public interface Workload extends AutoCloseable {
    /** Creates schema, tables and first rows; called once, before the start. */
    void prepare() throws SQLException;

    /** Its threads. */
    Load load();

    /** Starts and returns at once. */
    default void start() {
        load().start(Long.MAX_VALUE);
    }

    /** Stops: every thread finishes its current work, including open distributed transactions. Throws the failure of a thread. */
    default void stop() {
        load().stop();
    }

    /** Runs for this time. */
    default void run(Duration duration) {
        start();
        load().awaitEnd(duration);
        stop();
    }

    /** Runs this many steps over all threads; a step is about one transaction. */
    default void run(long steps) {
        load().start(steps);
        load().awaitEnd(Duration.ofDays(1));
        stop();
    }

    @Override
    default void close() {
        stop();
    }
}
