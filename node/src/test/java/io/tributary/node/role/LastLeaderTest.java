package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Leader;
import io.tributary.common.config.HostPort;
import io.tributary.node.dumper.LeaderAddress;
import io.tributary.node.dumper.LeaderHistory;
import io.tributary.testkit.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LastLeaderTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private final ManualClock clock = new ManualClock();
    private final LeaderHistory last = new LeaderHistory(LEASE, clock);
    private ServerSocket listening;
    private Socket notListening; // holds a port on which no process listens
    private LeaderAddress alive;
    private LeaderAddress gone;

    @BeforeEach
    void openPorts() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        listening = new ServerSocket(0, 5, here);
        notListening = new Socket();
        notListening.bind(new InetSocketAddress(here, 0));
        alive = place("alive", listening.getLocalPort());
        gone = place("gone", notListening.getLocalPort());
    }

    @AfterEach
    void closePorts() throws IOException {
        listening.close();
        notListening.close();
    }

    private static LeaderAddress place(String node, int port) {
        return new LeaderAddress(
                new Leader(node, 1),
                new HostPort(InetAddress.getLoopbackAddress().getHostAddress(), port));
    }

    private void copied(LeaderAddress place) {
        last.copyBegins();
        last.confirmed(place, clock.nanoTime());
    }

    @Test
    void aNewProcessWaitsAWholeLeaseForAnEarlierOne() {
        last.forget();
        assertEquals(LEASE, last.bound());
        clock.pass(LEASE.minusMillis(1));
        assertEquals(Duration.ofMillis(1), last.bound());
    }

    @Test
    void aLeaseRunsFromTheNewestMessageAndIsNeverNegative() {
        clock.pass(LEASE);
        copied(alive);
        assertEquals(LEASE, last.bound());
        clock.pass(LEASE.plusMillis(1));
        assertEquals(Duration.ZERO, last.bound());
    }

    @Test
    void anOlderMessageDoesNotShortenTheLease() {
        long older = clock.nanoTime();
        clock.pass(Duration.ofSeconds(1));
        copied(alive);
        last.confirmed(alive, older);
        assertEquals(LEASE, last.bound());
    }

    @Test
    void waitsForTheLeaseOfALeaderWhoseProcessStillListens() {
        copied(alive);
        last.forget();
        assertEquals(LEASE, last.bound());
    }

    @Test
    void doesNotWaitForALeaderWhoseProcessIsGone() {
        copied(gone);
        assertEquals(LEASE, last.bound());
        last.forget();
        assertEquals(Duration.ZERO, last.bound());
        last.forget();
        assertEquals(Duration.ZERO, last.bound());
    }

    @Test
    void aLeaderThatWasGoneDoesNotShortenTheWaitForTheNext() {
        copied(gone);
        last.forget();
        copied(alive);
        last.forget();
        assertEquals(LEASE, last.bound());
    }

    @Test
    void knowsTheLeaderThatItCopiedUntilItIsACandidate() {
        assertEquals(Optional.empty(), last.leader());
        copied(alive);
        assertTrue(last.is(alive));
        assertFalse(last.is(gone));
        assertEquals(Optional.of(alive.leader()), last.leader());
        last.forget();
        assertFalse(last.is(alive));
        assertEquals(Optional.empty(), last.leader());
    }
}
