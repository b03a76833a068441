package io.tributary.node.command;

import io.tributary.node.command.client.AdminClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.seed.ReseedRun;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that asks a running node to add or to remove a shard, and prints the progress until the request is done. */
abstract class ShardRequestCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 100;

    private final String verb;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The shard's name in the configuration.")
    private String shard;

    @Mixin
    private ConfigFile config;

    @Option(
            names = {"--timeout", "--patience"},
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "How long the node may wait for the shard before the request fails. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    ShardRequestCommand(String verb) {
        this.verb = verb;
    }

    final ConfigFile config() {
        return config;
    }

    final String shard() {
        return shard;
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    @Override
    public Integer call() throws InterruptedException {
        AdminClient admin = new AdminClient(config);
        String query = "?shard=" + URLEncoder.encode(shard, StandardCharsets.UTF_8) + "&timeout=" + timeout;
        HttpResponse<String> answer = admin.postAllowed("/shards/" + verb + query, verb);
        PrintWriter out = spec.commandLine().getOut();
        if (answer.statusCode() != 202) {
            out.print(answer.body());
            out.flush();
            return 1;
        }
        return follow(admin, answer.body(), out);
    }

    /** Prints each new message until the request is done. The first line of the page contains the request's number and progress. */
    private int follow(AdminClient admin, String begun, PrintWriter out) throws InterruptedException {
        String number = begun.substring(0, begun.indexOf(' '));
        String body = begun;
        String shown = "";
        while (true) {
            String first = body.lines().findFirst().orElse("");
            if (!first.startsWith(number + " ")) {
                out.println("this request has ended, and a newer one has begun: see the node's log");
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
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            body = admin.getAllowed("/shards").body();
        }
    }

    /** {@code tributary shard add}: adds a shard whose keys were added to the configuration file. */
    @Command(
            name = "add",
            description = {
                "Adds a shard to a running node. Its keys (shard.NAME.host, ...) must be in the configuration file.",
                "Exit status 0 when the shard is read, and the binlog contains it in a cut.",
                "With --seed the rows that the shard has already are added to the global binlog too. This needs a stopped node."
            },
            mixinStandardHelpOptions = true)
    static final class Add extends ShardRequestCommand {
        @ArgGroup(
                exclusive = false,
                multiplicity = "0..1",
                heading = "For a shard that has rows, with a stopped node:%n")
        private SeededShard seeded;

        Add() {
            super("add");
        }

        @Override
        public Integer call() throws InterruptedException {
            return seeded == null || !seeded.isSeeded() ? super.call() : seeded.run(config(), shard(), true, out());
        }
    }

    /** The options of a shard that joins with its rows. */
    static final class SeededShard extends ReseedRun {
        @Option(
                names = "--seed",
                required = true,
                description = "Add the rows of the shard, as a replica lacks them; tables must exist on the replica.")
        private boolean isSeeded;

        boolean isSeeded() {
            return isSeeded;
        }
    }

    /** {@code tributary shard remove}: removes a shard to which nothing writes any more. */
    @Command(
            name = "remove",
            description = {
                "Removes a shard from a running node, when all its transactions are in the binlog and none of its XA branches is open.",
                "Nothing may write to it any more. Exit status 0 when a cut without it is in the binlog: then remove its keys."
            },
            mixinStandardHelpOptions = true)
    static final class Remove extends ShardRequestCommand {
        Remove() {
            super("remove");
        }
    }
}
