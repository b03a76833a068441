package io.tributary.node.status;

import io.tributary.common.config.HostPort;
import io.tributary.transmitter.StreamIdentity;
import java.util.List;

/**
 * A relay.
 *
 * @param stream that it provides to Tasks
 * @param listen address for Tasks
 * @param newest state of the newest stream
 * @param heldShards that this relay cannot read further
 */
public record RelayStatus(
        StreamIdentity stream, HostPort listen, String newest, List<PipelineStatus.HeldShard> heldShards)
        implements StatusPart {
    @Override
    public List<Hold> holds() {
        return heldShards.stream().map(Hold::of).toList();
    }
}
