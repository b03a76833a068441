package io.tributary.node.status;

import io.tributary.common.config.HostPort;
import io.tributary.transmitter.StreamIdentity;

/**
 * A relay.
 *
 * @param stream that it provides to Tasks
 * @param listen address for Tasks
 * @param newest state of the newest stream
 */
public record RelayStatus(StreamIdentity stream, HostPort listen, String newest) implements StatusPart {}
