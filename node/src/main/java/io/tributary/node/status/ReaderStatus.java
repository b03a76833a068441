package io.tributary.node.status;

import io.tributary.common.config.HostPort;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.Optional;

/**
 * The status of a role that reads the binlog of another node.
 *
 * @param state such as {@code running}, or {@code held: ...} with the error
 * @param node that is read now
 * @param name of its progress
 */
public record ReaderStatus(String state, HostPort node, String name, Progress progress, Lag lag) {
    /**
     * What is done.
     *
     * @param executed without what is after the oldest unfinished transaction
     * @param newest the last transaction before which all are done; empty if the run has read none
     */
    public record Progress(GtidSet executed, Optional<Gtid> newest) {}

    /** How far it is behind the node; NaN: it is not known. */
    public record Lag(double transactions, double seconds) {}
}
