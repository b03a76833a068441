package io.tributary.node.command;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.admin.AdminConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks a running node for its status. */
@Command(
        name = "status",
        description = "Shows what a running node does: stages, links, shards, lag, binlog position.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The node's configuration.")
    private Path file;

    @Option(names = "--json", description = "As JSON.")
    private boolean asJson;

    @Override
    public Integer call() throws InterruptedException {
        HostPort admin = NodeKeys.read(file, List.of(AdminConfig.class))
                .get(AdminConfig.class)
                .listen();
        URI page = URI.create("http://" + admin + "/status" + (asJson ? "" : "?as=text"));
        HttpRequest request = HttpRequest.newBuilder(page).timeout(PATIENCE).build();
        try {
            HttpResponse<String> response = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofString());
            spec.commandLine().getOut().print(response.body());
            spec.commandLine().getOut().flush();
            return response.statusCode() == 200 ? 0 : 1;
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE, "admin.listen: no node answers on " + admin + ": " + e, e);
        }
    }
}
