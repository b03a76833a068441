package io.tributary.collector.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.schema.keys.WriteSets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** last_committed against a comparison of each transaction with each earlier one. */
class DependencyTrackerTest {
    private static final long SEED = Long.getLong("seed", 20261127);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final WriteSets sets = new WriteSets();

    /** A transaction of the model: the rows that it changes, and those that it needs. */
    private record Model(List<Integer> changed, List<Integer> needed, boolean isAlone, boolean isUnknown) {
        boolean conflicts(Model other) {
            return isAlone
                    || other.isAlone
                    || changed.stream().anyMatch(row -> other.changed.contains(row) || other.needed.contains(row))
                    || needed.stream().anyMatch(other.changed::contains);
        }
    }

    private static long key(int row, long flags) {
        return (row + 2) * 0x9E3779B97F4A7C15L & ~WriteSets.FLAGS | flags;
    }

    private long decide(DependencyTracker tracker, long number, Model model, long asShardsReport) {
        sets.clear();
        sets.begin();
        if (model.isUnknown()) { // one key of the whole table, which no other transaction has
            sets.add(key(-1, WriteSets.HAS_SHARED));
        } else {
            model.needed().forEach(row -> sets.add(key(row, WriteSets.SHARED)));
            model.changed().forEach(row -> sets.add(key(row, WriteSets.HAS_SHARED)));
        }
        sets.end(true);
        return model.isAlone()
                ? tracker.alone(number)
                : tracker.byKeys(number, sets, 0, asShardsReport, model.isUnknown());
    }

    private Model draw(int rows, boolean hasUnknown) {
        List<Integer> changed = new ArrayList<>();
        List<Integer> needed = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            (random.nextInt(4) == 0 ? needed : changed).add(random.nextInt(rows));
        }
        return new Model(changed, needed, random.nextInt(60) == 0, hasUnknown && random.nextInt(5) == 0);
    }

    @Test
    void dependsOnTheNewestTransactionWithOneOfItsKeysAndOnNoLaterOne() {
        for (int run = 0; run < 60; run++) {
            int rows = 2 + random.nextInt(60);
            DependencyTracker tracker = new DependencyTracker(10);
            List<Model> before = new ArrayList<>();
            for (long number = 11; number < 400; number++) {
                Model model = draw(rows, false);
                long expected = 10;
                for (int i = 0; i < before.size(); i++) {
                    expected = model.conflicts(before.get(i)) ? Math.max(expected, 11 + i) : expected;
                }
                long found = decide(tracker, number, model, number - 1);
                if (model.isAlone()) {
                    assertEquals(number - 1, found);
                } else {
                    assertEquals(expected, found, "seed " + SEED + ", run " + run + ", transaction " + number);
                }
                before.add(model);
            }
        }
    }

    /** Shards report at least the newest transaction that conflicts; with unknown keys this has to be enough in both directions. */
    @Test
    void neverMissesAConflictWithTransactionsWhoseKeysAreNotKnown() {
        long free = 0;
        for (int run = 0; run < 60; run++) {
            int rows = 2 + random.nextInt(300);
            DependencyTracker tracker = new DependencyTracker(0);
            List<Model> before = new ArrayList<>();
            for (long number = 1; number < 400; number++) {
                Model model = draw(rows, true);
                long newest = 0;
                for (int i = 0; i < before.size(); i++) {
                    newest = model.conflicts(before.get(i)) ? 1 + i : newest;
                }
                long reported = Math.min(number - 1, newest + random.nextInt(5));
                long found = decide(tracker, number, model, reported);
                assertTrue(found >= newest && found < number, found + " for " + newest + ", seed " + SEED);
                free += found < number - 1 ? 1 : 0;
                before.add(model);
            }
        }
        assertTrue(free > 60 * 100, "most are serial: " + free);
    }

    @Test
    void neverMissesAConflictWhenKeysAreForgotten() {
        DependencyTracker tracker = new DependencyTracker(0);
        Map<Integer, Long> newest = new HashMap<>();
        int rows = 20_000;
        long forgotten = 0;
        for (long number = 1; number < 8_000; number++) {
            List<Integer> changed = new ArrayList<>();
            int size = number % 500 == 0 ? 15_000 : 1 + random.nextInt(60);
            for (int i = 0; i < size; i++) {
                changed.add(random.nextInt(rows * 5));
            }
            long expected = 0;
            for (int row : changed) {
                expected = Math.max(expected, newest.getOrDefault(row, 0L));
            }
            for (int row : changed) {
                newest.put(row, number);
            }
            long found = decide(tracker, number, new Model(changed, List.of(), false, false), number - 1);
            assertTrue(found >= expected && found < number, "transaction " + number + ": " + found);
            forgotten += found > expected ? 1 : 0;
        }
        assertTrue(forgotten > 0, "nothing was forgotten");
    }

    @Test
    void aKeyThatIsChangedAndNeededByOneTransactionDependsOnThoseThatNeededItBefore() {
        DependencyTracker tracker = new DependencyTracker(0);
        Model needs = new Model(List.of(), List.of(7), false, false);
        assertEquals(0, decide(tracker, 1, needs, 0));
        assertEquals(0, decide(tracker, 2, needs, 0));
        assertEquals(2, decide(tracker, 3, new Model(List.of(7), List.of(7), false, false), 0));
        assertEquals(3, decide(tracker, 4, needs, 0));
    }

    @Test
    void allDependOnWhatIsBeforeASeparation() {
        DependencyTracker tracker = new DependencyTracker(0);
        decide(tracker, 1, new Model(List.of(1), List.of(), false, false), 0);
        decide(tracker, 2, new Model(List.of(2), List.of(), false, false), 0);
        tracker.separate(3);
        assertEquals(2, decide(tracker, 3, new Model(List.of(3), List.of(), false, false), 0));
        assertEquals(2, decide(tracker, 4, new Model(List.of(4), List.of(), false, false), 0));
    }

    @Test
    void aTransactionWithTooManyKeysIsNotKnown() {
        sets.begin();
        for (int i = 0; i <= WriteSets.MOST_OF_ONE; i++) {
            sets.add(key(i, 0));
        }
        assertTrue(sets.isTooLarge());
        sets.end(false);
        sets.begin();
        sets.add(key(1, 0));
        sets.end(true);
        assertEquals(1, sets.end(1) - sets.from(1));
        assertTrue(sets.isKnown(1) && !sets.isKnown(0));
    }
}
