package io.tributary.testkit.workload;

import java.sql.SQLException;
import java.time.Duration;

/** Something that writes to shards, on threads of its own, the same from the same seed but for the threads' timing. */
public interface Workload extends AutoCloseable {
    /** Creates schema, tables and first rows; once, before the start. */
    void prepare() throws SQLException;

    /** The threads that do it. */
    Load load();

    /** Starts and returns at once. */
    default void start() {
        load().start(Long.MAX_VALUE);
    }

    /** Lets every thread finish what it has begun, open distributed transactions too; throws what a thread failed with. */
    default void stop() {
        load().stop();
    }

    /** Runs for that long. */
    default void run(Duration duration) {
        start();
        load().awaitEnd(duration);
        stop();
    }

    /** Runs that many steps over all threads; a step is about one transaction. */
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
