package io.tributary.node.command;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.admin.AdminConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a running node to take in a shard, or to let one go, and shows what is done until it is. */
abstract class ShardRequestCommand implements Callable<Integer> {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 100;

    private final String verb;
    private HttpClient
            http; // made by the call: every other command has this one's object too, and a client is dear to make

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The shard's name in the configuration.")
    private String shard;

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The configuration file that the node was started with.")
    private Path file;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long the node may wait for the shard before it gives up, ${DEFAULT-VALUE} by default.")
    private int patience;

    ShardRequestCommand(String verb) {
        this.verb = verb;
    }

    @Override
    public Integer call() throws InterruptedException {
        http = HttpClient.newBuilder().connectTimeout(ANSWER_WITHIN).build();
        HostPort admin = NodeKeys.read(file, List.of(AdminConfig.class))
                .get(AdminConfig.class)
                .listen();
        String query = "?shard=" + URLEncoder.encode(shard, StandardCharsets.UTF_8) + "&patience=" + patience;
        HttpRequest.Builder post = HttpRequest.newBuilder(page(admin, "/" + verb + query))
                .header("X-Tributary-Request", verb)
                .POST(HttpRequest.BodyPublishers.noBody());
        HttpResponse<String> answer = send(admin, post);
        PrintWriter out = spec.commandLine().getOut();
        if (answer.statusCode() != 202) {
            out.print(answer.body());
            out.flush();
            return 1;
        }
        return follow(admin, answer.body(), out);
    }

    /** Shows each new message until the request is done; the first line of a page says number and progress. */
    private int follow(HostPort admin, String begun, PrintWriter out) throws InterruptedException {
        String number = begun.substring(0, begun.indexOf(' '));
        String body = begun;
        String shown = "";
        while (true) {
            String first = body.lines().findFirst().orElse("");
            if (!first.startsWith(number + " ")) {
                out.println("another request has come since; this one has ended: see the node's log");
                out.flush();
                return 1;
            }
            String message = body.substring(first.length()).strip();
            if (!message.equals(shown)) {
                out.println(message);
                out.flush();
                shown = message;
            }
            if (!first.endsWith(" running")) {
                return first.endsWith(" done") ? 0 : 1;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            body = send(admin, HttpRequest.newBuilder(page(admin, ""))).body();
        }
    }

    private static URI page(HostPort admin, String rest) {
        return URI.create("http://" + admin + "/shards" + rest);
    }

    private HttpResponse<String> send(HostPort admin, HttpRequest.Builder request) throws InterruptedException {
        try {
            return http.send(request.timeout(ANSWER_WITHIN).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.NODE_UNREACHABLE,
                    "admin.listen: no node answers on " + admin
                            + " (start it and run the command again: it may be run any" + " number of times): " + e,
                    e);
        }
    }

    /** Takes in a shard whose keys were added to the configuration file. */
    @Command(
            name = "add",
            description = {
                "Reads a further shard from now on; its keys (shard.NAME.host, ...) stand in the configuration file already.",
                "Exit status 0 once the shard is read and the binlog says so."
            },
            mixinStandardHelpOptions = true)
    static final class Add extends ShardRequestCommand {
        Add() {
            super("add");
        }
    }

    /** Lets a shard go that is not written any more. */
    @Command(
            name = "remove",
            description = {
                "Reads a shard no more, once all of it is in the binlog and none of its XA branches is open.",
                "Nothing may write to it any more. Exit status 0 once the binlog says so: then its keys can be removed."
            },
            mixinStandardHelpOptions = true)
    static final class Remove extends ShardRequestCommand {
        Remove() {
            super("remove");
        }
    }
}
