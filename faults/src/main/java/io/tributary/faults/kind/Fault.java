package io.tributary.faults.kind;

import io.tributary.faults.site.TestCluster;
import java.util.Optional;

/** A fault that can be injected: one class of this package, and one line of {@link io.tributary.faults.FaultList}. */
public interface Fault {
    /** The name, such as {@code kill-leader}. */
    String name();

    /** A description of what is done. */
    String words();

    /** The reason why it cannot be injected into this cluster or on this machine; empty if it can. */
    default Optional<String> lacks(TestCluster cluster) {
        return Optional.empty();
    }

    /** Whether it needs an object store, which is optional in a test cluster. */
    default boolean needsObjectStore() {
        return false;
    }

    /** Whether it may last minutes. Such a fault is injected a few times only. */
    default boolean lastsLong() {
        return false;
    }

    /** Injects the fault, reports its times to the injection, and ends the fault. Returns when everything that the fault stopped is started again. */
    void inject(TestCluster cluster, Injection injection) throws Exception;

    /** Waits for the recovery that is specific to this fault. The recovery common to all faults is awaited by the caller. */
    default void awaitRecovered(TestCluster cluster) throws Exception {}
}
