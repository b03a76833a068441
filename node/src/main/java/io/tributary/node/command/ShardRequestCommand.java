package io.tributary.node.command;

import java.io.PrintWriter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a running node to take in a shard, or to let one go, and shows what is done until it is. */
abstract class ShardRequestCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 100;

    private final String verb;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The shard's name in the configuration.")
    private String shard;

    @Mixin
    private ConfigFile config;

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
        AdminClient admin = new AdminClient(config);
        String query = "?shard=" + URLEncoder.encode(shard, StandardCharsets.UTF_8) + "&patience=" + patience;
        HttpResponse<String> answer = admin.post("/shards/" + verb + query, verb);
        PrintWriter out = spec.commandLine().getOut();
        if (answer.statusCode() != 202) {
            out.print(answer.body());
            out.flush();
            return 1;
        }
        return follow(admin, answer.body(), out);
    }

    /** Shows each new message until the request is done; the first line of a page says number and progress. */
    private int follow(AdminClient admin, String begun, PrintWriter out) throws InterruptedException {
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
            body = admin.get("/shards").body();
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
