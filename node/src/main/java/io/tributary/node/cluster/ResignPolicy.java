package io.tributary.node.cluster;

import io.tributary.common.cluster.ClusterMember;
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
 * Decides whether a leader should resign that no other Dumper supersedes: because too few followers receive from it, its disk hangs or it reaches
 * no Task. It resigns only if the other Dumpers are enough to elect one of them and to acknowledge without it. Each time that a resignation has
 * not helped, the timeout doubles. Exists as long as its node; for any thread.
 */
public final class ResignPolicy {
    private static final int MOST_DOUBLINGS = 6;

    private final String node;
    private final Quorum quorum;
    private final Members members;
    private final long timeoutNanos;
    private final Clock clock;
    private int doublings;
    private long healthyNanos; // since then followers and the disk have answered without interruption
    private long reachedCut;
    private boolean othersSuffice; // whether the others have been enough since othersNanos
    private long othersNanos;

    /**
     * @param node name of this node
     * @param members the current members
     * @param timeout how long a leader continues without followers, disk or Tasks
     */
    public ResignPolicy(String node, Quorum quorum, Members members, Duration timeout, Clock clock) {
        this.node = node;
        this.quorum = quorum;
        this.members = members;
        this.timeoutNanos = timeout.toNanos();
        this.clock = clock;
    }

    /** This node is leader from now on. */
    public synchronized void leads() {
        othersSuffice = false;
        reachedCut = 0;
        healthyNanos = clock.nanoTime();
    }

    /**
     * Returns why it should resign now; empty to continue.
     *
     * @param cut the newest one that readers see; grows while the leader works
     * @param silentNanos for how long messages of enough followers are missing
     * @param diskNanos for how long the disk has not answered
     * @param unreachedNanos for how long it has reached no Task, though some are members
     * @param countedVoters the Dumpers that count in an election; empty while nothing was acknowledged
     */
    public synchronized Optional<String> reason(
            long cut, long silentNanos, long diskNanos, long unreachedNanos, Set<String> countedVoters) {
        long now = clock.nanoTime();
        long worst = Math.max(silentNanos, Math.max(diskNanos, unreachedNanos));
        if (worst > timeoutNanos / 2) {
            healthyNanos = now;
        }
        if (cut > reachedCut) {
            reachedCut = cut;
            doublings = now - healthyNanos > timeoutNanos ? 0 : doublings;
        }
        checkOthers(countedVoters, now);
        long stuck = othersSuffice ? Math.min(worst, now - othersNanos) : 0;
        if (stuck < timeoutNanos << doublings) {
            return Optional.empty();
        }
        String cause = "fewer than " + quorum.followers() + " follower(s) have sent a message for ";
        if (diskNanos == worst) {
            cause = "its disk has not answered for ";
        } else if (unreachedNanos == worst) {
            cause = "it has reached no Task, though some are members, for ";
        }
        return Optional.of(cause + TimeUnit.NANOSECONDS.toMillis(worst) + " ms");
    }

    /** Members that have just joined get time to connect to this leader. */
    private void checkOthers(Set<String> countedVoters, long now) {
        boolean areEnough = areEnough(countedVoters);
        if (areEnough && !othersSuffice) {
            othersNanos = now;
        }
        othersSuffice = areEnough;
    }

    /** Whether the other Dumpers are enough to elect one of them, and to acknowledge what it writes. */
    private boolean areEnough(Set<String> countedVoters) {
        List<String> others = members.with(MemberRole.DUMPER).stream()
                .map(ClusterMember::id)
                .filter(other -> !other.equals(node))
                .toList();
        long counted = others.stream().filter(countedVoters::contains).count();
        boolean couldElect = countedVoters.isEmpty()
                ? others.size() >= quorum.election()
                : counted >= Math.max(1, countedVoters.size() - quorum.copies() + 1);
        return couldElect && others.size() >= quorum.copies();
    }

    /** This node resigns now. */
    public synchronized void resigns() {
        doublings = Math.min(MOST_DOUBLINGS, doublings + 1);
    }
}
