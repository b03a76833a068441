package io.tributary.seed.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A model of the copy and its replay: random histories of a table with a primary key and a unique value, and every order of its changes and the
 * reads of its keys. Of a state, element p - 1 is the unique value of the row with key p, 0 if there is none. See docs/internals/seed_model.py.
 */
class SeedModelTest {
    private static final long SEED = 15;

    /** How updates are replayed. */
    private enum Rule {
        DELETE_AND_WRITE,
        UPDATE_IN_PLACE,
        IDEMPOTENT,
        EARLY_END
    }

    /** A change: before and after are a key and its value, key 0 = no row. */
    private record Change(int key, int newKey, int newValue) {}

    private record History(List<Change> changes, List<int[]> states) {}

    @Test
    void deleteAndWriteIsExactInEveryOrder() {
        assertEquals(0, wrong(Rule.DELETE_AND_WRITE));
    }

    @Test
    void theModelDetectsAnUpdateInPlace() {
        assertTrue(wrong(Rule.UPDATE_IN_PLACE) > 0);
    }

    @Test
    void theModelDetectsMysqlsIdempotentMode() {
        assertTrue(wrong(Rule.IDEMPOTENT) > 0);
    }

    @Test
    void theModelDetectsAnEndByTheFirstChunk() {
        assertTrue(wrong(Rule.EARLY_END) > 0);
    }

    private static long wrong(Rule rule) {
        Random random = new Random(SEED);
        long wrong = 0;
        for (int i = 0; i < 1500; i++) {
            wrong += wrongOrders(history(random, 3, 5), 3, rule); // 8 steps: 3 reads and 5 changes
        }
        for (int i = 0; i < 60; i++) {
            wrong += wrongOrders(history(random, 4, 8), 4, rule);
        }
        return wrong;
    }

    private static History history(Random random, int keys, int changes) {
        int[] state = new int[keys];
        for (int i = 0; i < 2 * keys; i++) {
            state = change(random, state, new ArrayList<>());
        }
        List<Change> log = new ArrayList<>();
        List<int[]> states = new ArrayList<>(List.of(state));
        while (log.size() < changes) {
            int before = log.size();
            state = change(random, state, log);
            if (log.size() > before) {
                states.add(state);
            }
        }
        return new History(log, states);
    }

    /** The state after a random change, which is logged; the same state if it is not possible. */
    private static int[] change(Random random, int[] state, List<Change> log) {
        int keys = state.length;
        int key = 1 + random.nextInt(keys);
        int value = 1 + random.nextInt(keys);
        int newKey = random.nextInt(3) == 0 ? 1 + random.nextInt(keys) : key;
        if (random.nextInt(4) == 0) {
            newKey = 0;
        }
        boolean exists = state[key - 1] != 0;
        int[] next = state.clone();
        next[key - 1] = 0;
        if (!exists && newKey == 0 || newKey != 0 && (next[newKey - 1] != 0 || has(next, value))) {
            return state;
        }
        if (newKey != 0) {
            next[newKey - 1] = value;
        }
        log.add(new Change(exists ? key : 0, newKey, value));
        return next;
    }

    private static boolean has(int[] state, int value) {
        for (int each : state) {
            if (each == value) {
                return true;
            }
        }
        return false;
    }

    /** Tries all times at which the keys are read. */
    private static long wrongOrders(History history, int keys, Rule rule) {
        int steps = history.changes().size() + 1;
        long orders = 1;
        for (int i = 0; i < keys; i++) {
            orders *= steps;
        }
        long wrong = 0;
        for (long order = 0; order < orders; order++) {
            wrong += isExact(history, order, keys, rule) ? 0 : 1;
        }
        return wrong;
    }

    private static boolean isExact(History history, long order, int keys, Rule rule) {
        int steps = history.changes().size() + 1;
        int[] target = new int[keys];
        int earliest = steps - 1;
        long rest = order;
        for (int key = 1; key <= keys; key++, rest /= steps) {
            int time = (int) (rest % steps);
            earliest = Math.min(earliest, time);
            int value = history.states().get(time)[key - 1];
            if (value != 0) {
                write(target, key, value);
            }
        }
        int end = rule == Rule.EARLY_END ? earliest : steps - 1;
        for (int i = 0; i < end; i++) {
            replay(target, history.changes().get(i), rule);
        }
        return Arrays.equals(target, history.states().get(end));
    }

    private static void replay(int[] target, Change change, Rule rule) {
        boolean isUpdate = change.key() != 0 && change.newKey() != 0;
        boolean isThere = change.key() != 0 && target[change.key() - 1] != 0;
        if (isUpdate && rule != Rule.DELETE_AND_WRITE && rule != Rule.EARLY_END && !isThere) {
            return; // MySQL ignores the update of a row that it does not find
        }
        int[] before = target.clone();
        if (change.key() != 0) {
            target[change.key() - 1] = 0;
        }
        if (isUpdate
                && rule == Rule.IDEMPOTENT
                && (target[change.newKey() - 1] != 0 || has(target, change.newValue()))) {
            System.arraycopy(before, 0, target, 0, target.length); // and one that would make a duplicate
            return;
        }
        if (change.newKey() != 0) {
            write(target, change.newKey(), change.newValue());
        }
    }

    private static void write(int[] target, int key, int value) {
        for (int i = 0; i < target.length; i++) {
            target[i] = target[i] == value ? 0 : target[i];
        }
        target[key - 1] = value;
    }
}
