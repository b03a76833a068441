package io.tributary.node.command.order;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.command.output.OutputOptions;
import io.tributary.node.process.StopSignal;
import io.tributary.node.task.ShardClient;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    private ShardClient client;

    /** The form of the output. */
    public OutputOptions output() {
        return output;
    }

    /** The node's files; errors as in {@link StoredFiles#of}. */
    public StoredFiles files(StopSignal stop) {
        return StoredFiles.of(config.read(BinlogConfig.class), stop);
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
                ? config.read(ExtractorConfig.class)
                : NodeKeys.read(task, List.of(ExtractorConfig.class)).get(ExtractorConfig.class);
        return new ShardLog(files, shards, client.client(), Clock.SYSTEM);
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
    }
}
