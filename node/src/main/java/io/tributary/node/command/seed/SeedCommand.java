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
import io.tributary.node.replica.NodeStream;
import io.tributary.node.replica.StreamServers;
import io.tributary.node.replica.WorkerThreads;
import io.tributary.node.task.ShardClient;
import io.tributary.replay.session.Peer;
import io.tributary.seed.FileSeed;
import io.tributary.seed.Seed;
import io.tributary.seed.SeedServers;
import io.tributary.seed.SeedSettings;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.filter.TableFilter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code tributary seed}: makes an empty server a replica of the stream with the rows that the shards already hold. */
@Command(
        name = "seed",
        description = {
            "Fills an empty MySQL server with the rows of all shards and starts it as a replica of the running node.",
            "The load continues: nothing is locked, except tables without a key for a moment.",
            "If it is stopped or killed, run it again: it resumes.",
            "Or makes files for a server that this machine cannot reach: --to-files."
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

    @Option(
            names = "--to-files",
            paramLabel = "FOLDER",
            description =
                    "Instead of --target: an empty folder, which gets files that myloader or the mysql client loads, and a"
                            + " README.txt with what to type. A run that was ended begins again in an empty folder.")
    private Optional<Path> toFiles;

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
        if (target.isGiven() == toFiles.isPresent()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "expected --target or --to-files, found " + (target.isGiven() ? "both" : "neither"));
        }
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
            Seed.Environment environment =
                    new Seed.Environment(client.client(), threads.executor(), Clock.SYSTEM, display);
            display.step(
                    toFiles.isPresent() ? files(config, settings, environment) : server(config, settings, environment));
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

    /** Seeds a server; returns the last line. */
    private String server(Config config, SeedSettings settings, Seed.Environment environment) {
        Peer node = StreamServers.node(config.get(ServeConfig.class));
        List<Peer> shards = shards(config, environment.client(), node);
        SeedServers servers = new SeedServers(node, target.peer(), shards, source.source(config));
        int tables =
                new Seed(servers, settings, names(config), environment).run().size();
        return "ready: " + tables + " tables";
    }

    /** Makes files; returns the last line. */
    private String files(Config config, SeedSettings settings, Seed.Environment environment) {
        Path folder = toFiles.orElseThrow();
        Peer node = StreamServers.node(config.get(ServeConfig.class));
        List<Peer> shards = shards(config, environment.client(), node);
        FileSeed.Origin origin = new FileSeed.Origin(node, shards, source.source(config));
        FileSeed.Made made = new FileSeed(origin, settings, names(config), environment).run(folder);
        return "ready: " + made.tables() + " tables up to transaction " + made.place() + "; what to type is in "
                + folder.resolve("README.txt");
    }

    private static List<Peer> shards(Config config, MysqlClient client, Peer node) {
        try (NodeStream stream = new NodeStream(client, node)) {
            ExtractorConfig extract = config.get(ExtractorConfig.class);
            return SeedShards.of(client, StreamServers.shards(stream.get(), extract.shards()), extract);
        }
    }

    /** The mapping of the configuration. */
    private static TableNames names(Config config) {
        ExtractorConfig extract = config.get(ExtractorConfig.class);
        return new TableNames(extract, new HiddenTables(extract.ddlHidden())::hides);
    }
}
