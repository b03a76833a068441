package io.tributary.node.role;

import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.Coordinator;
import java.util.List;
import java.util.Optional;

/** Which Task the leader asks for the stream: the one that ran it last, as long as that works; else the next by name. */
final class TaskChoice {
    static final String PIPELINE = "pipeline";

    private final Coordinator coordinator;
    private String last = "";
    private boolean isToChange;

    TaskChoice(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** The stream broke, or the Task could not be reached: it may be dead, and still be among the members for a lease. */
    void failed() {
        isToChange = true;
    }

    /** @throws TributaryException STREAM_BROKEN when there is none */
    HostPort next() {
        List<Member> tasks = coordinator.members().with(MemberRole.TASK).stream()
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
        return coordinator.claims().stream()
                .filter(claim -> claim.what().equals(PIPELINE))
                .map(Claim::node)
                .findFirst();
    }
}
