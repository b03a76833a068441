package io.tributary.mysql.protocol.server;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the connections that are not logged in, in total and per host, and delays the next refusal of a host that was refused
 * often recently. Any thread.
 */
final class LoginLimiter {
    private static final int FREE_FAILURES = 3;
    private static final int MOST_FAILURES = 10;
    private static final int MOST_HOSTS = 10_000;
    private static final long FIRST_DELAY_MILLIS = 50;

    private final int most;
    private final int mostOfHost;
    private final long longestDelayMillis;
    private final Map<InetAddress, Integer> pending = new HashMap<>();
    private final Map<InetAddress, Integer> failures = new HashMap<>();
    private int all;
    private long refused;

    /** Of all connections at the same time, half as many may be from one host. */
    LoginLimiter(ServerSettings.Logins limits) {
        this.most = limits.most();
        this.longestDelayMillis = limits.refusalDelay().toMillis();
        this.mostOfHost = Math.max(1, most / 2);
    }

    /** Adds a connection; returns false if there are too many, and then {@link #leave} must not be called. */
    synchronized boolean enter(InetAddress host) {
        int ofHost = pending.getOrDefault(host, 0);
        if (all >= most || ofHost >= mostOfHost) {
            return false;
        }
        pending.put(host, ofHost + 1);
        all++;
        return true;
    }

    /** Removes an added connection that is logged in or has ended. */
    synchronized void leave(InetAddress host) {
        pending.computeIfPresent(host, (same, count) -> count == 1 ? null : count - 1);
        all--;
    }

    /**
     * Records a refused login from the host. If this returns true, the caller calls {@link #forget} for it some time later.
     *
     * @return whether it was recorded
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

    /** The delay of the host's refusal, in ms: it slows guessing down, and delays no other host. */
    synchronized long delayMillis(InetAddress host) {
        int count = failures.getOrDefault(host, 0);
        return count <= FREE_FAILURES ? 0 : Math.min(longestDelayMillis, FIRST_DELAY_MILLIS << (count - FREE_FAILURES));
    }

    /** Refused logins since the start. */
    synchronized long refused() {
        return refused;
    }
}
