package io.tributary.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the executable models of docs/internals: they succeed, and they detect each broken rule. Skipped if there is no python3. */
class ModelsTest {
    private static final Path INTERNALS = Path.of("..", "docs", "internals");
    private static final String PYTHON = "python3";
    private static final long MOST_SECONDS = 300;

    @TempDir
    Path folder;

    private record Result(int status, String output) {}

    @ParameterizedTest
    @ValueSource(strings = {"ordering_model.py", "schema_change_model.py", "seed_model.py"})
    void everyScheduleIsCorrect(String model) throws Exception {
        Result result = run(model);
        assertEquals(0, result.status(), result.output());
    }

    @ParameterizedTest
    @CsvSource({
        "ordering_model.py, early",
        "ordering_model.py, takeover",
        "ordering_model.py, count",
        "ordering_model.py, in-flight",
        "ordering_model.py, ready",
        "ordering_model.py, reread",
        "schema_change_model.py, first",
        "schema_change_model.py, last",
        "schema_change_model.py, barrier",
        "schema_change_model.py, processed",
        "schema_change_model.py, by-shard",
        "seed_model.py, idempotent",
        "seed_model.py, in-place",
        "seed_model.py, early"
    })
    void aBrokenRuleIsDetected(String model, String mutation) throws Exception {
        Result result = run(model, "--mutate", mutation);
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().startsWith("violation: "), result.output()); // a crash has exit status 1 too
    }

    private Result run(String model, String... arguments) throws IOException, InterruptedException {
        Optional<Path> python = python();
        assumeTrue(python.isPresent(), PYTHON + " is not on the PATH");
        List<String> command = new ArrayList<>();
        command.add(python.get().toString());
        command.add(INTERNALS.resolve(model).toString());
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS), command + " runs for " + MOST_SECONDS + " s");
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Optional<Path> python() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(each -> !each.isEmpty())
                .map(each -> Path.of(each, PYTHON))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
