package io.tributary.system.ddl;

import io.tributary.testkit.server.CacheFolder;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.PerconaToolkit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The real online schema change tools, which are fetched once per machine into the cache of test servers; a test is skipped if its tool is not
 * available.
 */
final class OnlineTools {
    private static final String GH_OST_VERSION = "1.1.6";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private OnlineTools() {}

    /** gh-ost. */
    static OnlineSchemaChange ghOst(String... options) {
        Path program = orSkip(() -> CacheFolder.ofUser()
                .entry("gh-ost-" + GH_OST_VERSION, OnlineTools::build)
                .resolve("gh-ost"));
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--host=127.0.0.1",
                "--port=%1$d",
                "--user=%2$s",
                "--password=%3$s",
                "--database=%4$s",
                "--table=%5$s",
                "--alter=%6$s",
                "--serve-socket-file=/tmp/gh-ost.%1$d.sock",
                "--initially-drop-socket-file",
                "--allow-on-master",
                "--assume-rbr",
                "--ok-to-drop-table",
                "--chunk-size=100",
                "--execute"));
        command.addAll(List.of(options));
        return new OnlineSchemaChange("gh-ost", command, Map.of());
    }

    /** pt-online-schema-change. */
    static OnlineSchemaChange ptOnlineSchemaChange(String... options) {
        PerconaToolkit toolkit = orSkip(PerconaToolkit::cached);
        List<String> command = new ArrayList<>(toolkit.program("pt-online-schema-change"));
        command.addAll(List.of(
                "--alter=%6$s",
                "--no-version-check",
                "--recursion-method=none",
                "--chunk-size=50",
                "--execute",
                "h=127.0.0.1,P=%1$d,u=%2$s,p=%3$s,D=%4$s,t=%5$s"));
        command.addAll(List.of(options));
        return new OnlineSchemaChange("pt-online-schema-change", command, toolkit.environment());
    }

    /** Gets something, or throws UncheckedIOException with the reason why it is not available. */
    @FunctionalInterface
    private interface Getter<T> {
        T get();
    }

    private static <T> T orSkip(Getter<T> getter) {
        try {
            return getter.get();
        } catch (UncheckedIOException e) {
            return Assumptions.abort("skipped: " + e.getMessage());
        }
    }

    /** Builds gh-ost with Go, from the module of this version. */
    private static void build(Path folder) throws IOException {
        Files.writeString(
                folder.resolve("go.mod"),
                "module tool\n\ngo 1.21\n\nrequire github.com/github/gh-ost v" + GH_OST_VERSION + "\n");
        Path log = folder.resolve("build.log");
        ProcessBuilder builder = new ProcessBuilder(
                        "go", "build", "-mod=mod", "-o", "gh-ost", "github.com/github/gh-ost/go/cmd/gh-ost")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("GOTOOLCHAIN", "local");
        try (ChildProcess build = ChildProcess.start(builder)) {
            if (!build.awaitExit(LIMIT)) {
                throw new IOException("the build of gh-ost did not end: " + Files.readString(log));
            }
            if (build.exitValue() != 0) {
                throw new IOException("gh-ost cannot be built: " + Files.readString(log));
            }
        }
    }
}
