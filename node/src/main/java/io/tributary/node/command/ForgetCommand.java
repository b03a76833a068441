package io.tributary.node.command;

import io.tributary.node.cluster.Electors;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Has a cluster whose Dumpers cannot elect a leader any more go on without one that is lost for good. */
@Command(
        name = "forget",
        description = {
            "Has elections go on without a Dumper that is lost for good, where too few are left to elect a leader.",
            "What only forgotten Dumpers had is lost: where that can be, it is said, and done with --accept-loss only."
        },
        mixinStandardHelpOptions = true)
final class ForgetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NODE", description = "The Dumper's node.id; it must not run.")
    private String node;

    @Mixin
    private ConfigFile config;

    @Option(
            names = "--accept-loss",
            description = "Also where transactions that readers have seen may be lost with it.")
    private boolean acceptsLoss;

    @Override
    public Integer call() {
        try (ZooKeeperCoordinator coordinator = ClusterAccess.open(config)) {
            Electors left = coordinator.forget(node, acceptsLoss);
            PrintWriter out = spec.commandLine().getOut();
            out.println(node + " is forgotten; "
                    + (left.byNode().isEmpty()
                            ? "so many Dumpers with files as a first election takes elect a leader, the longest log among them"
                            : "of "
                                    + String.join(
                                            ", ",
                                            left.byNode().keySet().stream()
                                                    .sorted()
                                                    .toList()) + " " + left.election()
                                    + " have to stand to elect a leader"));
            out.flush();
            return 0;
        }
    }
}
