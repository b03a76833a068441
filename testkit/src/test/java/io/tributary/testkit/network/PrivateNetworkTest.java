package io.tributary.testkit.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.tributary.testkit.server.MysqlTools;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrivateNetworkTest {
    private static final Path ENTER = Path.of("..", "bin", "in-private-network");

    /** Runs {@link NetworkTrial} in its own process, which prints what it saw; its exit status is the result. */
    @Test
    void dropsTheConfiguredPackets() {
        MysqlTools.Outcome outcome = MysqlTools.run(List.of(
                ENTER.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                NetworkTrial.class.getName()));
        assertEquals(0, outcome.status(), outcome.output());
        System.out.println(outcome.output().strip());
    }

    /** Tests run in the network of the process that started them. */
    @Test
    void doesNotChangeTheNetworkOfTheMachine() {
        assumeFalse(Namespaces.isPrivate(), "all of this runs in a private network");
        IllegalStateException refused = assertThrows(IllegalStateException.class, PrivateNetwork::open);
        assertTrue(refused.getMessage().contains("not in a network namespace of its own"), refused.getMessage());
        assertEquals(refused.getMessage(), PrivateNetwork.lacks().orElseThrow());
    }

    @Test
    void aFilterWithoutAnythingToDropPassesAll() {
        assertEquals("5,40 0 0 12,21 0 1 2048,32 0 0 26,6 0 0 0,6 0 0 2", PacketFilter.NONE.program(false));
    }

    @Test
    void aFilterChecksTheOtherEndAndThenARandomNumber() {
        assertEquals(
                "9,40 0 0 12,21 0 5 2048,32 0 0 30,21 4 0 172818435,21 3 0 172818436,32 0 0 4294963256,53 0 1 429496729,"
                        + "6 0 0 0,6 0 0 2",
                new PacketFilter(List.of("10.77.0.3", "10.77.0.4"), 10).program(true));
    }
}
