package io.tributary.node.status;

import io.tributary.common.cluster.Quorum;

/** The numbers of Dumpers that elections and readers need. */
public record QuorumStatus(Quorum quorum) implements StatusPart {}
