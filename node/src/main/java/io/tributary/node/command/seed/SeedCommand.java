package io.tributary.node.command.seed;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Config;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.command.client.ConfigFile;
import io.tributary.node.task.ShardClient;
import io.tributary.seed.Seed;
import io.tributary.seed.SeedServers;
import io.tributary.seed.SeedSettings;
import io.tributary.seed.session.Peer;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.filter.TableFilter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code tributary seed}: makes an empty server a replica of the stream with the rows that the shards already hold. */
@Command(
        name = "seed",
        description = {
            "Fills an empty MySQL server with the rows of all shards and starts it as a replica of the running node.",
            "The load continues: nothing is locked, except tables without a key for a moment.",
            "If it is stopped or killed, run it again: it resumes."
        },
        mixinStandardHelpOptions = true)
public final class SeedCommand implements Callable<Integer> {
    private static final String TERMINAL = "tributary.terminal";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigFile file;

    @Mixin
    private TargetOptions target;

    @Mixin
    private SourceOptions source;

    @Option(
            names = "--tables",
            defaultValue = "",
            paramLabel = "LIST",
            description = "Patterns of the tables to seed, such as 'shop.*, !shop.log'; default: all.")
    private String tables;

    @Option(
            names = "--workers",
            defaultValue = "4",
            paramLabel = "N",
            description = "Sessions that copy at the same time; default ${DEFAULT-VALUE}.")
    private int workers;

    @Option(
            names = "--sessions",
            defaultValue = "4",
            paramLabel = "N",
            description = "Sessions that replay at the same time; default ${DEFAULT-VALUE}.")
    private int sessions;

    @Option(
            names = "--rate",
            defaultValue = "0B",
            paramLabel = "SIZE",
            description = "The most bytes of rows that are copied per second, such as 20MiB; default: no limit.")
    private String rate;

    @Option(
            names = "--max-load",
            defaultValue = "0",
            paramLabel = "N",
            description = "The copy pauses while a shard runs more than N threads; default: it never pauses.")
    private int mostRunning;

    @Option(
            names = "--sample",
            defaultValue = "10",
            paramLabel = "PERCENT",
            description =
                    "How many of the rows are compared with the shards at the end; default ${DEFAULT-VALUE}, 0: none."
                            + " tributary verify compares all.")
    private int sample;

    @Option(names = "--json", description = "Prints progress as JSON, one object a line.")
    private boolean isJson;

    /** Used by picocli. */
    public SeedCommand() {}

    @Override
    public Integer call() {
        Config config = file.read(Map.of());
        PrintWriter out = spec.commandLine().getOut();
        SeedDisplay display = new SeedDisplay(out, form(), Clock.SYSTEM);
        Predicate<TableName> filter = filter(TableFilter.parse(tables));
        SeedSettings settings = new SeedSettings(
                filter,
                workers,
                sessions,
                new SeedSettings.Throttle(ByteSize.parse(rate).bytes(), mostRunning),
                sample);
        try (ShardClient client = new ShardClient();
                WorkerThreads threads = new WorkerThreads("seed")) {
            SeedServers servers = servers(config, client.client());
            var seeded = new Seed(
                            servers,
                            settings,
                            names(config),
                            new Seed.Environment(client.client(), threads.executor(), Clock.SYSTEM, display))
                    .run();
            display.step("ready: " + seeded.size() + " tables");
            return 0;
        } finally {
            display.clear();
        }
    }

    private SeedDisplay.Form form() {
        boolean isTerminal = Boolean.getBoolean(TERMINAL);
        return isJson ? SeedDisplay.Form.JSON : isTerminal ? SeedDisplay.Form.BAR : SeedDisplay.Form.LINES;
    }

    private static Predicate<TableName> filter(TableFilter patterns) {
        return table -> table.table().isEmpty()
                ? patterns.readsSchema(table.schema())
                : patterns.reads(table.schema(), table.table());
    }

    private SeedServers servers(Config config, MysqlClient client) {
        Peer node = StreamServers.node(config.get(ServeConfig.class));
        try (NodeStream stream = new NodeStream(client, node)) {
            ExtractorConfig extract = config.get(ExtractorConfig.class);
            List<Peer> shards = SeedShards.of(client, StreamServers.shards(stream.get(), extract), extract);
            return new SeedServers(node, target.peer(), shards, source.source(config));
        }
    }

    /** The mapping of the configuration. */
    private static TableNames names(Config config) {
        ExtractorConfig extract = config.get(ExtractorConfig.class);
        return new TableNames(extract, new HiddenTables(extract.ddlHidden())::hides);
    }
}
