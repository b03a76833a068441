package io.tributary.backup;

import java.util.Optional;

/** What is known to be in a cluster's backup, for those who do not ask the store. Any thread. */
public final class BackedUp {
    private volatile Manifest manifest;

    /** The manifest as it was last read or written; empty while it never was. */
    public Optional<Manifest> manifest() {
        return Optional.ofNullable(manifest);
    }

    public void know(Manifest now) {
        manifest = now;
    }
}
