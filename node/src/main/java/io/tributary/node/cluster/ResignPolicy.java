package io.tributary.node.cluster;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.pipeline.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Whether a leader that nobody takes the lead from should give it up, since too few followers hear it, its disk hangs or it reaches no Task.
 * Only where the other Dumpers are enough to
 * elect one of them and to acknowledge without it; and each time that it has not helped, with twice the patience. Lives as long as its node; any
 * thread.
 */
public final class Resignation {
    private static final int MOST_DOUBLINGS = 6;

    private final String node;
    private final Quorum quorum;
    private final Members members;
    private final long patienceNanos;
    private final Clock clock;
    private int doublings;
    private long wellNanos; // since then followers, and the disk, have answered all the time
    private long reached;
    private boolean couldGo; // whether since couldNanos the others have been enough
    private long couldNanos;

    /**
     * @param node this one
     * @param members who are there
     * @param patience how long a leader goes on so
     */
    public Resignation(String node, Quorum quorum, Members members, Duration patience, Clock clock) {
        this.node = node;
        this.quorum = quorum;
        this.members = members;
        this.patienceNanos = patience.toNanos();
        this.clock = clock;
    }

    /** This node leads from now on. */
    public synchronized void leads() {
        couldGo = false;
        reached = 0;
        wellNanos = clock.nanoTime();
    }

    /**
     * Why it should resign now; empty to go on.
     *
     * @param cut the newest one that readers see; grows while all is well
     * @param silentNanos for how long too few followers have said anything
     * @param diskNanos for how long the disk has not answered
     * @param unreachedNanos for how long it has reached no Task, though some are members
     * @param witnesses who counts in an election; empty while nothing was acknowledged
     */
    public synchronized Optional<String> reason(
            long cut, long silentNanos, long diskNanos, long unreachedNanos, Set<String> witnesses) {
        long now = clock.nanoTime();
        long worst = Math.max(silentNanos, Math.max(diskNanos, unreachedNanos));
        if (worst > patienceNanos / 2) {
            wellNanos = now;
        }
        if (cut > reached) {
            reached = cut;
            doublings = now - wellNanos > patienceNanos ? 0 : doublings;
        }
        lookForOthers(witnesses, now);
        long stuck = couldGo ? Math.min(worst, now - couldNanos) : 0;
        if (stuck < patienceNanos << doublings) {
            return Optional.empty();
        }
        String what = "fewer than " + quorum.followers() + " follower(s) have said anything for ";
        if (diskNanos == worst) {
            what = "its disk has not answered for ";
        } else if (unreachedNanos == worst) {
            what = "it has reached no Task, though some are members, for ";
        }
        return Optional.of(what + TimeUnit.NANOSECONDS.toMillis(worst) + " ms");
    }

    /** Those who have just come are given time to come to this leader. */
    private void lookForOthers(Set<String> witnesses, long now) {
        boolean areEnough = areEnough(witnesses);
        if (areEnough && !couldGo) {
            couldNanos = now;
        }
        couldGo = areEnough;
    }

    /** Enough to elect one of them, and to acknowledge what that one writes. */
    private boolean areEnough(Set<String> witnesses) {
        List<String> others = members.with(MemberRole.DUMPER).stream()
                .map(Member::id)
                .filter(other -> !other.equals(node))
                .toList();
        long counted = others.stream().filter(witnesses::contains).count();
        boolean couldElect = witnesses.isEmpty()
                ? others.size() >= quorum.election()
                : counted >= Math.max(1, witnesses.size() - quorum.copies() + 1);
        return couldElect && others.size() >= quorum.copies();
    }

    /** It resigns. */
    public synchronized void resigns() {
        doublings = Math.min(MOST_DOUBLINGS, doublings + 1);
    }
}
