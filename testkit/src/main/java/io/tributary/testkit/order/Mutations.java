package io.tributary.testkit.order;

import io.tributary.common.error.TributaryException;
import java.util.function.IntConsumer;

/** Checks that simulations detect a violation of a rule. */
public final class Mutations {
    private Mutations() {}

    /**
     * Replays one schedule after another, until a replay or its checks fail.
     *
     * @param mutation the violation, in words for the error
     * @param replay replays and checks the schedule with a number
     * @throws AssertionError if no schedule detects it
     */
    public static void assertNoticed(Object mutation, int schedules, IntConsumer replay) {
        for (int number = 0; number < schedules; number++) {
            try {
                replay.accept(number);
            } catch (AssertionError | TributaryException noticed) {
                return;
            }
        }
        throw new AssertionError(schedules + " schedules did not detect " + mutation);
    }
}
