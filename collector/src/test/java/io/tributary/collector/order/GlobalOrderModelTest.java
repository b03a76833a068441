package io.tributary.collector.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.Schedule.Flaw;
import io.tributary.collector.order.xa.TwoPhaseCommitRules;
import io.tributary.collector.order.xa.XaRules;
import io.tributary.testkit.order.ChangingShards.Change;
import io.tributary.testkit.order.Mutations;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** ordering_model.py in Java: tests the rules under random schedules, and that each mutation of them is detected. */
class GlobalOrderModelTest {
    private static final int SCHEDULES = 10_000;
    private static final long SEED = Long.getLong("seed", 1);
    private static final XaRules RULES = new TwoPhaseCommitRules();

    @Test
    void everyScheduleIsWrittenOnceCompletelyAndInOrder() {
        int transactions = 0;
        int restarts = 0;
        for (int number = 0; number < SCHEDULES; number++) {
            Replay replay = replay(number, RULES, Flaw.NONE, any -> any);
            transactions += replay.output().size();
            restarts += replay.restarts();
            assertEquals(0, replay.violations().lateBranches().value(), "seed " + SEED + " schedule " + number);
            assertEquals(0, replay.violations().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        assertTrue(transactions > 300_000 && restarts > 20_000, transactions + " with " + restarts + " restarts");
    }

    @Test
    void gtridsUsedAgainAtOnceAreSeparateTransactions() {
        int used = 0;
        for (int number = 0; number < SCHEDULES / 5; number++) {
            SplittableRandom random = new SplittableRandom(SEED * 2_000_003 + number);
            int shards = random.nextInt(2, 6);
            int transactions = random.nextInt(10, 81);
            Schedule schedule = new Schedule(random, shards, transactions, 6, 0, Flaw.NONE, true);
            Replay replay = checked(number, schedule, random, RULES);
            used += transactions
                    - (int) IntStream.range(0, transactions)
                            .map(schedule::gtrid)
                            .distinct()
                            .count();
            assertEquals(0, replay.violations().lateBranches().value(), "seed " + SEED + " schedule " + number);
            assertEquals(0, replay.violations().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        assertTrue(used > 5_000, used + " used again");
    }

    @Test
    void shardsThatJoinAndLeaveSplitAndLoseNothing() {
        int restarts = 0;
        int left = 0;
        for (int number = 0; number < SCHEDULES / 3; number++) {
            Replay replay = changing(number, RULES, Flaw.NONE, any -> any);
            restarts += replay.restarts();
            left += replay.hasLeft() ? 1 : 0;
            assertEquals(0, replay.violations().lateBranches().value(), "seed " + SEED + " schedule " + number);
            assertEquals(0, replay.violations().mixedOutcomes().value(), "seed " + SEED + " schedule " + number);
        }
        assertTrue(restarts > 4_000 && left > SCHEDULES / 10, restarts + " restarts, left " + left);
    }

    /**
     * A mutation of the rules.
     *
     * @param rule the rule that it breaks
     * @param run replays the schedule of a number so
     */
    private record Mutation(String rule, IntConsumer run) {
        static Mutation of(String rule, XaRules rules, Flaw flaw) {
            return of(rule, rules, flaw, any -> any);
        }

        static Mutation of(String rule, XaRules rules, Flaw flaw, UnaryOperator<Replay> mutation) {
            return new Mutation(rule, number -> replay(number, rules, flaw, mutation));
        }

        static Mutation whileChanging(String rule, XaRules rules, Flaw flaw, UnaryOperator<Replay> mutation) {
            return new Mutation(rule, number -> {
                try {
                    Replay replay = changing(number, rules, flaw, mutation);
                    assertEquals(0, replay.violations().lateBranches().value(), "late branches");
                } catch (RuntimeException noticed) {
                    throw new AssertionError(noticed);
                }
            });
        }

        @Override
        public String toString() {
            return rule;
        }
    }

    static List<Mutation> mutations() {
        return List.of(
                Mutation.of(
                        "a round after the one that ends the window was received",
                        XaRuleMutant.NO_ROUND_AFTER_THE_WINDOW,
                        Flaw.NONE),
                Mutation.of("a writer of rounds takes over", RULES, Flaw.NO_TAKEOVER),
                Mutation.of(
                        "no round is under way to a shard that others pass over", RULES, Flaw.PASSED_OVER_IN_FLIGHT),
                Mutation.of("a takeover is no round", RULES, Flaw.TAKEOVER_IS_A_ROUND),
                Mutation.of("everything before the PREPAREs was emitted", XaRuleMutant.EMITS_BEFORE_READY, Flaw.NONE),
                Mutation.of("pending branches are read again", RULES, Flaw.NONE, Replay::withoutPending),
                Mutation.whileChanging(
                        "a shard is expected before its frontier is chosen",
                        RULES,
                        Flaw.NONE,
                        Replay::withoutExpecting),
                Mutation.whileChanging(
                        "a shard that joins is read from before its frontier",
                        RULES,
                        Flaw.NONE,
                        Replay::withoutRereading),
                Mutation.whileChanging(
                        "a frontier is chosen once earlier branches are decided",
                        RULES,
                        Flaw.JOINS_UNDECIDED,
                        any -> any),
                Mutation.whileChanging(
                        "a frontier is chosen once other writers of rounds are refused",
                        RULES,
                        Flaw.JOINS_BEFORE_TAKEOVER,
                        any -> any),
                Mutation.whileChanging(
                        "rounds are demanded of a shard that joins", RULES, Flaw.NONE, Replay::withoutDemandingRounds),
                Mutation.whileChanging(
                        "a shard leaves without open branches",
                        XaRuleMutant.LEAVES_WITH_OPEN_BRANCHES,
                        Flaw.NONE,
                        any -> any),
                Mutation.whileChanging(
                        "a shard leaves at a round only", XaRuleMutant.LEAVES_ANYWHERE, Flaw.NONE, any -> any));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void aBrokenRuleIsDetected(Mutation mutation) {
        Mutations.assertNoticed(mutation, SCHEDULES, mutation.run());
    }

    private static Replay changing(int number, XaRules rules, Flaw flaw, UnaryOperator<Replay> mutation) {
        SplittableRandom random = new SplittableRandom(SEED * 3_000_017 + number);
        Change[] changes = {Change.JOIN, Change.LEAVE, Change.BOTH};
        double skew = new double[] {0, 1, 10, 100}[random.nextInt(4)];
        Schedule schedule = new Schedule(
                random,
                random.nextInt(3, 6),
                random.nextInt(10, 81),
                random.nextInt(2, 7),
                skew,
                flaw,
                false,
                changes[random.nextInt(3)]);
        return checked(number, schedule, mutation.apply(new Replay(schedule, random, rules, random.nextInt(10) < 3)));
    }

    private static Replay replay(int number, XaRules rules, Flaw flaw, UnaryOperator<Replay> mutation) {
        SplittableRandom random = new SplittableRandom(SEED * 1_000_003 + number);
        int shards = random.nextInt(2, 6);
        double skew = new double[] {0, 1, 10, 100}[random.nextInt(4)];
        Schedule schedule =
                new Schedule(random, shards, random.nextInt(10, 81), random.nextInt(2, 7), skew, flaw, false);
        return checked(number, schedule, mutation.apply(new Replay(schedule, random, rules, random.nextInt(10) < 3)));
    }

    private static Replay checked(int number, Schedule schedule, SplittableRandom random, XaRules rules) {
        return checked(number, schedule, new Replay(schedule, random, rules, random.nextInt(10) < 3));
    }

    private static Replay checked(int number, Schedule schedule, Replay replay) {
        try {
            assertEquals(0, replay.run(), "payloads that were not released");
            ScheduleCheck.check(schedule, replay.output());
            ScheduleCheck.checkClock(
                    schedule,
                    replay.output(),
                    replay.restarts() == 0 && !schedule.changing().areChanging());
        } catch (AssertionError failure) {
            throw new AssertionError("seed " + SEED + " schedule " + number + ": " + failure.getMessage(), failure);
        }
        return replay;
    }
}
