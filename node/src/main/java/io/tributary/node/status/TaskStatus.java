package io.tributary.node.status;

import io.tributary.common.config.HostPort;
import io.tributary.transmitter.StreamIdentity;

/**
 * A Task.
 *
 * @param stream that it provides to Dumpers
 * @param listen address for Dumpers
 * @param newest state of the newest stream
 */
public record TaskStatus(StreamIdentity stream, HostPort listen, String newest) implements StatusPart {}
