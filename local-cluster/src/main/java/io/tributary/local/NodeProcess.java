package io.tributary.local;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Tributary node as a child process, started by {@code bin/tributary}. Closing it always ends the process, by its id. */
public final class NodeProcess implements AutoCloseable {
    private static final Pattern FACT = Pattern.compile("\"([^\"]+)\"\\s*:\\s*\"([^\"]*)\"");
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private Path home;
    private Machine machine = Machine.LOOPBACK;
    private final Path configFile;
    private final NodeConfig config;
    private final List<String> arguments;
    private final Path log;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final List<String> environment = new ArrayList<>();
    private ChildProcess process;

    /**
     * A node that is not started yet.
     *
     * @param home the folder that contains {@code bin/tributary}
     * @param configFile is written again at each start
     * @param log the process's output is appended to this file
     * @param arguments further arguments of {@code tributary start}, such as {@code --role task}
     */
    public NodeProcess(Path home, Path configFile, NodeConfig config, Path log, String... arguments) {
        this.home = home;
        this.configFile = configFile;
        this.config = config;
        this.log = log;
        this.arguments = List.of(arguments);
    }

    /** The project's folder: system property {@code tributary.home}, else the current folder or its nearest parent with bin/tributary. */
    public static Path projectHome() {
        String configured = System.getProperty("tributary.home");
        if (configured != null) {
            return Path.of(configured);
        }
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("bin/tributary"))) {
                return folder;
            }
        }
        throw new IllegalStateException(
                "expected bin/tributary in " + Path.of("").toAbsolutePath() + " or a parent of it, found none");
    }

    /** Sets an environment variable for the next start, such as TRIBUTARY_HEAP. */
    public NodeProcess with(String variable, String value) {
        environment.add(variable + "=" + value);
        return this;
    }

    /** Makes the next start run {@code bin/tributary} of another folder, for example of an unpacked archive. */
    public NodeProcess from(Path other) {
        home = other;
        return this;
    }

    /** Makes the next start run on this machine. The node's addresses are those of its configuration. */
    public NodeProcess on(Machine other) {
        machine = other;
        return this;
    }

    /** Starts the process and does not wait. */
    public NodeProcess launch() {
        config.write(configFile);
        List<String> command = new ArrayList<>(List.of("/usr/bin/env"));
        command.addAll(environment);
        command.addAll(List.of(home.resolve("bin/tributary").toString(), "start", "-c", configFile.toString()));
        command.addAll(arguments);
        process = ChildProcess.start(machine.command(command), log);
        return this;
    }

    /** Starts the process and waits until it reports that it is healthy. Fails with its last lines if it ends instead. */
    public NodeProcess start() {
        return launch().awaitHealthy();
    }

    /** Waits until the node reports that it is healthy. Fails with its last lines if it ends instead. */
    public NodeProcess awaitHealthy() {
        Await.until(() -> "node " + name() + " to be healthy; its last lines:\n" + lastLines(), START_LIMIT, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "node " + name() + " ended with status " + process.exitValue() + ":\n" + lastLines());
            }
            return isHealthy();
        });
        return this;
    }

    /** Waits until the process ends by itself; returns its exit status. */
    public int awaitEnd() {
        Await.until(
                () -> "the end of node " + name() + "; its last lines:\n" + lastLines(),
                START_LIMIT,
                () -> !process.isAlive());
        return process.exitValue();
    }

    public boolean isHealthy() {
        return ask("/health").isPresent();
    }

    /** The body of a page of the admin endpoint; empty if the status is not 200 or there is no answer. */
    public Optional<String> ask(String page) {
        if (process != null && !process.isAlive()) { // its machine may be gone too: no answer for seconds
            return Optional.empty();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + config.get("admin.listen") + page))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** A fact of the status page, such as {@code frontier.s1}; empty if the page does not contain it now. */
    public Optional<String> fact(String name) {
        return Optional.ofNullable(facts().get(name));
    }

    /** All facts of the status page, by name; empty while the page does not answer. */
    public Map<String, String> facts() {
        Map<String, String> facts = new HashMap<>();
        ask("/status").ifPresent(page -> {
            int metrics = page.indexOf("\"metrics\":["); // their tags have names of facts
            Matcher matcher = FACT.matcher(metrics < 0 ? page : page.substring(0, metrics));
            while (matcher.find()) {
                facts.put(matcher.group(1), matcher.group(2));
            }
        });
        return facts;
    }

    /** The sum of a metric's samples, by its Prometheus name; 0 if there is none. */
    public double metric(String name) {
        return samples(name).stream().mapToDouble(Double::doubleValue).sum();
    }

    /** The largest of a metric's samples; 0 if there is none. */
    public double largest(String name) {
        return samples(name).stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    private List<Double> samples(String name) {
        List<Double> values = new ArrayList<>();
        ask("/metrics")
                .ifPresent(page -> page.lines()
                        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                        .forEach(line -> values.add(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))));
        return values;
    }

    /** The node's name in a cluster, else the name of its log. */
    public String name() {
        String id = config.get("node.id");
        return id == null ? log.getFileName().toString().replace(".log", "") : id;
    }

    public ChildProcess process() {
        return process;
    }

    public NodeConfig config() {
        return config;
    }

    public Path configFile() {
        return configFile;
    }

    public void kill9() {
        process.kill9();
    }

    /** Sends SIGTERM; returns whether the process ended by itself within 20 s. */
    public boolean terminate() {
        return process.terminate(Duration.ofSeconds(20));
    }

    public Path log() {
        return log;
    }

    /** The whole output of the process. */
    public String logText() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last 15 lines of the output. */
    public String lastLines() {
        List<String> lines = logText().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
