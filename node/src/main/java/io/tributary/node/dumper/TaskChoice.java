package io.tributary.node.dumper;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import io.tributary.node.process.StallTimer;
import io.tributary.node.process.UnreachableTimer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the Task from which the leader receives the stream: the last one, as long as it works; otherwise the next by name. */
public final class TaskChoice {
    public static final String PIPELINE = "pipeline";

    private static final Logger LOG = LoggerFactory.getLogger(TaskChoice.class);

    private final Members members;
    private final Supplier<List<Claim>> claims;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final UnreachableTimer unreached;
    private StallTimer stream;
    private volatile String last = "";
    private volatile boolean isToChange;

    /**
     * @param claims of the nodes
     * @param lease a Task that has sent nothing for this long may count as lost
     * @param nanoTime the clock
     */
    TaskChoice(Members members, Supplier<List<Claim>> claims, Duration lease, LongSupplier nanoTime) {
        this.members = members;
        this.claims = claims;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.stream = new StallTimer(nanoTime);
        this.unreached = new UnreachableTimer(nanoTime);
    }

    /** This node is about to become leader. */
    void leads() {
        unreached.reached();
    }

    /**
     * The stream ended; any thread. If it broke, or the Task was unreachable, the Task may be dead and still a member for up to one lease: the next
     * one is tried. A Task that requests a new stream keeps it. A Task that refuses the stream has another version or other settings.
     */
    void failed(TributaryException cause) {
        unreached.failed(cause);
        if (cause.code() == ErrorCode.STREAM_REFUSED) {
            LOG.error(
                    "task refuses the stream: task={} action=\"check its version and settings\" error=\"{}\"",
                    last,
                    cause.line());
        }
        if (cause.code() != ErrorCode.STREAM_RENEWED) {
            isToChange = true;
        }
    }

    /**
     * Returns a failure if the Task in use is no member any more, another Task is, and the stream is silent: its machine may be gone or stopped,
     * while its connections still exist. Silence alone is no failure: an unreachable shard makes a stream silent too.
     *
     * @param chunks number of chunks that the stream has received
     * @return STREAM_BROKEN, or empty
     */
    Optional<TributaryException> lost(long chunks) {
        if (chunks > 0) {
            unreached.reached();
        }
        boolean isSilent = stream.nanos(chunks) >= lease.toNanos();
        List<ClusterMember> tasks = isSilent && !last.isEmpty() ? tasks() : List.of();
        boolean isLost =
                !tasks.isEmpty() && tasks.stream().noneMatch(task -> task.id().equals(last));
        return isLost
                ? Optional.of(new TributaryException(
                        ErrorCode.STREAM_BROKEN,
                        "expected more than " + chunks + " chunks of Task " + last
                                + ", found that it is not a member of the cluster any more and has sent nothing for "
                                + lease.toMillis() + " ms"))
                : Optional.empty();
    }

    /** For how long none of the Tasks among the members was reached, ns. Any thread. */
    long unreachedNanos() {
        return unreached.nanos();
    }

    private List<ClusterMember> tasks() {
        return members.with(MemberRole.TASK).stream()
                .filter(member -> member.transmit().isPresent())
                .toList();
    }

    /** @throws TributaryException STREAM_BROKEN when there is none */
    HostPort next() {
        stream = new StallTimer(nanoTime);
        List<ClusterMember> tasks = tasks();
        if (tasks.isEmpty()) {
            unreached.reached(); // no other Dumper could reach a Task either
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN, "expected a Task among the members of the cluster, found none");
        }
        String known = last.isEmpty() ? claimed().orElse("") : last;
        Optional<ClusterMember> stays = isToChange
                ? Optional.empty()
                : tasks.stream().filter(task -> task.id().equals(known)).findFirst();
        ClusterMember chosen = stays.or(() -> tasks.stream()
                        .filter(task -> task.id().compareTo(known) > 0)
                        .findFirst())
                .orElse(tasks.get(0));
        last = chosen.id();
        isToChange = false;
        return chosen.transmit().orElseThrow();
    }

    private Optional<String> claimed() {
        return claims.get().stream()
                .filter(claim -> claim.what().equals(PIPELINE))
                .map(Claim::node)
                .findFirst();
    }
}
