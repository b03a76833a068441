package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.role.StopSignal;
import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line as a whole. Exit status: 0 done, 1 failed, 2 wrong usage. */
@Command(
        name = "tributary",
        description = "Many MySQL shards, one binlog.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class TributaryCommand {
    private static final Logger LOG = LoggerFactory.getLogger(TributaryCommand.class);
    private static final int FAILED = 1;

    private TributaryCommand() {}

    /**
     * Runs one command on the process's own streams.
     *
     * @param stop ends a command that runs until it is told to stop
     * @return the exit status
     */
    public static int run(String[] arguments, StopSignal stop) {
        return commandLine(stop).execute(arguments);
    }

    /** Has a command run against streams of the caller's choice, for tests. */
    static CommandLine commandLine(StopSignal stop) {
        return new CommandLine(new TributaryCommand())
                .addSubcommand(new StartCommand(stop))
                .addSubcommand(new CheckCommand())
                .addSubcommand(new ReloadCommand())
                .addSubcommand(new StatusCommand())
                .addSubcommand(new BackupCommand())
                .addSubcommand(new XaCommand())
                .addSubcommand(new FindCommand())
                .addSubcommand(new ShardCommand())
                .addSubcommand(new ClusterCommand())
                .addSubcommand(new LeaderCommand())
                .addSubcommand(new UserCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> report(failure, line.getErr()));
    }

    private static int report(Exception failure, PrintWriter err) {
        if (failure instanceof TributaryException known) {
            err.println(known.line());
            if (known.code() == ErrorCode.INTERNAL) {
                LOG.error("the failure in full", known);
            }
        } else {
            err.println(ErrorCode.INTERNAL + ": " + failure + " | " + ErrorCode.INTERNAL.remedy());
            LOG.error("the failure in full", failure);
        }
        err.flush();
        return FAILED;
    }
}
