package io.tributary.node.command.help;

import io.tributary.node.command.output.OutputOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code tributary version}. */
@Command(
        name = "version",
        description = {
            "Shows the version of the program, the commit that it was built from, the Java virtual machine, and the versions",
            "of the protocols that it speaks. Nodes of one cluster need the same versions of protocol.stream and protocol.replicate."
        },
        mixinStandardHelpOptions = true)
public final class VersionCommand implements Callable<Integer> {
    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        output.print(Version.facts());
        return 0;
    }
}
