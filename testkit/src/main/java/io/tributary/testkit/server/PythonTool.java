package io.tributary.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Python programs in a folder, which has also the file {@code requirements.txt} with the libraries that they need. These are installed once into the user's
 * cache by pip, without their own dependencies. A machine needs {@code python3} with pip.
 */
public final class PythonTool {
    private static final String PATH = "PYTHONPATH=\"$1\" exec python3 \"${@:3}\" > \"$2\"";

    private final Path programs;

    /** @param programs their folder */
    public PythonTool(Path programs) {
        this.programs = programs.toAbsolutePath();
    }

    /** Whether this machine has Python and pip. */
    public static boolean isHere() {
        return bash("command -v python3 && python3 -m pip --version", List.of()).status() == 0;
    }

    private static MysqlTools.Outcome bash(String script, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        command.addAll(arguments);
        return MysqlTools.run(command);
    }

    private Path libraries() throws IOException {
        Path required = programs.resolve("requirements.txt");
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(required));
        return CacheFolder.ofUser().entry("python-" + HexFormat.of().toHexDigits((int) sum.getValue()), into -> {
            MysqlTools.Outcome pip = bash(
                    "python3 -m pip install -q --no-deps --target \"$1\" -r \"$2\"",
                    List.of(into.toString(), required.toString()));
            if (pip.status() != 0) {
                throw new IOException("pip cannot install what " + required + " names: " + pip.output());
            }
        });
    }

    /**
     * Runs a program to its end.
     *
     * @return the lines of its standard output
     * @throws IOException also if its exit status is not 0, with what it has written to its standard error
     */
    public List<String> run(String program, String... arguments) throws IOException {
        Path output = Files.createTempFile("tributary-python-", "");
        try {
            List<String> line = new ArrayList<>(List.of(
                    libraries().toString(),
                    output.toString(),
                    programs.resolve(program).toString()));
            line.addAll(List.of(arguments));
            MysqlTools.Outcome python = bash(PATH, line);
            if (python.status() != 0) {
                throw new IOException(program + ": status " + python.status() + ": " + python.output());
            }
            return Files.readAllLines(output);
        } finally {
            Files.delete(output);
        }
    }
}
