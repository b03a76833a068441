package io.tributary.node.command;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.node.command.config.ConfigCommand;
import io.tributary.node.command.help.CompletionCommand;
import io.tributary.node.command.help.HelpCommand;
import io.tributary.node.command.help.UsageErrors;
import io.tributary.node.command.help.Version;
import io.tributary.node.command.help.VersionCommand;
import io.tributary.node.command.log.LogCommand;
import io.tributary.node.command.order.OriginCommand;
import io.tributary.node.command.order.PositionsCommand;
import io.tributary.node.command.output.Terminal;
import io.tributary.node.command.seed.SeedCommand;
import io.tributary.node.command.seed.VerifyCommand;
import io.tributary.node.command.setup.InitCommand;
import io.tributary.node.command.support.SupportCommand;
import io.tributary.node.command.top.TopCommand;
import io.tributary.node.process.StopSignal;
import java.io.PrintWriter;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line with all commands. Exit status: 0 done, 1 failed, 2 wrong usage, 130 cancelled by a signal. */
@Command(
        name = "tributary",
        description = "Many MySQL shards, one binlog.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class TributaryCommand {
    private static final Logger LOG = LoggerFactory.getLogger(TributaryCommand.class);
    private static final int FAILED = 1;
    private static final int CANCELLED = 130; // as shells report SIGINT

    /** In the order of the usage text. */
    private static final List<String> COMMANDS = List.of(
            "init",
            "start",
            "check",
            "config",
            "reload",
            "status",
            "top",
            "backup",
            "xa",
            "ddl",
            "find",
            "log",
            "positions",
            "origin",
            "seed",
            "verify",
            "apply",
            "sink",
            "shard",
            "cluster",
            "leader",
            "user",
            "certs",
            "support",
            "version",
            "completion",
            "help");

    private TributaryCommand() {}

    /**
     * Runs one command with the streams of the process.
     *
     * @param stop ends a command that runs until it is stopped
     * @return the exit status
     */
    public static int run(String[] arguments, StopSignal stop) {
        return commandLine(stop, arguments).execute(arguments);
    }

    /** Creates the command line; tests set other streams on it. If the first argument is a command, only this command is created, else all. */
    public static CommandLine commandLine(StopSignal stop, String... arguments) {
        CommandLine line = new CommandLine(new TributaryCommand());
        boolean isNamed = arguments.length > 0 && COMMANDS.contains(arguments[0]);
        for (String name : isNamed ? List.of(arguments[0]) : COMMANDS) {
            line.addSubcommand(command(name, stop));
        }
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Terminal.ansi()))
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler((failure, failed, parsed) -> report(failure, failed.getErr()));
    }

    private static Object command(String name, StopSignal stop) {
        return switch (name) {
            case "init" -> new InitCommand();
            case "start" -> new StartCommand(stop);
            case "check" -> new CheckCommand();
            case "config" -> new ConfigCommand();
            case "reload" -> new ReloadCommand();
            case "status" -> new StatusCommand();
            case "backup" -> new BackupCommand();
            case "xa" -> new XaCommand();
            case "ddl" -> new DdlCommand();
            case "find" -> new FindCommand();
            case "positions" -> new PositionsCommand(stop);
            case "log" -> new LogCommand(stop);
            case "origin" -> new OriginCommand(stop);
            case "verify" -> new VerifyCommand();
            case "apply" -> new ApplyCommand();
            case "sink" -> new SinkCommand();
            case "shard" -> new ShardCommand();
            case "seed" -> new SeedCommand();
            case "cluster" -> new ClusterCommand();
            case "leader" -> new LeaderCommand();
            case "user" -> new UserCommand();
            case "certs" -> new CertsCommand();
            case "support" -> new SupportCommand();
            case "top" -> new TopCommand(stop);
            case "version" -> new VersionCommand();
            case "completion" -> new CompletionCommand(() -> commandLine(stop));
            case "help" -> new HelpCommand(() -> commandLine(stop));
            default -> throw new IllegalArgumentException("no command " + name);
        };
    }

    private static int report(Exception failure, PrintWriter err) {
        if (failure instanceof TributaryException known) {
            err.println(known.line());
            if (known.code() == ErrorCode.INTERNAL) {
                LOG.error("command failed:", known);
            }
        } else {
            err.println(ErrorCode.INTERNAL + ": " + failure + " | " + ErrorCode.INTERNAL.remedy());
            LOG.error("command failed:", failure);
        }
        err.flush();
        boolean isCancelled =
                failure instanceof TributaryException known && known.code() == ErrorCode.COMMAND_CANCELLED;
        return isCancelled ? CANCELLED : FAILED;
    }
}
