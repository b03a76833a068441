package io.tributary.node.role;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Members;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Which Task the leader asks for the stream: the one that ran it last, as long as that works; else the next by name. */
final class TaskChoice {
    static final String PIPELINE = "pipeline";

    private final Members members;
    private final Supplier<List<Claim>> claims;
    private String last = "";
    private volatile boolean isToChange;

    /** @param claims what the nodes say that they do */
    TaskChoice(Members members, Supplier<List<Claim>> claims) {
        this.members = members;
        this.claims = claims;
    }

    /**
     * The stream ended; any thread. Where it broke, or the Task could not be reached, it may be dead, and still be among the members for a lease;
     * one that wants it opened anew has all at hand that it takes.
     */
    void failed(TributaryException cause) {
        if (cause.code() != ErrorCode.STREAM_RENEWED) {
            isToChange = true;
        }
    }

    /** @throws TributaryException STREAM_BROKEN when there is none */
    HostPort next() {
        List<Member> tasks = members.with(MemberRole.TASK).stream()
                .filter(member -> member.transmit().isPresent())
                .toList();
        if (tasks.isEmpty()) {
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
