package io.tributary.common.cluster;

/**
 * Whether this node may act as leader now. Whoever appends, acknowledges or serves as leader asks right before it does, once a batch:
 * a process that was stopped and goes on must not do what it had in mind before.
 */
public interface Lease {
    /** Where nobody else could lead. */
    Lease FOREVER = () -> true;

    /** One look at the monotonic clock; any thread. Once it has said no it never says yes again. */
    boolean holds();
}
