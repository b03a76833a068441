package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Coordinator;
import io.tributary.node.dumper.TaskChoice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes to the cluster that this Task runs the pipeline, and refuses streams for a leader with an old epoch. */
final class StreamClaim implements StreamWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StreamClaim.class);

    private final Coordinator coordinator;

    StreamClaim(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public long newestLeader() {
        return coordinator.newestEpoch();
    }

    @Override
    public void opens(long leader) {
        long newest = coordinator.leadership().leader().map(Leader::epoch).orElse(0L);
        if (leader < newest) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected a Dumper that leads under epoch " + newest + ", found one of epoch " + leader);
        }
        try {
            coordinator.claim(TaskChoice.PIPELINE, leader);
        } catch (TributaryException e) { // the claim is for information only; the rounds prevent two active Tasks
            LOG.warn(
                    "claim not published: claim={} effect=\"none on the pipeline\" error=\"{}\"",
                    TaskChoice.PIPELINE,
                    e.line());
        }
    }

    @Override
    public void ended() {
        try {
            coordinator.release(TaskChoice.PIPELINE);
        } catch (TributaryException e) {
            LOG.debug("claim not released: effect=\"it ends with the session\"", e);
        }
    }
}
