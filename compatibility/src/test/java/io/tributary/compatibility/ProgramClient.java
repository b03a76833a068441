package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A client in a process of its own, in any language, that prints what it reads in the common form of {@link Reading}.
 *
 * @param settings what it is set to, for the page
 * @param setup makes it ready to run where that has not been done
 * @param command how it is run against a source
 */
record ProgramClient(String name, String mode, String settings, Compared compared, Setup setup, Command command)
        implements Client {
    private static final Duration LIMIT = Duration.ofSeconds(45);
    private static final Duration LIMIT_OF_COPIES = Duration.ofMinutes(4);
    private static final String OUTPUT = "output";
    private static final int SHOWN = 250;

    ProgramClient(String name, String mode, String settings, Setup setup, Command command) {
        this(name, mode, settings, Compared.CHANGES, setup, command);
    }

    /** Makes the program ready and tells the client's version. */
    @FunctionalInterface
    interface Setup {
        String version() throws Exception;
    }

    /** Its command line; what it prints is read from its standard output unless the lines are found elsewhere. */
    @FunctionalInterface
    interface Command {
        List<String> line(Source source) throws Exception;

        /** What it is told on standard input; empty for nothing. */
        default String input() {
            return "";
        }

        /** Where the common form stands when it has ended. */
        default List<String> lines(Source source, Path output) throws IOException {
            return Files.readAllLines(output, StandardCharsets.UTF_8);
        }
    }

    @Override
    public String version() throws Exception {
        return setup.version();
    }

    @Override
    public boolean isOld() {
        return name.equals("canal");
    }

    @Override
    public Reading read(Source source) throws Exception {
        Path output = output(source);
        Path errors = source.folder().resolve("errors");
        Path input = Files.writeString(source.folder().resolve("input"), command.input());
        try (ChildProcess child = ChildProcess.start(new ProcessBuilder(command.line(source))
                .directory(source.folder().toFile())
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile()))) {
            if (!child.awaitExit(compared.isLong() ? LIMIT_OF_COPIES : LIMIT)) {
                throw new IOException("it did not come to its end: " + told(errors));
            }
            if (child.exitValue() != 0) {
                throw new IOException(told(errors));
            }
        }
        return Reading.parse(command.lines(source, output));
    }

    /** The file that has the lines of the client, also while it runs. */
    static Path output(Source source) {
        return source.folder().resolve(OUTPUT);
    }

    /** The last lines of what it complained of, stack frames left out. */
    private static String told(Path errors) throws IOException {
        List<String> lines = Files.readString(errors, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("\tat ") && !line.startsWith("  File "))
                .toList();
        String text = String.join(" ", lines.subList(Math.max(0, lines.size() - 4), lines.size()));
        return text.isEmpty() ? "it ended without a word" : text.substring(Math.max(0, text.length() - SHOWN));
    }
}
