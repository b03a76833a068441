package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.MemberReplay.Mutation;
import io.tributary.collector.order.MemberReplay.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * TRUNCATE, and DROP with CREATE, on tables that are spread over shards and several physical tables on each, with XA transactions across them and
 * restarts: the replica never stops, and has the union of the shards at the end. Replays with {@code -Dseed=}.
 */
class MemberModelTest {
    private static final int SCHEDULES = 10_000;
    private static final int MUTATED = 2_000;

    private static Outcome run(long seed, Mutation mutation) {
        SplittableRandom random = new SplittableRandom(seed);
        MemberSchedule schedule = new MemberSchedule(random, random.nextInt(2, 4), random.nextInt(1, 4));
        return new MemberReplay(schedule, random, mutation).run();
    }

    @Test
    void theReplicaHasTheUnionOfTheShards() {
        long first = Long.getLong("seed", 1);
        long last = System.getProperty("seed") == null ? SCHEDULES : first;
        for (long seed = first; seed <= last; seed++) {
            assertEquals(Outcome.RIGHT, run(seed, Mutation.NONE), "seed " + seed);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Mutation.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aWrongRuleIsDetected(Mutation mutation) {
        Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
        for (long seed = 1; seed <= MUTATED; seed++) {
            outcomes.merge(run(seed, mutation), 1, Integer::sum);
        }
        int wrong = MUTATED - outcomes.getOrDefault(Outcome.RIGHT, 0);
        assertTrue(wrong > MUTATED / 100, mutation + ": " + outcomes);
    }
}
