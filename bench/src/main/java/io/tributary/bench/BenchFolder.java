package io.tributary.bench;

import io.tributary.local.NodeProcess;
import java.nio.file.Path;

/** The folder for files of benches: below the module's build folder, so that a clean build deletes it. */
public final class BenchFolder {
    private BenchFolder() {}

    /** The folder of one bench; it may not exist yet. */
    public static Path of(String bench) {
        return NodeProcess.projectHome().resolve("bench/target/runs").resolve(bench);
    }
}
