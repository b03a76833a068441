package io.tributary.extractor;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.config.ByteSize;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.extractor.stream.Extractor;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.store.PayloadStore;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** One extractor on the test's own thread, with a store in memory. */
public final class ExtractorRig implements AutoCloseable {
    public static final long SERVER_ID = 4711;
    public static final UUID CLUSTER = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final EventLoopGroup group = newGroup();
    private final PayloadStore store;
    private final Link<Token> link = new Link<>("tokens", 64, Clock.SYSTEM);
    private final Metrics metrics = new Metrics();
    private final Extractor extractor;
    private final GtidSet.Builder seen;

    private ExtractorRig(
            ShardConfig shard, ShardCut from, ExtractorConfig config, TableRegistry tables, ExtractOrder order) {
        this.store = MemoryStore.of(64, metrics);
        this.seen = from.resume().toBuilder();
        this.extractor = new Extractor(
                new ShardSource(0, shard, from),
                new ReplicationClient(config, CLUSTER, new MysqlClient(group), Clock.SYSTEM),
                new ExtractTarget(order, store, tables),
                link,
                metrics);
    }

    public static EventLoopGroup newGroup() {
        return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    /** A configuration with short pauses and a short idle timeout. */
    public static ExtractorConfig config() {
        ExtractorConfig usual = ExtractorConfig.of(SERVER_ID, Map.of());
        return new ExtractorConfig(
                SERVER_ID,
                new ByteSize(16 << 20),
                usual.queue(),
                Duration.ofMillis(700),
                Duration.ofMillis(1),
                Duration.ofMillis(50),
                List.of("mysql", "sys", "performance_schema", "information_schema", "hidden"),
                AccountFilter.DROP,
                usual.ddlHidden(),
                Map.of(),
                Map.of());
    }

    /** A shard without TLS, so that a proxy cuts and flips the bytes of the stream itself. */
    public static ShardConfig shard(int port) {
        MysqlUser user = MysqlUser.tributary();
        ShardConfig usual = ShardConfig.of("127.0.0.1", port, user.name(), user.password());
        return new ShardConfig(
                new ShardServers(usual.host(), port, List.of(), usual.servers().rounds()),
                new ShardLogin(
                        user.name(),
                        usual.login().password(),
                        TlsMode.DISABLED,
                        usual.login().tlsAuthorities(),
                        usual.login().connectTimeout()),
                usual.start(),
                usual.skipAnonymous());
    }

    public static ShardCut cut(GtidSet executed) {
        return ShardCut.unread("s1", "", executed, executed);
    }

    public static GtidSet executed(MysqlServer server) throws SQLException {
        return GtidSet.parse(server.gtidExecuted());
    }

    /** Reads everything that the server executes from now on. */
    public static ExtractorRig afterNow(MysqlServer server) throws SQLException {
        return after(executed(server), server.port());
    }

    public static ExtractorRig after(GtidSet executed, int port) {
        return after(executed, port, config -> config);
    }

    public static ExtractorRig after(GtidSet executed, int port, UnaryOperator<ExtractorConfig> change) {
        return new ExtractorRig(
                shard(port), cut(executed), change.apply(config()), new TableRegistry(0), ExtractOrder.xa());
    }

    /** An extractor in another order. */
    public static ExtractorRig of(ShardConfig shard, ShardCut from, ExtractOrder order) {
        return new ExtractorRig(shard, from, config(), new TableRegistry(0), order);
    }

    public static ExtractorRig of(ShardConfig shard, ShardCut from) {
        return new ExtractorRig(shard, from, config(), new TableRegistry(0), ExtractOrder.xa());
    }

    /** Reads tokens until everything that the server has executed was seen. */
    public List<SeenToken> readAll(MysqlServer server) throws SQLException {
        return readUntil(executed(server));
    }

    List<SeenToken> readUntil(GtidSet executed) {
        List<SeenToken> tokens = new ArrayList<>();
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!seen.build().containsAll(executed)) {
            int done = extractor.doWork();
            for (Token token = link.poll(); token != null; token = link.poll()) {
                seen.add(token.sid(), token.gno());
                tokens.add(SeenToken.take(token));
                done++;
            }
            if (done == 0) {
                LockSupport.parkNanos(50_000);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "timed out waiting for " + executed.minus(seen.build()).line() + ", seen " + tokens);
            }
        }
        return tokens;
    }

    /** Reads until the shard is held, and returns why; tokens that arrive meanwhile are ignored. */
    String readUntilHeld() {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (extractor.held().isEmpty()) {
            if (extractor.doWork() == 0) {
                LockSupport.parkNanos(50_000);
            }
            for (Token token = link.poll(); token != null; token = link.poll()) {
                seen.add(token.sid(), token.gno());
                SeenToken.take(token);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("timed out waiting for a held shard, seen "
                        + seen.build().line());
            }
        }
        return extractor.held();
    }

    String held() {
        return extractor.held();
    }

    public String scrape() {
        return metrics.scrape();
    }

    @Override
    public void close() {
        extractor.close();
        for (Token token = link.poll(); token != null; token = link.poll()) {
            SeenToken.take(token);
        }
        store.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
