package io.tributary.testkit.order;

import io.tributary.common.error.TributaryException;
import java.util.function.IntConsumer;

/** Whether simulations notice what breaks a rule. */
public final class Mutations {
    private Mutations() {}

    /**
     * Replays schedule after schedule, until one of them is refused or checked in vain.
     *
     * @param mutation what is wrong, as the error names it
     * @param replay replays and checks the schedule of a number
     * @throws AssertionError when none of them notices
     */
    public static void assertNoticed(Object mutation, int schedules, IntConsumer replay) {
        for (int number = 0; number < schedules; number++) {
            try {
                replay.accept(number);
            } catch (AssertionError | TributaryException noticed) {
                return;
            }
        }
        throw new AssertionError(schedules + " schedules did not notice " + mutation);
    }
}
