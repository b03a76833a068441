package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.SchemaReplay.Mutation;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * I16: the order and the definitions of the collector, driven by random schedules of statements of every class over shards with one or two
 * members each, with XA transactions across them and restarts: the state equation holds at each transaction. Replays one with {@code
 * -Dseed=}; {@code -Dschema.schedules=} sets how many.
 */
class SchemaModelTest {
    private static final int SCHEDULES = Integer.getInteger("schema.schedules", 7_000);
    private static final int MUTATED = 200;

    private static void run(long seed, Mutation mutation) {
        SplittableRandom random = new SplittableRandom(seed);
        SchemaSchedule schedule = new SchemaSchedule(random, random.nextInt(2, 4), random.nextInt(1, 3));
        new SchemaReplay(schedule, random, mutation).run();
    }

    @Test
    void theReplicaIsTheUnionOfTheMembersAtEachTransaction() {
        long first = Long.getLong("seed", 1);
        long last = System.getProperty("seed") == null ? SCHEDULES : first;
        for (long seed = first; seed <= last; seed++) {
            try {
                run(seed, Mutation.NONE);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dseed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mutation.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aWrongRuleIsDetected(Mutation mutation) {
        int detected = 0;
        for (long seed = 1; seed <= MUTATED; seed++) {
            try {
                run(seed, mutation);
            } catch (AssertionError e) {
                detected++;
            }
        }
        assertTrue(detected > MUTATED / 100, mutation + " detected in " + detected + " of " + MUTATED + " schedules");
    }
}
