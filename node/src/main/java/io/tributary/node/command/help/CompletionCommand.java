package io.tributary.node.command.help;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary completion}: prints a script with which a shell completes commands, options and their values. */
@Command(
        name = "completion",
        description = {
            "Prints the script by which a shell completes commands and options.",
            "bash: tributary completion bash > /etc/bash_completion.d/tributary, or: source <(tributary completion bash)",
            "zsh: tributary completion zsh > ~/.tributary.zsh, and in ~/.zshrc after compinit: source ~/.tributary.zsh",
            "fish: tributary completion fish > ~/.config/fish/completions/tributary.fish"
        },
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
    private final Supplier<CommandLine> all;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "SHELL",
            completionCandidates = Shells.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    /** A shell for which there is a script. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    /** The shells as they are typed. */
    static final class Shells extends ArrayList<String> {
        Shells() {
            super(List.of("bash", "zsh", "fish"));
        }
    }

    /** @param all creates the command line with all commands */
    public CompletionCommand(Supplier<CommandLine> all) {
        this.all = all;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                shell == Shell.FISH
                        ? FishCompletion.script(all.get().getCommandSpec())
                        : AutoComplete.bash("tributary", all.get())); // the script of bash also runs in zsh
        out.flush();
        return 0;
    }
}
