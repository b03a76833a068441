package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.Schedule.Flaw;
import io.tributary.common.error.TributaryException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** ordering_model.py in Java: the rules under random schedules, and each of the five mutations caught. */
class GlobalOrderModelTest {
    private static final int SCHEDULES = 10_000;
    private static final long SEED = Long.getLong("seed", 1);

    @Test
    void everyScheduleComesOutOnceWholeAndInOrder() {
        int transactions = 0;
        int restarts = 0;
        for (int number = 0; number < SCHEDULES; number++) {
            Replay replay = replay(number, Rules.ALL, Flaw.NONE);
            transactions += replay.output().size();
            restarts += replay.restarts();
            assertEquals(0, replay.alarms().lateBranches().value(), "seed " + SEED + " schedule " + number);
            assertEquals(0, replay.alarms().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        assertTrue(transactions > 300_000 && restarts > 20_000, transactions + " with " + restarts + " restarts");
    }

    @Test
    void gtridsUsedAgainAtOnceAreTransactionsOfTheirOwn() {
        int used = 0;
        for (int number = 0; number < SCHEDULES / 5; number++) {
            SplittableRandom random = new SplittableRandom(SEED * 2_000_003 + number);
            int shards = random.nextInt(2, 6);
            int transactions = random.nextInt(10, 81);
            Schedule schedule = new Schedule(random, shards, transactions, 6, 0, Flaw.NONE, true);
            Replay replay = checked(number, schedule, random, Rules.ALL);
            used += transactions
                    - (int) IntStream.range(0, transactions)
                            .map(schedule::gtrid)
                            .distinct()
                            .count();
            assertEquals(0, replay.alarms().lateBranches().value(), "seed " + SEED + " schedule " + number);
            assertEquals(0, replay.alarms().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        assertTrue(used > 5_000, used + " used again");
    }

    @Test
    void aRoundThatOnlyEndsTheWindowIsTooEarly() {
        assertCaught(new Rules(0, true, true), Flaw.NONE);
    }

    @Test
    void aWriterOfRoundsMustTakeOver() {
        assertCaught(Rules.ALL, Flaw.NO_TAKEOVER);
    }

    @Test
    void aTakeoverMustNotCountAsARound() {
        assertCaught(Rules.ALL, Flaw.TAKEOVER_IS_A_ROUND);
    }

    @Test
    void whatStandsInFrontOfThePreparesMustBeOut() {
        assertCaught(new Rules(1, false, true), Flaw.NONE);
    }

    @Test
    void pendingBranchesMustBeReadAgain() {
        assertCaught(new Rules(1, true, false), Flaw.NONE);
    }

    private static void assertCaught(Rules rules, Flaw flaw) {
        for (int number = 0; number < SCHEDULES; number++) {
            try {
                replay(number, rules, flaw);
            } catch (AssertionError | TributaryException caught) {
                return;
            }
        }
        throw new AssertionError(SCHEDULES + " schedules did not notice " + rules + " " + flaw);
    }

    private static Replay replay(int number, Rules rules, Flaw flaw) {
        SplittableRandom random = new SplittableRandom(SEED * 1_000_003 + number);
        int shards = random.nextInt(2, 6);
        double skew = new double[] {0, 1, 10, 100}[random.nextInt(4)];
        Schedule schedule =
                new Schedule(random, shards, random.nextInt(10, 81), random.nextInt(2, 7), skew, flaw, false);
        return checked(number, schedule, random, rules);
    }

    private static Replay checked(int number, Schedule schedule, SplittableRandom random, Rules rules) {
        Replay replay = new Replay(schedule, random, rules, random.nextInt(10) < 3);
        try {
            assertEquals(0, replay.run(), "payloads that nobody gave back");
            ScheduleCheck.check(schedule, replay.output());
            ScheduleCheck.checkClock(schedule, replay.output(), replay.restarts() == 0);
        } catch (AssertionError failure) {
            throw new AssertionError("seed " + SEED + " schedule " + number + ": " + failure.getMessage(), failure);
        }
        return replay;
    }
}
