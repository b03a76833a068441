package io.tributary.node.role;

import io.tributary.backup.BackupTurn;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.Coordinator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which Dumper of a cluster backs up: a follower, the one that does so already as long as it lives, else the first by name; the leader
 * only when it is alone. Two that both think it is them, because they have not heard the same, do not harm the backup: its manifest is
 * replaced only as it was read. Any thread.
 */
final class BackupChoice implements BackupTurn {
    static final String BACKUP = "backup";

    private static final Logger LOG = LoggerFactory.getLogger(BackupChoice.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Coordinator coordinator;
    private final String self;
    private final Clock clock;
    private boolean hasClaimed;
    private long retryNanos;

    /** @param self id of this node */
    BackupChoice(Coordinator coordinator, String self, Clock clock) {
        this.coordinator = coordinator;
        this.self = self;
        this.clock = clock;
        this.retryNanos = clock.nanoTime();
    }

    @Override
    public synchronized boolean isOurs() {
        boolean isChosen = chosen().equals(self);
        if (isChosen != hasClaimed && clock.nanoTime() - retryNanos >= 0) {
            tell(isChosen);
        }
        return isChosen && hasClaimed;
    }

    private String chosen() {
        Optional<String> leader = coordinator.leadership().leader().map(Leader::node);
        List<String> followers = coordinator.members().with(MemberRole.DUMPER).stream()
                .map(Member::id)
                .filter(id -> !leader.equals(Optional.of(id)))
                .sorted()
                .toList();
        Optional<String> holder = coordinator.claims().stream()
                .filter(claim -> claim.what().equals(BACKUP))
                .map(Claim::node)
                .filter(followers::contains)
                .findFirst();
        return holder.or(() -> followers.stream().findFirst()).or(() -> leader).orElse("");
    }

    /** Says it to the others; while that fails this node does not begin. */
    private void tell(boolean isChosen) {
        try {
            if (isChosen) {
                coordinator.claim(
                        BACKUP,
                        coordinator.leadership().leader().map(Leader::epoch).orElse(0L));
            } else {
                coordinator.release(BACKUP);
            }
            hasClaimed = isChosen;
        } catch (TributaryException e) {
            LOG.warn("{} | it cannot be said who backs up", e.line());
            retryNanos = clock.nanoTime() + PAUSE_NANOS;
        }
    }
}
