package io.tributary.node.command;

import io.tributary.node.command.client.AdminPage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code tributary find}: asks a running node for a position in its binlog. */
@Command(
        name = "find",
        description = {
            "Shows the position of a time, a transaction or a TSO in the binlog of a running node:",
            "file and position, and the GTIDs before it, with which a reader can begin there."
        },
        mixinStandardHelpOptions = true)
final class FindCommand implements Callable<Integer> {
    @Mixin
    private AdminPage page;

    @ArgGroup(multiplicity = "1")
    private Goal goal;

    /** The goal of the search: one of these options. */
    static final class Goal {
        @Option(
                names = "--time",
                paramLabel = "'YYYY-MM-DD hh:mm:ss'",
                description = "The first transaction committed at this time (UTC) or later.")
        private String time;

        @Option(names = "--gtid", paramLabel = "UUID:N", description = "This transaction.")
        private String gtid;

        @Option(
                names = "--tso",
                paramLabel = "TSO",
                description = "The last cut before which no transaction is newer than this TSO (order.mode = tso).")
        private String tso;

        private String parameter() {
            String name = time != null ? "time" : gtid != null ? "gtid" : "tso";
            String value = time != null ? time : gtid != null ? gtid : tso;
            return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        return page.print("/find?" + goal.parameter());
    }
}
