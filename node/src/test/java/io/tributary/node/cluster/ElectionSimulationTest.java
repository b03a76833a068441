package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.cluster.SimulatedDumper.Sabotage;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elections by the product's classes under every misfortune that a seed holds. Replays with {@code -Dseed=}. */
class ElectionSimulationTest {
    private static final int SEEDS = 2000;
    private static final int SABOTAGED = 4000;
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
    void whatWasAcknowledgedStaysAndNoTwoLeadAndSomebodyDoesInTheEnd() {
        Long wanted = Long.getLong("seed");
        long first = wanted == null ? 1 : wanted;
        LongStream.range(first, first + (wanted == null ? SEEDS : 1))
                .forEach(seed -> failure(seed, Sabotage.NOTHING).ifPresent(failure -> {
                    throw new AssertionError("replay with -Dseed=" + seed + ": " + failure, failure);
                }));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void wouldFindThatSomethingIsLeftOut(Sabotage sabotage) {
        assertTrue(
                LongStream.rangeClosed(1, SABOTAGED)
                        .anyMatch(seed -> failure(seed, sabotage).isPresent()),
                sabotage + " is not found");
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
