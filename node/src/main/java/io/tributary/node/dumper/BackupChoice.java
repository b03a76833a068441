package io.tributary.node.dumper;

import io.tributary.backup.BackupTurn;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
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
 * Chooses the Dumper of a cluster that backs up. It is a follower: the one that backs up already, as long as it is a member, otherwise the first
 * by name. It is the leader only if there is no follower, or if all followers have given up. A Dumper gives up after {@link #FAILURES} failures of
 * the store in a row, so that another one tries. Two Dumpers may both be chosen for a short time, since they may have received different states.
 * This does not damage the backup: its manifest is replaced only if it is unchanged since it was read. For any thread.
 */
public final class BackupChoice implements BackupTurn {
    static final String BACKUP = "backup";

    /** Prefix of a claim, before the node's name: the store has failed that node repeatedly. */
    static final String GAVE_UP = "gave-up-backup-";

    static final int FAILURES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(BackupChoice.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long GIVEN_UP_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Coordinator coordinator;
    private final String self;
    private final Clock clock;
    private boolean hasClaimed;
    private boolean hasGivenUp;
    private long givenUpNanos;
    private long retryNanos;

    /** @param self id of this node */
    public BackupChoice(Coordinator coordinator, String self, Clock clock) {
        this.coordinator = coordinator;
        this.self = self;
        this.clock = clock;
        this.retryNanos = clock.nanoTime();
    }

    @Override
    public synchronized boolean isOurs() {
        if (hasGivenUp && clock.nanoTime() - givenUpNanos >= GIVEN_UP_NANOS && clock.nanoTime() - retryNanos >= 0) {
            giveUp(false);
        }
        boolean isChosen = chosen().equals(self);
        if (isChosen != hasClaimed && clock.nanoTime() - retryNanos >= 0) {
            publishClaim(isChosen);
        }
        return isChosen && hasClaimed;
    }

    @Override
    public synchronized void failed(int times) {
        if (times >= FAILURES && hasClaimed && !hasGivenUp) {
            giveUp(true);
        }
    }

    private void giveUp(boolean gives) {
        try {
            if (gives) {
                LOG.warn("backup given up: node={} failures={} effect=\"another Dumper tries\"", self, FAILURES);
                coordinator.claim(GAVE_UP + self, 0);
                givenUpNanos = clock.nanoTime();
            } else {
                coordinator.release(GAVE_UP + self);
            }
            hasGivenUp = gives;
        } catch (TributaryException e) {
            LOG.warn("claim not published: claim={} error=\"{}\"", GAVE_UP + self, e.line());
            retryNanos = clock.nanoTime() + PAUSE_NANOS;
        }
    }

    private String chosen() {
        Optional<String> leader = coordinator.leadership().leader().map(Leader::node);
        List<String> followers = coordinator.members().with(MemberRole.DUMPER).stream()
                .map(ClusterMember::id)
                .filter(id -> !leader.equals(Optional.of(id)))
                .sorted()
                .toList();
        List<Claim> claims = coordinator.claims();
        List<String> able =
                followers.stream().filter(id -> !hasGivenUp(id, claims)).toList();
        Optional<String> holder = claims.stream()
                .filter(claim -> claim.what().equals(BACKUP))
                .map(Claim::node)
                .filter(able::contains)
                .findFirst();
        return holder.or(() -> able.stream().findFirst())
                .or(() -> leader.filter(id -> !hasGivenUp(id, claims)))
                .or(() -> followers.stream().findFirst())
                .or(() -> leader)
                .orElse("");
    }

    private static boolean hasGivenUp(String id, List<Claim> claims) {
        return claims.stream().anyMatch(claim -> claim.what().equals(GAVE_UP + id));
    }

    /** Publishes the choice to the other nodes; this node does not back up before that succeeds. */
    private void publishClaim(boolean isChosen) {
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
            LOG.warn("claim not published: claim={} error=\"{}\"", BACKUP, e.line());
            retryNanos = clock.nanoTime() + PAUSE_NANOS;
        }
    }
}
