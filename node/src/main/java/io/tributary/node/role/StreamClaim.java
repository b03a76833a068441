package io.tributary.node.role;

import io.tributary.common.cluster.Leader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.cluster.Coordinator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the cluster that this Task runs the pipeline, and opens no stream for a leader that is known to be an old one. */
final class ClaimedStreams implements StreamWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimedStreams.class);

    private final Coordinator coordinator;

    ClaimedStreams(Coordinator coordinator) {
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
                    "expected a Dumper that leads under epoch " + newest + ", got one of epoch " + leader);
        }
        try {
            coordinator.claim(TaskChoice.PIPELINE, leader);
        } catch (TributaryException e) { // only told for others to see; the rounds keep two Tasks apart
            LOG.warn("{} | runs the pipeline all the same", e.line());
        }
    }

    @Override
    public void ended() {
        try {
            coordinator.release(TaskChoice.PIPELINE);
        } catch (TributaryException e) {
            LOG.debug("the claim ends with the session", e);
        }
    }
}
