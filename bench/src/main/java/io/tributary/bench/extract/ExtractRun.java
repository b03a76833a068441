package io.tributary.bench.extract;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.bench.source.SourceProcess;
import io.tributary.bench.stage.Settings;
import io.tributary.bench.stage.StageThreads;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.extractor.ExtractOrder;
import io.tributary.extractor.ExtractTarget;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ReplicationClient;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardSource;
import io.tributary.extractor.TableRegistry;
import io.tributary.extractor.stream.Extractor;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.store.PayloadStore;
import io.tributary.store.StoreConfig;
import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlUser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A run of one extractor over the source's first shard, from its first event to its last. */
final class ExtractRun {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int LINK_TOKENS = 8192;

    private final SourceProcess source;
    private final UUID server;
    private final long transactions;
    private final OrderMode order;

    /**
     * @param server the shard's UUID
     * @param transactions number of its transactions
     * @param order order of the tokens
     */
    ExtractRun(SourceProcess source, UUID server, long transactions, OrderMode order) {
        this.source = source;
        this.server = server;
        this.transactions = transactions;
        this.order = order;
    }

    /**
     * The result of one run.
     *
     * @param usage usage of the threads {@code extract-...}, {@code network} and {@code drain}
     */
    record Outcome(double seconds, StageThreads.Usage usage) {
        double extractSeconds() {
            return usage.cpuSeconds("extract");
        }

        double networkSeconds() {
            return usage.cpuSeconds("network");
        }
    }

    Outcome run() {
        source.reset();
        String name = source.shards().get(0);
        Link<Token> link = new Link<>("extract", LINK_TOKENS, Clock.SYSTEM);
        TokenDrain drain = new TokenDrain(link);
        StageThreads threads = new StageThreads();
        EventLoopGroup network =
                new MultiThreadIoEventLoopGroup(1, threads.named("network"), NioIoHandler.newFactory());
        try (Metrics metrics = new Metrics();
                PayloadStore store = new PayloadStore(
                        Settings.of(StoreConfig.class, Map.of("store.mode", "memory", "store.memory", "256MiB")),
                        metrics)) {
            try (threads) {
                threads.alone(extractor(name, store, link, new MysqlClient(network), metrics));
                threads.alone(drain);
                long begin = Clock.SYSTEM.nanoTime();
                threads.start();
                Await.until(() -> "all tokens, found " + drain.tokens(), LIMIT, () -> {
                    threads.check();
                    return drain.tokens() == transactions;
                });
                return new Outcome((Clock.SYSTEM.nanoTime() - begin) / 1e9, threads.usage());
            }
        } finally {
            network.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private ExtractOrder extractOrder(ShardCut from) {
        return switch (order) {
            case XA -> ExtractOrder.xa();
            case TSO ->
                ExtractOrder.tso(OrderConfig.XA.markerTable(), LIMIT, Cut.beginning(List.of(from)), new RoundRequest());
        };
    }

    private Extractor extractor(
            String name, PayloadStore store, Link<Token> link, MysqlClient client, Metrics metrics) {
        MysqlUser user = MysqlUser.tributary();
        ShardConfig shard = ShardConfig.of("127.0.0.1", source.port(name), user.name(), user.password());
        ShardCut from = ShardCut.unread(name, server.toString(), GtidSet.EMPTY, GtidSet.EMPTY);
        return new Extractor(
                new ShardSource(0, shard, from),
                new ReplicationClient(
                        ExtractorConfig.of(4711, Map.of(name, shard)), new UUID(1, 2), client, Clock.SYSTEM),
                new ExtractTarget(extractOrder(from), store, new TableRegistry(0)),
                link,
                metrics);
    }
}
