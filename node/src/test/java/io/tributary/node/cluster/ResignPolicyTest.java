package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResignPolicyTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Set<String> ALL = Set.of("a", "b", "c");

    private final ManualClock clock = new ManualClock();
    private List<String> there = List.of("a", "b", "c");
    private final ResignPolicy policy = new ResignPolicy(
            "a",
            new Quorum(3, Acknowledgement.MAJORITY),
            () -> there.stream().map(SimulatedDumper::memberNamed).toList(),
            TIMEOUT,
            clock);

    private Optional<String> after(Duration time, long cut, Duration silent) {
        clock.pass(time);
        return policy.reason(cut, silent.toNanos(), 0, 0, ALL);
    }

    private void begins() {
        policy.leads();
        assertEquals(Optional.empty(), after(Duration.ZERO, 1, Duration.ZERO));
    }

    @Test
    void resignsWhenAllFollowersAreSilentForTooLong() {
        begins();
        assertEquals(Optional.empty(), after(TIMEOUT.minusMillis(1), 1, TIMEOUT.minusMillis(1)));
        assertTrue(after(Duration.ofMillis(1), 1, TIMEOUT).orElseThrow().contains("follower"));
    }

    @Test
    void resignsWhenItsDiskHangsThoughFollowersAnswer() {
        begins();
        clock.pass(TIMEOUT);
        assertEquals(Optional.empty(), policy.reason(1, 0, TIMEOUT.toNanos() - 1, 0, ALL));
        assertTrue(policy.reason(1, 0, TIMEOUT.toNanos(), 0, ALL).orElseThrow().contains("disk"));
        assertEquals(Optional.empty(), policy.reason(1, 0, 0, 0, ALL), "it answers again");
    }

    @Test
    void resignsWhenItReachesNoTaskAndDoublesTheTimeoutIfThatDoesNotHelp() {
        for (Duration timeout : List.of(TIMEOUT, TIMEOUT.multipliedBy(2), TIMEOUT.multipliedBy(4))) {
            begins();
            clock.pass(timeout);
            assertEquals(Optional.empty(), policy.reason(1, 0, 0, timeout.toNanos() - 1, ALL));
            assertTrue(
                    policy.reason(1, 0, 0, timeout.toNanos(), ALL).orElseThrow().contains("Task"));
            policy.resigns();
        }
    }

    @Test
    void continuesIfTheOthersAreTooFewAndGivesNewMembersTime() {
        there = List.of("a", "b");
        begins();
        assertEquals(Optional.empty(), after(TIMEOUT.multipliedBy(9), 1, TIMEOUT.multipliedBy(9)));
        there = List.of("a", "b", "c");
        assertEquals(Optional.empty(), after(Duration.ofMillis(1), 1, TIMEOUT.multipliedBy(9)));
        assertTrue(after(TIMEOUT, 1, TIMEOUT.multipliedBy(10)).isPresent());
    }

    @Test
    void dumpersThatAreNoVotersCannotElect() {
        policy.leads();
        for (int i = 0; i < 2; i++) {
            clock.pass(TIMEOUT);
            assertEquals(Optional.empty(), policy.reason(1, TIMEOUT.toNanos(), 0, 0, Set.of("a", "d")));
        }
    }

    @Test
    void doublesTheTimeoutIfItHasNotHelpedUntilItHasLedWithoutProblems() {
        begins();
        assertTrue(after(TIMEOUT, 1, TIMEOUT).isPresent());
        policy.resigns();
        begins();
        assertEquals(Optional.empty(), after(TIMEOUT, 1, TIMEOUT));
        assertTrue(after(TIMEOUT, 1, TIMEOUT.multipliedBy(2)).isPresent());
        policy.resigns();
        begins();
        assertEquals(Optional.empty(), after(TIMEOUT.plusMillis(1), 2, Duration.ZERO));
        assertTrue(after(TIMEOUT, 2, TIMEOUT).isPresent(), "it has led without problems");
    }

    @Test
    void keepsTheDoubledTimeoutIfItHasLedWithSilentFollowers() {
        begins();
        assertTrue(after(TIMEOUT, 1, TIMEOUT).isPresent());
        policy.resigns();
        begins();
        assertEquals(Optional.empty(), after(TIMEOUT.plusMillis(1), 2, TIMEOUT.minusMillis(1)));
        assertEquals(Optional.empty(), after(TIMEOUT, 3, TIMEOUT.plusMillis(1)), "a cut alone is not enough");
    }
}
