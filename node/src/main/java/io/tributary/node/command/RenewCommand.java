package io.tributary.node.command;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.command.client.ConfigFile;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code tributary cluster renew}: marks a Dumper's directory as restored to an earlier state, which the files do not show. */
@Command(
        name = "renew",
        description = {
            "Marks this Dumper's binlog.directory as restored to an earlier state, for example by a snapshot of the machine.",
            "It lacks transactions that it acknowledged later, so it counts in elections again only when it has caught up.",
            "Run this before you start the node."
        },
        mixinStandardHelpOptions = true)
final class RenewCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile config;

    @Override
    public Integer call() {
        BinlogConfig binlog = config.read(BinlogConfig.class);
        if (!Files.isDirectory(binlog.directory())) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE,
                    binlog.directory() + ": expected the directory of a restored binlog, found none");
        }
        try (BinlogDirectory directory = BinlogDirectory.open(binlog, Clock.SYSTEM)) {
            directory.renewCopyId(Clock.SYSTEM);
            PrintWriter out = spec.commandLine().getOut();
            out.println(directory.path()
                    + " is marked as a new copy of the binlog: it counts in elections again when it"
                    + " has caught up");
            out.flush();
            return 0;
        }
    }
}
