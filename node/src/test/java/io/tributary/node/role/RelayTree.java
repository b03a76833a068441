package io.tributary.node.role;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.Token;
import io.tributary.merger.MergeLinks;
import io.tributary.merger.MergeTree;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.node.process.Failures;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import io.tributary.testkit.Await;
import io.tributary.testkit.order.NamedTables;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.StreamLimits;
import io.tributary.transmitter.StreamSource;
import io.tributary.transmitter.TokenReceiver;
import io.tributary.transmitter.TokenSource;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.transmitter.TransmitServer;
import io.tributary.transmitter.token.PayloadReader;
import io.tributary.transmitter.token.TokenChunkReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** One node of a tree of merging nodes, in one process with real streams between them: it reads shards, and relays below it. */
final class RelayTree implements AutoCloseable {
    private static final StreamIdentity IDENTITY = new StreamIdentity("c", "main");
    private static final String SETTINGS = "server.id=1";
    private static final int BETWEEN_MERGERS = 16;
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(30);

    private final Source source;
    private final String name;
    private final List<RelayTree> relays;
    private final Set<String> shards = new TreeSet<>();
    private final SplittableRandom random;
    private final TransmitServer server;
    private final TcpProxy proxy;

    /** Source of the shards' tokens. */
    interface Source {
        PayloadStore store();

        /**
         * Reads one shard.
         *
         * @param index of the shard in the cut
         * @param demand notified of the content that rounds must have
         */
        Stage feed(int index, Cut from, Outlet<Token> out, RoundRequest demand);

        static String shardName(int shard) {
            return "s%03d".formatted(shard);
        }

        static int shard(Cut.ShardCut cut) {
            return Integer.parseInt(cut.name().substring(1));
        }

        static PayloadStore newStore(Path directory) {
            return new PayloadStore(
                    new StoreConfig(
                            new StoreMemory(new ByteSize(1 << 28), new ByteSize(1 << 16)),
                            new SpillLimits(new ByteSize(1 << 28), new ByteSize(1 << 28), 90, new ByteSize(1 << 28)),
                            new ByteSize(1 << 28),
                            directory,
                            StoreMode.MEMORY),
                    new Metrics());
        }

