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

class ResignationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Set<String> ALL = Set.of("a", "b", "c");

    private final ManualClock clock = new ManualClock();
    private List<String> there = List.of("a", "b", "c");
    private final Resignation resignation = new Resignation(
            "a",
            new Quorum(3, Acknowledgement.MAJORITY),
            () -> there.stream().map(SimulatedDumper::memberNamed).toList(),
            PATIENCE,
            clock);

    private Optional<String> after(Duration time, long cut, Duration silent) {
        clock.pass(time);
        return resignation.reason(cut, silent.toNanos(), 0, 0, ALL);
    }

    private void begins() {
        resignation.leads();
        assertEquals(Optional.empty(), after(Duration.ZERO, 1, Duration.ZERO));
    }

    @Test
    void resignsWhenNoFollowerHasSaidAnythingForLong() {
        begins();
        assertEquals(Optional.empty(), after(PATIENCE.minusMillis(1), 1, PATIENCE.minusMillis(1)));
        assertTrue(after(Duration.ofMillis(1), 1, PATIENCE).orElseThrow().contains("follower"));
    }

    @Test
    void resignsWhenItsDiskHasNotAnsweredForLongThoughFollowersTalk() {
        begins();
        clock.pass(PATIENCE);
        assertEquals(Optional.empty(), resignation.reason(1, 0, PATIENCE.toNanos() - 1, 0, ALL));
        assertTrue(resignation
                .reason(1, 0, PATIENCE.toNanos(), 0, ALL)
                .orElseThrow()
                .contains("disk"));
        assertEquals(Optional.empty(), resignation.reason(1, 0, 0, 0, ALL), "it answers again");
    }

    @Test
    void resignsWhenItHasReachedNoTaskForLongWithTwiceThePatienceWhereThatDidNotHelp() {
        for (Duration patience : List.of(PATIENCE, PATIENCE.multipliedBy(2), PATIENCE.multipliedBy(4))) {
            begins();
            clock.pass(patience);
            assertEquals(Optional.empty(), resignation.reason(1, 0, 0, patience.toNanos() - 1, ALL));
            assertTrue(resignation
                    .reason(1, 0, 0, patience.toNanos(), ALL)
                    .orElseThrow()
                    .contains("Task"));
            resignation.resigns();
        }
    }

    @Test
    void goesOnWhereTheOthersAreTooFewAndGivesThoseTimeWhoHaveJustCome() {
        there = List.of("a", "b");
        begins();
        assertEquals(Optional.empty(), after(PATIENCE.multipliedBy(9), 1, PATIENCE.multipliedBy(9)));
        there = List.of("a", "b", "c");
        assertEquals(Optional.empty(), after(Duration.ofMillis(1), 1, PATIENCE.multipliedBy(9)));
        assertTrue(after(PATIENCE, 1, PATIENCE.multipliedBy(10)).isPresent());
    }

    @Test
    void thoseWhoDoNotCountInAnElectionElectNobody() {
        resignation.leads();
        for (int i = 0; i < 2; i++) {
            clock.pass(PATIENCE);
            assertEquals(Optional.empty(), resignation.reason(1, PATIENCE.toNanos(), 0, 0, Set.of("a", "d")));
        }
    }

    @Test
    void hasTwiceThePatienceWhereItHasNotHelpedUntilItHasLedWell() {
        begins();
        assertTrue(after(PATIENCE, 1, PATIENCE).isPresent());
        resignation.resigns();
        begins();
        assertEquals(Optional.empty(), after(PATIENCE, 1, PATIENCE));
        assertTrue(after(PATIENCE, 1, PATIENCE.multipliedBy(2)).isPresent());
        resignation.resigns();
        begins();
        assertEquals(Optional.empty(), after(PATIENCE.plusMillis(1), 2, Duration.ZERO));
        assertTrue(after(PATIENCE, 2, PATIENCE).isPresent(), "it had led well");
    }

    @Test
    void keepsItsPatienceWhereItHasLedInSilence() {
        begins();
        assertTrue(after(PATIENCE, 1, PATIENCE).isPresent());
        resignation.resigns();
        begins();
        assertEquals(Optional.empty(), after(PATIENCE.plusMillis(1), 2, PATIENCE.minusMillis(1)));
        assertEquals(Optional.empty(), after(PATIENCE, 3, PATIENCE.plusMillis(1)), "a cut alone shows nothing");
    }
}
