package io.tributary.node.status;

import io.tributary.common.config.HostPort;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.Optional;

/**
 * The status of an applier.
 *
 * @param state such as {@code running}, or {@code held: ...} with the error
 */
public record ApplyStatus(String state, Place place, Progress progress, Lag lag, Work work) implements StatusPart {
    /**
     * From where to where it applies.
     *
     * @param node that is read now
     * @param name of the progress on the target
     */
    public record Place(HostPort target, HostPort node, String name, String backend, String order) {}

    /**
     * What is applied.
     *
     * @param executed what the target has executed, without what is after its oldest unfinished transaction
     * @param newest the last transaction before which all are applied; empty if the run has read none
     */
    public record Progress(GtidSet executed, Optional<Gtid> newest) {}

    /** How far the target is behind the node; NaN: it is not known. */
    public record Lag(double transactions, double seconds) {}

    /**
     * What it does.
     *
     * @param active sessions that apply something now, of {@code workers}
     * @param retries attempts that were repeated at once
     * @param leftOut statements that were not executed
     */
    public record Work(int active, int workers, long retries, long leftOut) {}
}
