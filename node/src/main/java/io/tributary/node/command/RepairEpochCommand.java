package io.tributary.node.command;

import io.tributary.node.cluster.ZooKeeperCoordinator;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lets a cluster elect a leader again whose epoch in ZooKeeper was overwritten by something that is no epoch. */
@Command(
        name = "repair-epoch",
        description = {
            "Puts an epoch above that of all Dumpers' files in place of one in ZooKeeper that cannot be used.",
            "Start all Dumpers first: they stand for election, and show what their files have."
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
            out.println("the epoch is " + epoch + " now; the next leader has " + (epoch + 1));
            out.flush();
            return 0;
        }
    }
}
