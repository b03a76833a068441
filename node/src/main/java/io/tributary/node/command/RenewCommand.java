package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says of a Dumper's folder that it was put back to what it was earlier, which nobody can tell by the files. */
@Command(
        name = "renew",
        description = {
            "Says that this Dumper's binlog.directory was put back to what it was earlier, as by a snapshot of the machine.",
            "What it had acknowledged since it lacks: it counts in elections again once it has caught up. Run it before the node is started."
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
                    binlog.directory() + ": expected the folder of a binlog that was put back, found none");
        }
        try (BinlogDirectory directory = BinlogDirectory.open(binlog, Clock.SYSTEM)) {
            directory.renewCopyId(Clock.SYSTEM);
            PrintWriter out = spec.commandLine().getOut();
            out.println(directory.path()
                    + " is another copy of the binlog from now on: it counts in elections again once it"
                    + " has caught up");
            out.flush();
            return 0;
        }
    }
}
