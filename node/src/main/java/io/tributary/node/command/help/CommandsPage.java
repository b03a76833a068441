package io.tributary.node.command.help;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Makes docs/cli.md from the model of the commands. */
public final class CommandsPage {
    private static final List<String> OF_ALL = List.of("--help", "--version");
    private static final int ONE_LINE = 10_000; // else a long synopsis is broken, also within HOST:PORT

    private final StringBuilder page = new StringBuilder();

    private CommandsPage() {}

    /**
     * The list of all commands, and a section for each with its synopsis, parameters and options.
     *
     * @param root the command line with all commands
     */
    public static String markdown(CommandSpec root) {
        CommandsPage made = new CommandsPage();
        made.list(root);
        root.subcommands().values().forEach(line -> made.section(line.getCommandSpec(), 2));
        return made.page.toString();
    }

    private void list(CommandSpec root) {
        page.append("| command | meaning |\n|---|---|\n");
        for (CommandLine line : root.subcommands().values()) {
            CommandSpec command = line.getCommandSpec();
            page.append("| [`tributary ")
                    .append(command.name())
                    .append("`](#tributary-")
                    .append(command.name());
            page.append(") | ")
                    .append(cell(summary(command.usageMessage().description())))
                    .append(" |\n");
        }
    }

    /** The first sentence of a description. */
    static String summary(String[] description) {
        String text = Ansi.OFF.string(String.join(" ", description));
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }

    private void section(CommandSpec command, int level) {
        page.append('\n')
                .append("#".repeat(level))
                .append(" tributary ")
                .append(path(command))
                .append("\n\n");
        description(command).forEach(line -> page.append(escaped(line)).append('\n'));
        if (command.subcommands().isEmpty()) {
            command.usageMessage().width(ONE_LINE);
            CommandLine.Help help = new CommandLine.Help(command, CommandLine.Help.defaultColorScheme(Ansi.OFF));
            page.append("\n    ")
                    .append(help.synopsis(0).strip().replaceAll("\\s+", " "))
                    .append('\n');
        }
        rows(command);
        command.subcommands().values().forEach(line -> section(line.getCommandSpec(), level + 1));
    }

    private static String path(CommandSpec command) {
        String name = command.qualifiedName();
        return name.substring(name.indexOf(' ') + 1);
    }

    private static List<String> description(CommandSpec command) {
        List<String> lines = new ArrayList<>();
        for (String line : command.usageMessage().description()) {
            lines.add(Ansi.OFF.string(line));
        }
        return lines;
    }

    private void rows(CommandSpec command) {
        List<String> rows = new ArrayList<>();
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            rows.add(row(
                    "`" + parameter.paramLabel() + "`",
                    parameter.description(),
                    parameter.completionCandidates(),
                    null));
        }
        for (OptionSpec option : command.options()) {
            boolean isShown = !option.hidden() && !OF_ALL.contains(option.longestName());
            if (isShown) {
                rows.add(
                        row(names(option), option.description(), option.completionCandidates(), option.defaultValue()));
            }
        }
        if (!rows.isEmpty()) {
            page.append("\n| option | meaning |\n|---|---|\n");
            rows.forEach(page::append);
        }
    }

    private static String names(OptionSpec option) {
        String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return "`" + String.join(", ", option.names()) + label + "`";
    }

    private static String row(String name, String[] description, Iterable<String> candidates, String byDefault) {
        String text = String.join(" ", description);
        if (candidates != null) {
            text = text.replace("${COMPLETION-CANDIDATES}", String.join(", ", candidates));
        }
        text = text.replace("${DEFAULT-VALUE}", byDefault == null ? "none" : "`" + byDefault + "`");
        return "| " + name.replace("|", "\\|") + " | " + cell(Ansi.OFF.string(text)) + " |\n";
    }

    private static String cell(String text) {
        return escaped(text).replace("|", "\\|");
    }

    /** Names such as <name> would be read as HTML. */
    private static String escaped(String text) {
        return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }
}
