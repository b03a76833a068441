package io.tributary.node.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.order.ChangingShards.Change;
import io.tributary.testkit.order.Mutations;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** `tso` order under random schedules, from each shard's log to complete transactions. Errors of the coordinator are detected. */
class TsoModelTest {
    private static final int SCHEDULES = 2_000;
    private static final long SEED = Long.getLong("seed", 1);

    @Test
    void everyTransactionIsEmittedOnceCompleteAndInOrder() {
        int transactions = 0;
        int restarts = 0;
        int mostHeld = 0;
        for (int number = 0; number < SCHEDULES; number++) {
            TsoReplay replay = replay(number, TsoSchedule.Flaw.NONE, TsoReplay.Flaw.NONE);
            transactions += replay.output().size();
            restarts += replay.restarts();
            mostHeld = Math.max(mostHeld, replay.mostHeld());
            assertEquals(0, replay.alarms().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        String seen = transactions + " with " + restarts + " restarts, at most held " + mostHeld;
        assertTrue(transactions > 30 * SCHEDULES && restarts > SCHEDULES / 2 && mostHeld > 15, seen);
    }

    @Test
    void noTransactionIsSplitOrLostWhenShardsJoinAndLeave() {
        int restarts = 0;
        int left = 0;
        for (int number = 0; number < SCHEDULES; number++) {
            TsoReplay replay = changing(number, TsoSchedule.Flaw.NONE, TsoReplay.Flaw.NONE);
            restarts += replay.restarts();
            left += replay.hasLeft() ? 1 : 0;
            assertEquals(0, replay.alarms().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        assertTrue(restarts > SCHEDULES / 2 && left > SCHEDULES / 3, restarts + " restarts, left " + left);
    }

    /**
     * An error in the schedule or in the replay.
     *
     * @param rule the rule that it violates
     * @param changes whether shards join and leave meanwhile
     */
    private record Mutation(String rule, boolean changes, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        static Mutation of(String rule, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
            return new Mutation(rule, false, flaw, replayFlaw);
        }

        static Mutation whileChanging(String rule, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
            return new Mutation(rule, true, flaw, replayFlaw);
        }

        @Override
        public String toString() {
            return rule;
        }
    }

    static List<Mutation> mutations() {
        TsoSchedule.Flaw none = TsoSchedule.Flaw.NONE;
        TsoReplay.Flaw noneHere = TsoReplay.Flaw.NONE;
        return List.of(
                Mutation.of("nothing commits before smaller TSOs are prepared", TsoSchedule.Flaw.NO_TURNS, noneHere),
                Mutation.of(
                        "a round contains only TSOs that have committed", TsoSchedule.Flaw.ROUNDS_TOO_FAR, noneHere),
                Mutation.of("tokens are sorted", none, TsoReplay.Flaw.UNSORTED),
                Mutation.of(
                        "a cut contains which entries before its newest position are missing",
                        none,
                        TsoReplay.Flaw.NO_GAPS),
                Mutation.whileChanging(
                        "a shard is expected before its frontier is chosen", none, TsoReplay.Flaw.NOT_EXPECTED),
                Mutation.whileChanging(
                        "a shard that joins is read from before its frontier", none, TsoReplay.Flaw.NOT_READ_BEFORE),
                Mutation.whileChanging(
                        "a frontier is chosen when earlier branches are decided",
                        TsoSchedule.Flaw.JOINS_UNDECIDED,
                        noneHere),
                Mutation.whileChanging(
                        "a shard leaves without undecided branches", none, TsoReplay.Flaw.ROUNDS_WITHOUT_UNDECIDED),
                Mutation.whileChanging(
                        "a shard is asked to leave when no transaction uses it",
                        TsoSchedule.Flaw.LEAVES_IN_USE,
                        noneHere));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void anErrorIsDetected(Mutation mutation) {
        Mutations.assertNoticed(
                mutation,
                SCHEDULES,
                number -> replay(number, mutation.changes(), mutation.flaw(), mutation.replayFlaw()));
    }

    private static TsoReplay replay(int number, boolean changes, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        return changes ? changing(number, flaw, replayFlaw) : replay(number, flaw, replayFlaw);
    }

    private static TsoReplay changing(int number, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        SplittableRandom random = new SplittableRandom(SEED * 3_000_017 + number);
        Change[] changes = {Change.JOIN, Change.LEAVE, Change.BOTH};
        Change change = changes[random.nextInt(3)];
        TsoSchedule schedule = new TsoSchedule(
                random,
                random.nextInt(3, 6),
                random.nextInt(10, 81),
                random.nextInt(2, 7),
                random.nextInt(3) == 0,
                flaw,
                change);
        schedule.endWithRounds();
        return checked(number, schedule, new TsoReplay(schedule, random, random.nextInt(4) > 0, replayFlaw));
    }

    private static TsoReplay replay(int number, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        SplittableRandom random = new SplittableRandom(SEED * 1_000_003 + number);
        int shards = random.nextInt(2, 6);
        boolean tsoAtCommit = flaw == TsoSchedule.Flaw.NONE && random.nextInt(3) == 0;
        TsoSchedule schedule =
                new TsoSchedule(random, shards, random.nextInt(10, 81), random.nextInt(2, 7), tsoAtCommit, flaw);
        schedule.endWithRounds();
        return checked(number, schedule, new TsoReplay(schedule, random, random.nextInt(4) > 0, replayFlaw));
    }

    private static TsoReplay checked(int number, TsoSchedule schedule, TsoReplay replay) {
        try {
            assertEquals(0, replay.run(), "payloads that were not released");
            TsoCheck.check(schedule, replay.output());
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + SEED + " schedule " + number + ": " + failure.getMessage(), failure);
        }
        return replay;
    }
}
