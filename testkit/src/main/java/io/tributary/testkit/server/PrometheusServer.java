package io.tributary.testkit.server;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Debian 12's Prometheus 2.42, unpacked once into the user's cache: nothing is installed, so no service of the machine runs. Only tests run
 * it. Closing it ends the process, by its id.
 */
public final class PrometheusServer implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;
    private final ChildProcess process;

    private PrometheusServer(int port, ChildProcess process) {
        this.port = port;
        this.process = process;
    }

    private static List<String> program(String name) {
        Path folder = CacheFolder.ofUser()
                .entry(
                        "prometheus-2.42",
                        into -> DebianPackages.unpack(into, "bookworm", List.of("libc6"), List.of("prometheus")));
        return DebianPackages.program(folder, folder.resolve("usr/bin").resolve(name));
    }

    private static List<String> with(List<String> command, String... arguments) {
        return Stream.concat(command.stream(), Arrays.stream(arguments)).toList();
    }

    /** Runs promtool; apt downloads it at its first use. */
    public static MysqlTools.Outcome promtool(String... arguments) {
        return MysqlTools.run(with(program("promtool"), arguments));
    }

    /**
     * Starts a server on loopback, which stores its data in the folder.
     *
     * @param config the content of prometheus.yml; relative files are those of the folder
     */
    public static PrometheusServer start(Path folder, String config) throws IOException {
        int port = Ports.free();
        Path file = Files.writeString(folder.resolve("prometheus.yml"), config);
        return new PrometheusServer(
                port,
                ChildProcess.start(
                        with(
                                program("prometheus"),
                                "--config.file=" + file,
                                "--storage.tsdb.path=" + folder.resolve("data"),
                                "--web.listen-address=127.0.0.1:" + port),
                        folder.resolve("prometheus.log")));
    }

    /** The answer to a query at this moment, as JSON; empty while the server does not answer. */
    public String query(String expression) {
        return get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    }

    /** The alerts that are pending or firing, as JSON; empty while the server does not answer. */
    public String alerts() {
        return get("/api/v1/alerts");
    }

    private String get(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