        /** An arbitrary event. */
        static ByteBuffer event(long seed, int length) {
            byte[] text = new byte[length];
            new SplittableRandom(seed).nextBytes(text);
            ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(0, 0, length));
            QueryEvent.write(
                    event, 0, new EventOrigin(1, 1), new LoggedStatement(0, 1, new byte[0], new byte[0], text));
            return event;
        }
    }

    /**
     * @param direct shards that this node reads itself
     * @param relays below it
     */
    RelayTree(Source source, String name, List<Integer> direct, List<RelayTree> relays, SplittableRandom random) {
        this.source = source;
        this.name = name;
        this.relays = relays;
        this.random = random;
        direct.forEach(shard -> shards.add(Source.shardName(shard)));
        relays.forEach(relay -> shards.addAll(relay.shards));
        this.server = new TransmitServer(config(0), IDENTITY, new Offer(), new Metrics(), Clock.SYSTEM);
        this.proxy = TcpProxy.to(server.port());
    }

    private static TransmitConfig config(int port) {
        HostPort address = new HostPort("127.0.0.1", port);
        ByteSize size = new ByteSize(1 << 20);
        return new TransmitConfig(
                address,
                address,
                "main",
                new StreamLimits(new ByteSize(100_000), size, size, Duration.ofSeconds(10)),
                GrpcTlsConfig.NONE);
    }

    /** The stream between this node and the one above. */
    TcpProxy proxy() {
        return proxy;
    }

    private final class Offer implements TokenSource {
        @Override
        public Set<String> shards() {
            return shards;
        }

        @Override
        public String settings() {
            return SETTINGS;
        }

        @Override
        public StreamSource.Running open(
                Start start, RoundRequest demand, Outlet<Token> sink, Stage sender, StreamSource.Failure failure) {
            return run(start.cut(), demand, sink, List.of(sender), failure);
        }
    }

    /** Runs this node with a sink. */
    Run run(Cut from, RoundRequest demand, Outlet<Token> sink, List<Stage> more, StreamSource.Failure failure) {
        AtomicBoolean broken = new AtomicBoolean();
        StageRunner runner = new StageRunner((stage, cause) -> {
            broken.set(true);
            failure.failed(Failures.of(stage.name(), cause));
        });
        Metrics metrics = new Metrics();
        List<Link<Token>> links = new ArrayList<>();
        List<Stage> feeds = new ArrayList<>();
        Set<String> relayed = new HashSet<>();
        relays.forEach(relay -> relayed.addAll(relay.shards));
        for (int index = 0; index < from.shards().size(); index++) {
            if (!relayed.contains(from.shards().get(index).name())) {
                Link<Token> link = new Link<>("shard", 1 + random.nextInt(20), Clock.SYSTEM);
                links.add(link);
                feeds.add(source.feed(index, from, link, demand));
            }
        }
        for (RelayTree relay : relays) {
            if (relay.upstream(from).shards().indexes().length == 0) {
                continue;
            }
            Link<Token> link = new Link<>(relay.name, 1 + random.nextInt(20), Clock.SYSTEM);
            links.add(random.nextInt(links.size() + 1), link);
            TokenReceiver.Upstream upstream = relay.upstream(from);
            PayloadReader payload = new PayloadReader(
                    source.store().appender(relay.name),
                    (view, at, end, physical) ->
                            NamedTables.table(1, TableMapEvent.schema(view, at), TableMapEvent.table(view, at)));
            runner.onOwnThread(new TokenReceiver(
                    config(0),
                    upstream,
                    link,
                    new TokenChunkReader(
                            upstream.shards().from().shards(), upstream.shards().indexes(), payload, demand),
                    metrics));
        }
        int fanIn = 2 + random.nextInt(20);
        MergeTree tree =
                MergeTree.of(links, sink, new MergeLinks(fanIn, BETWEEN_MERGERS, Clock.SYSTEM), demand, metrics);
        List<Stage> merge = new ArrayList<>(tree.stages());
        merge.addAll(more);
        runner.onOneThread(merge);
        if (!feeds.isEmpty()) {
            runner.onOneThread(feeds);
        }
        runner.start();
        return new Run(runner, broken, tree, links, fanIn, metrics, demand);
    }

    /** This node while it runs. */
    final class Run implements StreamSource.Running {
        private final StageRunner runner;
        private final AtomicBoolean broken;
        private final MergeTree merge;
        private final List<Link<Token>> links;
        private final int betweenMergers;
        private final Metrics metrics;
        private final RoundRequest demand;

        private Run(
                StageRunner runner,
                AtomicBoolean broken,
                MergeTree merge,
                List<Link<Token>> links,
                int fanIn,
                Metrics metrics,
                RoundRequest demand) {
            this.runner = runner;
            this.broken = broken;
            this.merge = merge;
            this.links = links;
            int levels = 0;
            for (int sources = links.size(); sources > fanIn; sources = (sources + fanIn - 1) / fanIn) {
                levels++;
            }
            this.betweenMergers = levels * BETWEEN_MERGERS;
            this.metrics = metrics;
            this.demand = demand;
        }

        /** The highest number of tokens of one shard that were merged and have not reached the sink. */
        int betweenMergers() {
            return betweenMergers;
        }

        /**
         * Reads one more shard in this node, the last one of the cut. Returns when the merger reads it, or when the stream is broken: the next
         * stream has the shard from its start.
         */
        void join(Cut cut) {
            Link<Token> link = new Link<>("shard", 1 + random.nextInt(20), Clock.SYSTEM);
            links.add(link);
            Stage feed = source.feed(cut.shards().size() - 1, cut, link, demand);
            try {
                runner.startLater(feed);
            } catch (IllegalStateException e) {
                Await.until("the stream to report why it ended", JOIN_LIMIT, broken::get);
                return;
            }
            Await.until("a token of the shard that joins", JOIN_LIMIT, () -> link.depth() > 0 || broken.get());
            CompletableFuture<Void> added = merge.add(link);
            Await.until("the merger to read the shard that joins", JOIN_LIMIT, () -> added.isDone() || broken.get());
        }

        @Override
        public void close() {
            runner.close();
            links.forEach(RelayTree::release);
            metrics.close();
        }
    }

    /** Releases tokens that were put after the merger had ended: feeds and receivers have their own threads. */
    private static void release(Link<Token> link) {
        for (Token token = link.poll(); token != null; token = link.poll()) {
            if (token.payload() != null) {
                token.payload().release();
            }
        }
    }

    private TokenReceiver.Upstream upstream(Cut from) {
        List<Cut.ShardCut> part = from.shards().stream()
                .filter(shard -> shards.contains(shard.name()))
                .toList();
        int[] indexes = part.stream().mapToInt(from.shards()::indexOf).toArray();
        Cut cut = new Cut(
                1,
                1,
                new Cut.Sources(part, Set.of()),
                new Cut.OutputPoint(0, 0, from.tso()),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        return new TokenReceiver.Upstream(
                name,
                new HostPort("127.0.0.1", proxy.port()),
                IDENTITY,
                SETTINGS,
                TokenReceiver.RelayedShards.of(cut, indexes));
    }

    @Override
    public void close() {
        server.close();
        proxy.close();
        relays.forEach(RelayTree::close);
    }

    /** The form for messages of failing tests. */
    @Override
    public String toString() {
        return name + shards.stream().collect(Collectors.joining(",", "(", ")")) + relays;
    }
}
