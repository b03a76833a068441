package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Quorum;
import io.tributary.node.cluster.SimulatedDumper.Sabotage;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Simulated elections with the product's classes, under failures that a seed chooses. Replay: {@code -Dseed=}; more runs: {@code -Druns=}. */
class ElectionSimulationTest {
    private static final int SEEDS = Integer.getInteger("runs", 2000);
    private static final int SABOTAGED = 4000;
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final String PACKAGE = ElectionSimulationTest.class.getPackageName();

    @BeforeAll
    static void quiet() {
        Configurator.setLevel(PACKAGE, Level.OFF); // thousands of elections
    }

    @AfterAll
    static void loud() {
        Configurator.setLevel(PACKAGE, Level.INFO);
    }

    @Test
    void acknowledgedCutsStayAndThereIsNeverMoreThanOneLeaderAndFinallyOne() {
        Long wanted = Long.getLong("seed");
        long first = wanted == null ? 1 : wanted;
        LongStream.range(first, first + (wanted == null ? SEEDS : 1))
                .forEach(seed -> failure(seed, Sabotage.NOTHING).ifPresent(failure -> {
                    throw new AssertionError("replay with -Dseed=" + seed + ": " + failure, failure);
                }));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void findsEachSabotage(Sabotage sabotage) {
        assertTrue(
                LongStream.rangeClosed(1, SABOTAGED)
                        .anyMatch(seed -> failure(seed, sabotage).isPresent()),
                sabotage + " is not found");
    }

    @Test
    void aLeaderThatReachesNoFollowerIsReplaced() throws Exception {
        SimulatedCluster cluster = led(new Quorum(3, Acknowledgement.MAJORITY));
        Leader cutOff = cluster.leader().orElseThrow();
        separate(cluster, 3, cutOff.node());
        int before = cluster.shownEntries();

        Duration took = cluster.pass(LONG, () -> cluster.shownEntries() > before);

        assertNotEquals(cutOff.node(), cluster.leader().orElseThrow().node());
        assertTrue(took.compareTo(SimulatedCluster.TIMEOUT.plusSeconds(2)) < 0, () -> "took " + took);
    }

    @Test
    void aLeaderWithTooFewFollowersContinuesIfTheOthersCannotReplaceIt() throws Exception {
        SimulatedCluster cluster = led(new Quorum(2, Acknowledgement.ONE));
        Leader cutOff = cluster.leader().orElseThrow();
        separate(cluster, 2, cutOff.node());

        cluster.pass(LONG, () -> false);

        assertEquals(Optional.of(cutOff), cluster.leader());
    }

    @Test
    void leadersResignLessAndLessOftenIfNoneDoesBetter() throws Exception {
        SimulatedCluster cluster = led(new Quorum(3, Acknowledgement.MAJORITY));
        long first = cluster.leader().orElseThrow().epoch();
        for (int i = 0; i < 3; i++) {
            separate(cluster, 3, "d" + i);
        }

        cluster.pass(LONG, () -> false);

        cluster.pass(LONG, () -> cluster.leader().isPresent());
        long changes = cluster.leader().orElseThrow().epoch() - first;
        assertTrue(changes >= 3 && changes <= 3 * 7, () -> "resigned " + changes + " times");
    }

    private static SimulatedCluster led(Quorum quorum) throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(quorum);
        cluster.pass(LONG, () -> cluster.shownEntries() > 0);
        assertTrue(cluster.shownEntries() > 0);
        return cluster;
    }

    private static void separate(SimulatedCluster cluster, int dumpers, String one) {
        for (int i = 0; i < dumpers; i++) {
            cluster.separate(one, "d" + i);
        }
    }

    private static Optional<Throwable> failure(long seed, Sabotage sabotage) {
        try {
            new SimulatedCluster(seed, sabotage).run();
            return Optional.empty();
        } catch (Exception | AssertionError e) {
            return Optional.of(e);
        }
    }
}
