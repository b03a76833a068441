package io.tributary.bench;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the command line says to every bench. */
@Command(mixinStandardHelpOptions = true)
public final class RunOptions {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the figures there, one JSON object a line.")
    private Path json;

    @Option(
            names = "--runs",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "How often each thing is measured.")
    private Integer runs;

    /** Where to write the figures for programs. */
    Optional<Path> json() {
        return Optional.ofNullable(json);
    }

    /** How often to measure; the bench says how often otherwise. */
    public int runs(int otherwise) {
        return runs == null ? otherwise : runs;
    }
}
