package io.tributary.node.command;

import io.tributary.node.cluster.ZooKeeperCoordinator;
import io.tributary.node.command.client.ConfigFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code tributary cluster repair-epoch}: replaces an invalid epoch in ZooKeeper, so that a leader can be elected again. */
@Command(
        name = "repair-epoch",
        description = {
            "Replaces an unusable epoch in ZooKeeper with one that is larger than the epochs in all Dumpers' files.",
            "Start all Dumpers first: they become candidates, and report the epochs of their files."
        },
        mixinStandardHelpOptions = true)
final class RepairEpochCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile config;

    @Override
    public Integer call() {
        try (ZooKeeperCoordinator coordinator = ClusterAccess.open(config)) {
            long epoch = coordinator.repairEpoch();
            PrintWriter out = spec.commandLine().getOut();
            out.println("the epoch is now " + epoch + "; the next leader gets " + (epoch + 1));
            out.flush();
            return 0;
        }
    }
}
