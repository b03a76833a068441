package io.tributary.node.command.seed;

import io.tributary.node.command.client.ConfigFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tributary shard reseed}: makes a shard whose changes were lost part of the stream again. */
@Command(
        name = "reseed",
        description = {
            "Reads a shard again after SHARD_POSITION_PURGED or SHARD_HISTORY_LOST. Compares the shard with a replica that has applied",
            "the whole global binlog, and adds the changes that were lost to it as DELETE and WRITE rows: replicas need no new set-up.",
            "The node must be stopped. The command can be ended and run again at any time; until it has printed its last line,",
            "nothing has changed for the global binlog."
        },
        mixinStandardHelpOptions = true)
public final class ShardReseedCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Mixin
    private ReseedRun run;

    @Parameters(paramLabel = "NAME", description = "The shard's name in the configuration.")
    private String shard;

    /** Used by picocli. */
    public ShardReseedCommand() {}

    @Override
    public Integer call() {
        return run.run(file, shard, false, spec.commandLine().getOut());
    }
}
