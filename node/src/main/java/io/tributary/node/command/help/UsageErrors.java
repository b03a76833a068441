package io.tributary.node.command.help;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports wrong usage: what is wrong, the nearest command if one is unknown, and where the usage is shown. */
public final class UsageErrors implements IParameterExceptionHandler {
    private static final int WRONG_USAGE = 2;

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        CommandSpec spec = command.getCommandSpec();
        err.println(text(wrong, spec));
        String name = spec.qualifiedName();
        boolean isGroup = !command.getSubcommands().isEmpty();
        err.println(isGroup ? "`" + name + " --help` lists the commands" : "`" + name + " --help` shows the usage");
        err.flush();
        return WRONG_USAGE;
    }

    private static String text(ParameterException wrong, CommandSpec spec) {
        if (wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String first = unmatched.getUnmatched().get(0);
            boolean isCommand = !first.startsWith("-") && !spec.subcommands().isEmpty();
            return isCommand
                    ? unknown(first, spec)
                    : "expected no further argument, found " + String.join(" ", unmatched.getUnmatched())
                            + meant(unmatched.getSuggestions());
        }
        return wrong.getMessage();
    }

    /** The message about a command that does not exist, with the nearest one that does. */
    static String unknown(String name, CommandSpec spec) {
        List<String> near = NearestName.to(name, spec.subcommands().keySet());
        return "expected a command of " + spec.qualifiedName() + ", found '" + name + "'" + meant(near);
    }

    private static String meant(List<String> near) {
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }
}
