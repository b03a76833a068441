package io.tributary.node.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.TributaryException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** `tso` order under random schedules, from each shard's log to whole transactions; and what a coordinator must not do, noticed. */
class TsoModelTest {
    private static final int SCHEDULES = 2_000;
    private static final long SEED = Long.getLong("seed", 1);

    @Test
    void everyScheduleComesOutOnceWholeAndInOrder() {
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
    void aCommitBeforeSmallerTsosArePreparedIsNoticed() {
        assertCaught(TsoSchedule.Flaw.NO_TURNS, TsoReplay.Flaw.NONE);
    }

    @Test
    void aRoundMustNotSayMoreThanWhatHasCommitted() {
        assertCaught(TsoSchedule.Flaw.ROUNDS_TOO_FAR, TsoReplay.Flaw.NONE);
    }

    @Test
    void tokensMustBeSorted() {
        assertCaught(TsoSchedule.Flaw.NONE, TsoReplay.Flaw.UNSORTED);
    }

    @Test
    void aCutMustKnowWhatIsMissingInFrontOfItsNewestPlace() {
        assertCaught(TsoSchedule.Flaw.NONE, TsoReplay.Flaw.NO_GAPS);
    }

    @Test
    void shardsThatComeAndGoTearAndLoseNothing() {
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

    @Test
    void aShardMustBeExpectedBeforeItsFrontierIsChosen() {
        assertChangeCaught(TsoSchedule.Flaw.NONE, TsoReplay.Flaw.NOT_EXPECTED);
    }

    @Test
    void aShardThatJoinsMustBeReadFromBeforeItsFrontier() {
        assertChangeCaught(TsoSchedule.Flaw.NONE, TsoReplay.Flaw.NOT_READ_BEFORE);
    }

    @Test
    void aFrontierMustNotBeChosenWhileEarlierBranchesAreUndecided() {
        assertChangeCaught(TsoSchedule.Flaw.JOINS_UNDECIDED, TsoReplay.Flaw.NONE);
    }

    @Test
    void aShardMustNotLeaveWithUndecidedBranches() {
        assertChangeCaught(TsoSchedule.Flaw.NONE, TsoReplay.Flaw.ROUNDS_KNOW_NO_HOLES);
    }

    @Test
    void aShardMustNotBeAskedToLeaveWhileItIsInUse() {
        assertChangeCaught(TsoSchedule.Flaw.LEAVES_IN_USE, TsoReplay.Flaw.NONE);
    }

    private static void assertChangeCaught(TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        for (int number = 0; number < SCHEDULES; number++) {
            try {
                changing(number, flaw, replayFlaw);
            } catch (AssertionError | TributaryException caught) {
                return;
            }
        }
        throw new AssertionError(SCHEDULES + " schedules did not notice " + flaw + " " + replayFlaw);
    }

    private static TsoReplay changing(int number, TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        SplittableRandom random = new SplittableRandom(SEED * 3_000_017 + number);
        TsoSchedule.Change[] changes = {TsoSchedule.Change.JOIN, TsoSchedule.Change.LEAVE, TsoSchedule.Change.BOTH};
        TsoSchedule.Change change = changes[random.nextInt(3)];
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

    private static void assertCaught(TsoSchedule.Flaw flaw, TsoReplay.Flaw replayFlaw) {
        for (int number = 0; number < SCHEDULES; number++) {
            try {
                replay(number, flaw, replayFlaw);
            } catch (AssertionError | TributaryException caught) {
                return;
            }
        }
        throw new AssertionError(SCHEDULES + " schedules did not notice " + flaw + " " + replayFlaw);
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
            assertEquals(0, replay.run(), "payloads that nobody gave back");
            TsoCheck.check(schedule, replay.output());
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed " + SEED + " schedule " + number + ": " + failure.getMessage(), failure);
        }
        return replay;
    }
}
