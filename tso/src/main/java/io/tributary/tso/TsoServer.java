package io.tributary.tso;

import io.grpc.Server;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.rpc.Rpc;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The TSO service with its file, its event loop and its address. */
public final class TsoServer implements AutoCloseable {
    /** How many times in the length of a lease the leases are checked. */
    private static final int CHECKS = 20;

    private final HighWaterFile file;
    private final Metrics metrics;
    private final EventLoopGroup loop;
    private final Server server;

    private TsoServer(HighWaterFile file, TsoConfig config, Metrics metrics, Clock clock) {
        this.file = file;
        this.metrics = metrics;
        TsoSequence sequence = new TsoSequence(file, clock, config.ahead(), config.clockJump());
        TsoService service = new TsoService(config, sequence, clock, metrics);
        this.loop =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("tso", true), NioIoHandler.newFactory());
        this.server = Rpc.of(config.tls())
                .server(config.listen().resolve())
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .channelType(NioServerSocketChannel.class)
                .directExecutor()
                .addService(service)
                .build();
        long nanos = Math.max(TimeUnit.MILLISECONDS.toNanos(1), config.lease().toNanos() / CHECKS);
        var unused = loop.scheduleWithFixedDelay(service::expireLeases, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Locks the folder and listens.
     *
     * @param metrics closed with it
     * @throws TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE, TSO_MARK_DAMAGED, TSO_CLOCK_UNUSABLE, ADDRESS_UNUSABLE
     */
    public static TsoServer open(TsoConfig config, Metrics metrics, Clock clock) {
        HighWaterFile file = HighWaterFile.open(config.directory());
        TsoServer opened = null;
        try {
            TsoServer server = new TsoServer(file, config, metrics, clock);
            try {
                Rpc.start(server.server, "tso.listen", config.listen());
                opened = server;
            } catch (TributaryException e) {
                var ended = server.loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
                ended.awaitUninterruptibly(2, TimeUnit.SECONDS);
                throw e;
            }
        } finally {
            if (opened == null) {
                file.close();
                metrics.close();
            }
        }
        return opened;
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** Ends all calls; a client that waits for a turn gets none. */
    @Override
    public void close() {
        Rpc.end(server, Duration.ofSeconds(2));
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
        file.close();
        metrics.close();
    }
}
