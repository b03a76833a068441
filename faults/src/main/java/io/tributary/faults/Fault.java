package io.tributary.faults;

import io.tributary.faults.site.Site;
import java.util.Optional;

/** Something that goes wrong. A fault is one class of package {@code kind}, and a line of {@link Catalogue}. */
public interface Fault {
    /** Such as {@code kill-dumper}. */
    String name();

    /** What is done, in a sentence. */
    String words();

    /** What this site or machine lacks for it; empty when it can be injected. */
    default Optional<String> lacks(Site site) {
        return Optional.empty();
    }

    /** Whether it is one of the object store, which a site need not have. */
    default boolean needsObjectStore() {
        return false;
    }

    /** Whether it may last minutes, and is then injected a few times only. */
    default boolean lastsLong() {
        return false;
    }

    /** Lets it happen, tells when, and mends it; returns when all runs again as far as the fault itself is concerned. */
    void inject(Site site, Strike strike) throws Exception;

    /** Waits for what else has to come right after the fault; what comes right for all faults is waited for anyway. */
    default void awaitRecovered(Site site) throws Exception {}
}
