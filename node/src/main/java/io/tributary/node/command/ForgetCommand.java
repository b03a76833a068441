package io.tributary.node.command;

import io.tributary.node.cluster.Voters;
import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.command.client.ConfigFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary cluster forget}: removes a permanently lost Dumper from the voters, if too few are left to elect a leader. */
@Command(
        name = "forget",
        description = {
            "Removes a Dumper that is lost permanently from the voters, if too few Dumpers are left to elect a leader.",
            "Transactions that only forgotten Dumpers have are lost: if this is possible, the command is refused without --accept-loss."
        },
        mixinStandardHelpOptions = true)
final class ForgetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NODE", description = "The Dumper's node.id; the Dumper must not run.")
    private String node;

    @Mixin
    private ConfigFile config;

    @Option(
            names = "--accept-loss",
            description = "Forgets the Dumper also if transactions that readers have received may be lost with it.")
    private boolean acceptsLoss;

    @Override
    public Integer call() {
        try (ZooKeeperCoordinator coordinator = ClusterAccess.open(config)) {
            Voters left = coordinator.forget(node, acceptsLoss);
            PrintWriter out = spec.commandLine().getOut();
            out.println(node + " is forgotten; "
                    + (left.byNode().isEmpty()
                            ? "the next election needs as many Dumpers with files as a first election, and elects the longest log"
                            : "an election needs " + left.election() + " candidates of "
                                    + String.join(
                                            ", ",
                                            left.byNode().keySet().stream()
                                                    .sorted()
                                                    .toList())));
            out.flush();
            return 0;
        }
    }
}
