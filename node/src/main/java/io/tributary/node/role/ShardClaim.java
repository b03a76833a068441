package io.tributary.node.role;

import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Claim;
import io.tributary.node.cluster.Coordinator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes to the cluster which shards this relay reads; for information only. */
final class ShardClaim {
    private static final Logger LOG = LoggerFactory.getLogger(ShardClaim.class);

    private final Coordinator coordinator;
    private List<String> claimed = List.of();

    ShardClaim(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** @param epoch of the leader whose Task reads through this relay */
    synchronized void reads(List<String> shards, long epoch) {
        ended();
        claimed = List.copyOf(shards);
        try {
            claimed.forEach(shard -> coordinator.claim(Claim.RELAY + shard, epoch));
        } catch (TributaryException e) {
            LOG.warn("claim not published: shards=\"{}\" effect=\"none on the relay\" error=\"{}\"", shards, e.line());
        }
    }

    synchronized void ended() {
        // release each of them: a claim that is not released is published again in the next session
        claimed.forEach(this::release);
        claimed = List.of();
    }

    private void release(String shard) {
        try {
            coordinator.release(Claim.RELAY + shard);
        } catch (TributaryException e) {
            LOG.debug("claim not released: effect=\"it ends with the session\"", e);
        }
    }
}
