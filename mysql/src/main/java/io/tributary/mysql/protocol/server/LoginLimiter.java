package io.tributary.mysql.protocol.server;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Who stands before the login: how many at the same time, all in all and from one host, and which hosts have been refused so
 * often lately that they have to wait for the next refusal. Any thread.
 */
final class LoginGate {
    private static final int FREE_FAILURES = 3;
    private static final int MOST_FAILURES = 10;
    private static final int MOST_HOSTS = 10_000;
    private static final long FIRST_DELAY_MILLIS = 50;

    private final int most;
    private final int mostOfHost;
    private final long longestDelayMillis;
    private final Map<InetAddress, Integer> standing = new HashMap<>();
    private final Map<InetAddress, Integer> failures = new HashMap<>();
    private int all;
    private long refused;

    /**
     * @param most at the same time; half as many from one host
     * @param longestDelay of a refusal
     */
    LoginGate(int most, Duration longestDelay) {
        this.most = most;
        this.longestDelayMillis = longestDelay.toMillis();
        this.mostOfHost = Math.max(1, most / 2);
    }

    /** A connection comes; false where it is one too many, and then it need not {@link #leave}. */
    synchronized boolean enter(InetAddress host) {
        int ofHost = standing.getOrDefault(host, 0);
        if (all >= most || ofHost >= mostOfHost) {
            return false;
        }
        standing.put(host, ofHost + 1);
        all++;
        return true;
    }

    /** A connection that has entered is logged in, or gone. */
    synchronized void leave(InetAddress host) {
        standing.computeIfPresent(host, (same, count) -> count == 1 ? null : count - 1);
        all--;
    }

    /**
     * A login from there is refused. Where this says true, {@link #forget} is called for it some time later.
     *
     * @return whether it was noted
     */
    synchronized boolean failed(InetAddress host) {
        refused++;
        int count = failures.getOrDefault(host, 0);
        if (count >= MOST_FAILURES || failures.size() >= MOST_HOSTS) {
            return false;
        }
        failures.put(host, count + 1);
        return true;
    }

    synchronized void forget(InetAddress host) {
        failures.computeIfPresent(host, (same, count) -> count == 1 ? null : count - 1);
    }

    /** How long the host waits for its refusal, in ms: guessing gets slow, and nobody else waits. */
    synchronized long delayMillis(InetAddress host) {
        int count = failures.getOrDefault(host, 0);
        return count <= FREE_FAILURES ? 0 : Math.min(longestDelayMillis, FIRST_DELAY_MILLIS << (count - FREE_FAILURES));
    }

    /** Logins refused since the start. */
    synchronized long refused() {
        return refused;
    }
}
