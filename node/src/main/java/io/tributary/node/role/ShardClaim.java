package io.tributary.node.role;

import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.Coordinator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the cluster which shards this relay reads; for others to see only. */
final class ClaimedShards {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimedShards.class);

    private final Coordinator coordinator;
    private List<String> claimed = List.of();

    ClaimedShards(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** @param epoch of the leader whose Task reads through this relay */
    synchronized void reads(List<String> shards, long epoch) {
        ended();
        claimed = List.copyOf(shards);
        try {
            claimed.forEach(shard -> coordinator.claim(Claim.RELAY + shard, epoch));
        } catch (TributaryException e) {
            LOG.warn("{} | relays {} all the same", e.line(), shards);
        }
    }

    synchronized void ended() {
        claimed.forEach(this::release); // each of them: what is not released is claimed anew with the next session
        claimed = List.of();
    }

    private void release(String shard) {
        try {
            coordinator.release(Claim.RELAY + shard);
        } catch (TributaryException e) {
            LOG.debug("the claim ends with the session", e);
        }
    }
}
