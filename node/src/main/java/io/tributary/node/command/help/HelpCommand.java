package io.tributary.node.command.help;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary help}: shows the usage of a command, also of one below another, such as {@code help backup list}. */
@Command(
        name = "help",
        description = "Shows the usage of tributary, or of one command.",
        mixinStandardHelpOptions = true)
public final class HelpCommand implements Callable<Integer> {
    private final Supplier<CommandLine> all;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command, such as status, or backup list.")
    private List<String> path = List.of();

    /** @param all creates the command line with all commands */
    public HelpCommand(Supplier<CommandLine> all) {
        this.all = all;
    }

    @Override
    public Integer call() {
        CommandLine shown = all.get();
        for (String name : path) {
            CommandLine next = shown.getSubcommands().get(name);
            if (next == null) {
                throw new ParameterException(spec.commandLine(), UsageErrors.unknown(name, shown.getCommandSpec()));
            }
            shown = next;
        }
        PrintWriter out = spec.commandLine().getOut();
        shown.usage(out, spec.commandLine().getColorScheme());
        out.flush();
        return 0;
    }
}
