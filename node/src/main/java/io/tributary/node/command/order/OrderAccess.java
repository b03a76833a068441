package io.tributary.node.command.order;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.process.StopSignal;
import io.tributary.node.task.ShardClient;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of the commands that ask for the global order, and what they open: the node's binlog files and, if needed, the shards. */
public final class OrderAccess implements AutoCloseable {
    @Mixin
    private ConfigFile config;

    @Option(
            names = "--task",
            paramLabel = "FILE",
            description = "The configuration of the Task, if that of the node has no shards: their binlogs are read.")
    private Path task;

    @Mixin
    private OutputOptions output;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    private ShardClient client;
    private StoredFiles stored;

    /** The form of the output. */
    public OutputOptions output() {
        return output;
    }

    /** The node's files, and those of its backup; errors as in {@link StoredFiles#of}. They are closed with this object. */
    public StoredFiles files(StopSignal stop) {
        stored = StoredFiles.of(
                config.read(BinlogConfig.class),
                (cluster, turn) ->
                        BackupFiles.of(config.read(BackupConfig.class), config.read(S3Config.class), cluster, turn),
                stop,
                this::note);
        return stored;
    }

    /** Prints a sentence for the user to standard error. */
    public void note(String sentence) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("note: " + sentence);
        err.flush();
    }

    /** The order in these files. The shards are connected when they are needed first. */
    GlobalOrder order(StoredFiles files) {
        return new GlobalOrder(files, () -> shards(files));
    }

    /**
     * The names of the shards of a transaction, in the order of its parts.
     *
     * @throws io.tributary.common.error.TributaryException as the command {@code origin}
     */
    public List<String> shardsOf(StoredFiles files, long gno) {
        return order(files).origin(gno).parts().stream()
                .map(Origin.Part::shard)
                .distinct()
                .toList();
    }

    private ShardLog shards(StoredFiles files) {
        if (client == null) {
            client = new ShardClient(1);
        }
        ExtractorConfig shards = task == null
                ? ofNode()
                : NodeKeys.read(task, List.of(ExtractorConfig.class)).get(ExtractorConfig.class);
        return new ShardLog(files, shards, client.client(), Clock.SYSTEM);
    }

    private ExtractorConfig ofNode() {
        try {
            return config.read(ExtractorConfig.class);
        } catch (TributaryException e) {
            throw new TributaryException(
                    e.code(),
                    e.getMessage()
                            + " The shards are needed because the transactions between two cuts are found in their binlogs: for"
                            + " a Dumper, name the configuration of the Task with --task.",
                    e);
        }
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        if (stored != null) {
            stored.close();
        }
    }
}
