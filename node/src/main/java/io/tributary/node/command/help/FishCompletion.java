package io.tributary.node.command.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The script by which fish completes commands and options: one line {@code complete} for each of them, with a condition on the commands that the line already has.
 * The format is that of fish's manual page complete(1).
 */
final class FishCompletion {
    private static final String SEEN = "__fish_seen_subcommand_from ";

    private final StringBuilder script =
            new StringBuilder("# completion of tributary for fish\ncomplete -c tributary -f\n");

    private FishCompletion() {}

    static String script(CommandSpec root) {
        FishCompletion made = new FishCompletion();
        made.add(root, List.of());
        return made.script.toString();
    }

    private void add(CommandSpec command, List<String> path) {
        List<String> below = List.copyOf(command.subcommands().keySet());
        String here = condition(path, below);
        for (Map.Entry<String, CommandLine> each : command.subcommands().entrySet()) {
            CommandSpec spec = each.getValue().getCommandSpec();
            line(
                    here,
                    "-a " + each.getKey(),
                    CommandsPage.summary(spec.usageMessage().description()));
        }
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                line(here, names(option) + values(option), CommandsPage.summary(option.description()));
            }
        }
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            if (parameter.completionCandidates() != null) {
                line(here, "-a '" + String.join(" ", parameter.completionCandidates()) + "'", "");
            }
        }
        command.subcommands().forEach((name, line) -> add(line.getCommandSpec(), with(path, name)));
    }

    private static List<String> with(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return longer;
    }

    /** All commands of the path are there, and none of those below it. */
    private static String condition(List<String> path, List<String> below) {
        List<String> parts = new ArrayList<>();
        path.forEach(name -> parts.add(SEEN + name));
        if (!below.isEmpty()) {
            parts.add("not " + SEEN + String.join(" ", below));
        }
        return String.join("; and ", parts);
    }

    private void line(String condition, String what, String about) {
        script.append("complete -c tributary");
        if (!condition.isEmpty()) {
            script.append(" -n ").append(quoted(condition));
        }
        script.append(' ').append(what);
        if (!about.isEmpty()) {
            script.append(" -d ").append(quoted(about));
        }
        script.append('\n');
    }

    private static String names(OptionSpec option) {
        List<String> names = new ArrayList<>();
        for (String name : option.names()) {
            names.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
        }
        return String.join(" ", names);
    }

    /** Options with a value: the known values, or files. */
    private static String values(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        return option.completionCandidates() == null
                ? " -r -F"
                : " -x -a '" + String.join(" ", option.completionCandidates()) + "'";
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
