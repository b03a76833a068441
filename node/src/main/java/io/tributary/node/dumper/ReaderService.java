package io.tributary.node.dumper;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.ReadableFiles;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.ServerListener;
import io.tributary.node.status.ReadersStatus;
import io.tributary.serve.BinlogServer;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.ServeOptions;
import io.tributary.serve.ServedContent;
import io.tributary.serve.dump.DumpConfig;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.schema.SchemaProxy;
import io.tributary.serve.schema.SchemaProxyConfig;
import io.tributary.serve.schema.SchemaService;
import io.tributary.serve.schema.SchemaSource;
import io.tributary.serve.schema.ServeThreads;
import io.tributary.serve.select.SelectShards;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.statement.BinlogAdmin;
import io.tributary.serve.statement.NodeTables;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Server of readers: it opens once there is data that they may read, and stays open until the node ends. */
public final class ReaderService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderService.class);
    private static final int MOST_LOOPS = 4;
    private static final int MOST_WORKERS = 2;

    private final BinlogConfig binlog;
    private final ServeConfig serve;
    private final DumpConfig dumps;
    private final NodeTables node;
    private final NodeBackup backup;
    private final Metrics metrics;
    private final Clock clock;
    private final EventLoopGroup loops;
    private final EventExecutorGroup workers;
    private final SchemaProxyConfig schemas;
    private final Optional<SchemaProxy> schema;
    private final SelectShards selects;
    private final ServerListener listener;
    private volatile BinlogServer server;
    private boolean hasEnded;

    /**
     * Listens at once: readers that connect before there is data get an error that explains it.
     *
     * @param live the newest configuration: the logins of shards may change
     * @param node tables about the node that readers may query
     * @param backup contains files that are purged here
     * @throws TributaryException ADDRESS_UNUSABLE
     */
    public ReaderService(Supplier<Config> live, NodeTables node, NodeBackup backup, Metrics metrics, Clock clock) {
        Config config = live.get();
        this.binlog = config.get(BinlogConfig.class);
        this.serve = config.get(ServeConfig.class);
        this.dumps = config.get(DumpConfig.class);
        this.node = node;
        this.backup = backup;
        this.metrics = metrics;
        this.clock = clock;
        int threads = Math.min(MOST_LOOPS, Runtime.getRuntime().availableProcessors());
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("serve", true), NioIoHandler.newFactory());
        this.schemas = config.get(SchemaProxyConfig.class);
        this.workers = new DefaultEventExecutorGroup(MOST_WORKERS, new DefaultThreadFactory("serve-worker", true));
        ServeThreads both = new ServeThreads(loops, workers);
        this.schema = SchemaShard.proxy(live, both, clock);
        this.selects = SchemaShard.selects(live, both);
        this.listener = listener();
    }

    private ServerListener listener() {
        try {
            return ServerListener.open(
                    loops,
                    serve.listen().resolve(),
                    "Tributary has started and does not serve yet: its binlog is not recovered, or not acknowledged by"
                            + " followers (dumper.ack); try again");
        } catch (TributaryException e) {
            var unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            var unusedToo = workers.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw e;
        }
    }

    /** The address for readers. */
    InetSocketAddress address() {
        return listener.address();
    }

    public boolean isOpen() {
        return server != null;
    }

    /**
     * Opens the server, unless it is open or has ended, or nothing may be read yet.
     *
     * @param isCopy whether the files are copied from a leader
     * @param version server version in the greeting
     */
    public synchronized void open(BinlogFiles files, boolean isCopy, String version) {
        if (hasEnded || isOpen() || !files.isReadable()) {
            return;
        }
        server = new BinlogServer(
                new ServeOptions(
                        serve,
                        dumps,
                        serve.folder(binlog.directory()),
                        version,
                        binlog.fileSize().bytes()),
                new ServedContent(
                        new ReadableFiles(files, backup.archive(files.serverUuid()), isCopy),
                        node,
                        new SchemaService(
                                schema.isPresent() ? schema.get() : SchemaSource.NONE,
                                schemas.mode(),
                                schemas.result().bytes()),
                        Optional.of(selects)),
                listener,
                clock,
                metrics);
        schema.ifPresent(SchemaProxy::begin);
        LOG.info(
                "server of readers opened: address={}:{} users=\"{}\"",
                server.address().getHostString(),
                server.address().getPort(),
                server.users());
    }

    /** Finds a position in the binlog; fails while nothing is served. */
    public CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return ask(now -> now.find(goal));
    }

    /** Lists events of the binlog; fails while nothing is served. */
    public CompletableFuture<NodeTables.Table> events(BinlogAdmin.EventsWanted request) {
        return ask(now -> now.events(request));
    }

    private CompletableFuture<NodeTables.Table> ask(
            Function<BinlogServer, CompletableFuture<NodeTables.Table>> question) {
        BinlogServer now = server;
        if (now == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("the binlog is not open yet"));
        }
        try {
            return question.apply(now);
        } catch (TributaryException | SqlRefusal e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The address and the users that may log in. */
    public ReadersStatus status() {
        BinlogServer now = server;
        return now == null ? ReadersStatus.NOT_YET : new ReadersStatus(Optional.of(now.address()), now.users());
    }

    /** Disconnects all readers and accepts none. Called before close, from any thread, any number of times. */
    synchronized void end() {
        hasEnded = true;
        if (server != null) {
            server.close();
        }
        listener.close();
    }

    @Override
    public void close() {
        end();
        schema.ifPresent(SchemaProxy::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        var unused = workers.shutdownGracefully(0, 1, TimeUnit.SECONDS); // a look-up of a host name may not end at once
    }
}
