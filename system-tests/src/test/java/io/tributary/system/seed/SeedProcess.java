package io.tributary.system.seed;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@code tributary seed} of a server as root, with what it prints. */
final class SeedProcess implements AutoCloseable {
    private final ChildProcess process;
    private final Path log;

    private SeedProcess(ChildProcess process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts one with the cluster's configuration; its output is appended to the log. */
    static SeedProcess start(LocalCluster cluster, MysqlServer target, Path log, String... options) {
        return start(cluster.node().configFile(), target, log, List.of(), options);
    }

    /** The same with another configuration and more environment variables, such as {@code TRIBUTARY_HEAP=1g}. */
    static SeedProcess start(Path config, MysqlServer target, Path log, List<String> environment, String... options) {
        List<String> command = new ArrayList<>(List.of(
                NodeProcess.projectHome().resolve("bin/tributary").toString(),
                "seed",
                "--config",
                config.toString(),
                "--target",
                "127.0.0.1:" + target.port()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("TRIBUTARY_TARGET_PASSWORD", MysqlServer.ROOT_PASSWORD);
        for (String variable : environment) {
            int equals = variable.indexOf('=');
            builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        return new SeedProcess(ChildProcess.start(builder), log);
    }

    ChildProcess process() {
        return process;
    }

    /** What it has printed. */
    String text() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until it has ended with "ready". */
    void awaitReady(Duration limit) {
        if (!process.awaitExit(limit) || process.exitValue() != 0 || !text().contains("ready: ")) {
            throw new AssertionError("expected ready, found " + text());
        }
    }

    /** Waits until it has ended with an error whose text contains all of these. */
    void awaitError(Duration limit, String... parts) {
        if (!process.awaitExit(limit) || process.exitValue() == 0) {
            throw new AssertionError("expected an error, found " + text());
        }
        for (String part : parts) {
            if (!text().contains(part)) {
                throw new AssertionError("expected '" + part + "', found " + text());
            }
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
