package io.tributary.node.status;

import io.tributary.common.config.HostPort;

/** The status of an applier. */
public record ApplyStatus(ReaderStatus reader, Way way, Work work) implements StatusPart {
    /** Where and how it applies. */
    public record Way(HostPort target, String backend, String order) {}

    /**
     * What it does.
     *
     * @param active sessions that apply something now, of {@code workers}
     * @param retries attempts that were repeated at once
     * @param leftOut statements that were not executed
     */
    public record Work(int active, int workers, long retries, long leftOut) {}
}
