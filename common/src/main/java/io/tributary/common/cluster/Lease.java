package io.tributary.common.cluster;

/**
 * Whether this node may act as leader now. A leader checks it directly before it appends, acknowledges or serves, once for each batch:
 * a process that was stopped and resumes must not continue as leader.
 */
public interface Lease {
    /** A lease that always holds, where no other node can lead. */
    Lease FOREVER = () -> true;

    /** Reads the monotonic clock once; any thread. After it has returned false it never returns true again. */
    boolean holds();
}
