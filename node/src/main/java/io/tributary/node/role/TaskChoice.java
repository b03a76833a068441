package io.tributary.node.role;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which Task the leader asks for the stream: the one that ran it last, as long as that works; else the next by name. */
final class TaskChoice {
    static final String PIPELINE = "pipeline";

    private static final Logger LOG = LoggerFactory.getLogger(TaskChoice.class);

    private final Members members;
    private final Supplier<List<Claim>> claims;
    private final Duration lease;
    private final LongSupplier nanoTime;
    private final Unreached unreached;
    private Standstill stream;
    private volatile String last = "";
    private volatile boolean isToChange;

    /**
     * @param claims what the nodes say that they do
     * @param lease for so long nothing has come of a Task that is taken for lost
     * @param nanoTime the clock
     */
    TaskChoice(Members members, Supplier<List<Claim>> claims, Duration lease, LongSupplier nanoTime) {
        this.members = members;
        this.claims = claims;
        this.lease = lease;
        this.nanoTime = nanoTime;
        this.stream = new Standstill(nanoTime);
        this.unreached = new Unreached(nanoTime);
    }

    /** This node is about to lead. */
    void leads() {
        unreached.reached();
    }

    /**
     * The stream ended; any thread. Where it broke, or the Task could not be reached, it may be dead, and still be among the members for a lease;
     * one that wants it opened anew has all at hand that it takes. Where it refuses, it is its own version or settings that are at fault.
     */
    void failed(TributaryException cause) {
        unreached.failed(cause);
        if (cause.code() == ErrorCode.STREAM_REFUSED) {
            LOG.error("Task {} cannot work for this cluster's Dumpers | {}", last, cause.line());
        }
        if (cause.code() != ErrorCode.STREAM_RENEWED) {
            isToChange = true;
        }
    }

    /**
     * The Task in use is no member any more while another is, and nothing comes of it: its machine may be gone, or stand still, and its connections be
     * there for longer. Silence alone says nothing: a shard that is away makes a stream silent.
     *
     * @param chunks how many the stream has brought
     * @return STREAM_BROKEN
     */
    Optional<TributaryException> lost(long chunks) {
        if (chunks > 0) {
            unreached.reached();
        }
        boolean isSilent = stream.nanos(chunks) >= lease.toNanos();
        List<Member> tasks = isSilent && !last.isEmpty() ? tasks() : List.of();
        boolean isLost =
                !tasks.isEmpty() && tasks.stream().noneMatch(task -> task.id().equals(last));
        return isLost
                ? Optional.of(new TributaryException(
                        ErrorCode.STREAM_BROKEN,
                        "expected Task " + last + " to go on after " + chunks
                                + " chunks, it is no member of the cluster" + " any more and has sent nothing for "
                                + lease.toMillis() + " ms"))
                : Optional.empty();
    }

    /** For how long members of the cluster that are Tasks have not been reached, one after the other, ns. Any thread. */
    long unreachedNanos() {
        return unreached.nanos();
    }

    private List<Member> tasks() {
        return members.with(MemberRole.TASK).stream()
                .filter(member -> member.transmit().isPresent())
                .toList();
    }

    /** @throws TributaryException STREAM_BROKEN when there is none */
    HostPort next() {
        stream = new Standstill(nanoTime);
        List<Member> tasks = tasks();
        if (tasks.isEmpty()) {
            unreached.reached(); // from nowhere else either
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN, "expected a Task among the members of the cluster, found none");
        }
        String known = last.isEmpty() ? claimed().orElse("") : last;
        Optional<Member> stays = isToChange
                ? Optional.empty()
                : tasks.stream().filter(task -> task.id().equals(known)).findFirst();
        Member chosen = stays.or(() -> tasks.stream()
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
