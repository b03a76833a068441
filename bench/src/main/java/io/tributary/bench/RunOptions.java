package io.tributary.bench;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line options of all benches. */
@Command(mixinStandardHelpOptions = true)
public final class RunOptions {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the figures to this file, one JSON object per line.")
    private Path json;

    @Option(
            names = "--runs",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "Number of measurements of each figure.")
    private Integer runs;

    /** The file for the figures as JSON. */
    Optional<Path> json() {
        return Optional.ofNullable(json);
    }

    /** The number of runs; by default the number of the bench. */
    public int runs(int otherwise) {
        return runs == null ? otherwise : runs;
    }
}
