package io.tributary.node.status;

import io.tributary.common.config.HostPort;

/**
 * The Task from which a Dumper without a coordinator receives.
 *
 * @param task its address
 */
public record UpstreamStatus(HostPort task) implements StatusPart {}
