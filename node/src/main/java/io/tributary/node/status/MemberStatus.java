package io.tributary.node.status;

/** A member of a cluster. */
public record MemberStatus(String node) implements StatusPart {}
