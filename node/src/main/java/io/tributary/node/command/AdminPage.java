package io.tributary.node.command;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.admin.AdminConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Asks a running node for a page of its admin endpoint. */
final class AdminPage {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private AdminPage() {}

    /**
     * Prints a page.
     *
     * @param file the node's configuration
     * @param page such as {@code /status}
     * @return the command's exit status
     * @throws TributaryException NODE_UNREACHABLE
     */
    static int print(Path file, String page, boolean asJson, PrintWriter out) throws InterruptedException {
        HostPort admin = NodeKeys.read(file, List.of(AdminConfig.class))
                .get(AdminConfig.class)
                .listen();
        URI address = URI.create("http://" + admin + page + (asJson ? "" : "?as=text"));
        HttpRequest request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
        try {
            HttpResponse<String> response = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofString());
            out.print(response.body());
            out.flush();
            return response.statusCode() == 200 ? 0 : 1;
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE, "admin.listen: no node answers on " + admin + ": " + e, e);
        }
    }
}
