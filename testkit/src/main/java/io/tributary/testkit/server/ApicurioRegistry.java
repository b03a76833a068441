package io.tributary.testkit.server;

import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A real schema registry, Apicurio with its storage in memory, as a process on 127.0.0.1: Maven {@code io.apicurio:apicurio-registry-app:2.6.13.Final:tar.gz:all},
 * whose path is in the property {@code tributary.apicurio}, else in the local Maven repository. It needs about 12 s to start and 250 MB.
 */
public final class ApicurioRegistry implements AutoCloseable {
    private static final String VERSION = "2.6.13.Final";
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();
    private final Path folder;
    private final int port;
    private ChildProcess process;

    private ApicurioRegistry(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Starts a registry without schemas and waits until it answers. */
    public static ApicurioRegistry start() {
        try {
            ApicurioRegistry registry =
                    new ApicurioRegistry(Files.createTempDirectory("tributary-apicurio-"), Ports.free());
            try {
                registry.launch();
                return registry;
            } catch (RuntimeException e) {
                registry.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void launch() {
        Path unpacked = CacheFolder.ofUser().entry("apicurio-" + VERSION, into -> {
            Path archive = archive();
            Archives.untar(() -> Files.newInputStream(archive), into);
        });
        Path log = folder.resolve("registry.log");
        process = ChildProcess.start(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=" + port,
                        "-Djava.io.tmpdir=" + folder,
                        "-jar",
                        unpacked.resolve("apicurio-registry-app-" + VERSION + "-runner.jar")
                                .toString()),
                log);
        Await.until("the registry, whose log is " + log, LIMIT, () -> !process.isAlive() || answers());
        if (!process.isAlive()) {
            throw new IllegalStateException("Apicurio did not start: " + tail(log));
        }
    }

    private static Path archive() throws IOException {
        String configured = System.getProperty("tributary.apicurio");
        Path file = configured != null
                ? Path.of(configured)
                : Path.of(
                        System.getProperty("user.home"),
                        ".m2/repository/io/apicurio/apicurio-registry-app",
                        VERSION,
                        "apicurio-registry-app-" + VERSION + "-all.tar.gz");
        if (!Files.exists(file)) {
            throw new IOException("the archive of Apicurio " + VERSION + " is not at " + file
                    + ": resolve it with Maven, or set its path in -Dtributary.apicurio");
        }
        return file;
    }

    private static String tail(Path log) {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - 1_000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try {
            return send(request("/subjects").GET()).statusCode() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** The address of its interface that is Confluent's. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + port + "/apis/ccompat/v7");
    }

    /** The answer to GET; the path begins with a slash. */
    public String get(String path) {
        HttpResponse<String> answer = send(request(path).GET());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(path + ": status " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    /** Sets the compatibility that schemas of a subject must have, such as BACKWARD. */
    public void compatibility(String subject, String level) {
        String body = "{\"compatibility\":\"" + level + "\"}";
        HttpResponse<String> answer = send(request("/config/" + subject)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body)));
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("status " + answer.statusCode() + ": " + answer.body());
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address() + path)).timeout(ANSWER);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during a request to the registry", e);
        }
    }

    /** Kills the process. */
    public void kill9() {
        process.kill9();
    }

    /** Starts it again at the same port, without schemas. */
    public void restart() {
        process.close();
        launch();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
