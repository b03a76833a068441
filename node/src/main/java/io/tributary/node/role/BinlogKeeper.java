package io.tributary.node.role;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.PurgeConfig;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.dumper.RefusalNote;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.schema.SchemaProxy;
import io.tributary.dumper.schema.SchemaSource;
import io.tributary.dumper.serve.BinlogServer;
import io.tributary.dumper.serve.DumpConfig;
import io.tributary.dumper.serve.NodeTables;
import io.tributary.dumper.serve.ServeConfig;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the binlog files and all that lives as long as the node holds it: lock, server of readers. Pipelines that write
 * come and go within it.
 */
final class BinlogKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogKeeper.class);
    private static final int MOST_LOOPS = 4;

    private final BinlogConfig config;
    private final boolean learnsVersion;
    private final ServeConfig serve;
    private final DumpConfig dumps;
    private final PurgeConfig purge;
    private final NodeBackup backup;
    private final Metrics metrics;
    private final Clock clock;
    private final NodeTables node;
    private final BinlogDirectory directory;
    private final EventLoopGroup loops;
    private final Optional<SchemaProxy> schema;
    private BinlogFiles files; // those of the first recovery, kept for the readers
    private volatile BinlogServer server;
    private volatile Serving serving;

    /** What is served now, for the status. */
    private record Serving(BinlogFiles files, CutWatch cuts, BinlogServer server) {}

    /**
     * Takes the folder.
     *
     * @param node what readers may ask of the rest of the node
     * @throws io.tributary.common.error.TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE
     */
    BinlogKeeper(Config config, NodeTables node, Metrics metrics, Clock clock) {
        this.config = config.get(BinlogConfig.class);
        this.learnsVersion = this.config.serverVersion().isEmpty();
        this.serve = config.get(ServeConfig.class);
        this.dumps = config.get(DumpConfig.class);
        this.purge = config.get(PurgeConfig.class);
        this.backup = new NodeBackup(config);
        this.metrics = metrics;
        this.clock = clock;
        this.node = node;
        this.directory = BinlogDirectory.open(this.config, clock, backup::fill);
        int threads = Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors());
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("serve", true), NioIoHandler.newFactory());
        this.schema = SchemaShard.proxy(config, loops, clock);
    }

    /** The UUID of the GTIDs in the files. */
    UUID uuid() {
        return directory.serverUuid();
    }

    /**
     * Cuts the files off behind the last durable cut, and serves readers up to there. No pipeline may be writing. Readers that are
     * there already read on.
     *
     * @param version asked for the server version to name where neither configuration nor files say it; null for not known
     */
    Recovered recover(Supplier<String> version) {
        BinlogConfig named =
                learnsVersion ? named(directory.newestVersion().or(() -> Optional.ofNullable(version.get()))) : config;
        Recovered found = Recovery.run(directory, named, clock);
        DurableEnd end = found.files().durableEnd();
        LOG.info(
                "binlog: {} files in {}, ends at {}:{} behind transaction {}",
                found.files().list().size(),
                directory.path(),
                end.file(),
                end.offset(),
                end.gno());
        if (server != null) {
            return found.into(files);
        }
        files = found.files();
        server = new BinlogServer(
                serve,
                dumps,
                serve.folder(config.directory()),
                named.version(),
                files,
                backup.archive(directory.path(), directory.serverUuid(), metrics),
                node,
                schema.isPresent() ? schema.get() : SchemaSource.NONE,
                loops,
                clock,
                metrics);
        schema.ifPresent(SchemaProxy::begin);
        LOG.info(
                "serves readers on {}:{}, {}",
                server.address().getHostString(),
                server.address().getPort(),
                server.users());
        return found;
    }

    private BinlogConfig named(Optional<String> version) {
        return version.map(config::withVersion).orElse(config);
    }

    /**
     * Makes the stages that write behind what was recovered.
     *
     * @param version what new files name where the configuration does not say it; empty: as the transactions do
     */
    WritePipeline write(Recovered recovered, Inlet<Chunk> chunks, Optional<String> version) {
        BinlogConfig named = learnsVersion ? named(version) : config;
        CutWatch cuts = new CutWatch(chunks, recovered.resume());
        WritePipeline pipeline =
                new WritePipeline(named, purge, backup, directory, recovered, cuts, metrics.child(), clock);
        serving = new Serving(files, cuts, server);
        return pipeline;
    }

    /** Notes beside the binlog which transaction a failure refuses, before it is passed on. */
    FailureSink noting(FailureSink failure) {
        return cause -> {
            new RefusalNote(directory).note(cause);
            failure.failed(cause);
        };
    }

    /** Number of the newest cut that is durable; 0 before anything is served. */
    long durableCut() {
        Serving now = serving;
        return now == null ? 0 : now.files.durableEnd().cut();
    }

    /** Looks for a place in the binlog; fails while there is nothing served. */
    CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        BinlogServer now = server;
        if (now == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("the binlog is not open yet"));
        }
        try {
            return now.find(goal);
        } catch (TributaryException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What there is, for the status. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        Serving now = serving;
        if (now == null) {
            return facts;
        }
        DurableEnd end = now.files.durableEnd();
        InetSocketAddress address = now.server.address();
        facts.put("serves", address.getHostString() + ":" + address.getPort());
        facts.put("serves.to", now.server.users());
        facts.put("server.uuid", now.files.serverUuid().toString());
        facts.put("binlog", end.file() + ":" + end.offset());
        facts.put("gtid.executed", now.files.executed().line());
        facts.put("gtid.purged", now.files.purged().line());
        now.cuts.durable().ifPresent(cut -> addCut(facts, cut));
        return facts;
    }

    private static void addCut(Map<String, String> facts, Cut cut) {
        facts.put("cut", cut.number() + " of epoch " + cut.epoch());
        for (Cut.ShardCut shard : cut.shards()) {
            facts.put("frontier." + shard.name(), shard.frontier().line());
            facts.put("position." + shard.name(), shard.file() + ":" + shard.offset());
            if (!shard.leftOut().isEmpty()) {
                facts.put("left.out." + shard.name(), shard.leftOut().line());
            }
        }
    }

    /** Ends all readers and gives the folder back; no pipeline may be writing. */
    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        schema.ifPresent(SchemaProxy::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        directory.close();
        backup.close();
    }
}
