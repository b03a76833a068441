package io.tributary.bench;

import io.tributary.local.NodeProcess;
import java.nio.file.Path;

/** Where benches write: below the module's build folder, so that a clean build takes it away. */
public final class BenchFolder {
    private BenchFolder() {}

    /** The folder of one bench; it need not exist yet. */
    public static Path of(String bench) {
        return NodeProcess.projectHome().resolve("bench/target/runs").resolve(bench);
    }
}
