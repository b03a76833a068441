package io.tributary.mysql.protocol.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Opens connections to MySQL servers on a given event loop group, which it does not own. */
public final class MysqlClient {
    static final String PACKETS = "packets";
    static final String COMMANDS = "commands";

    /** The largest payload that MySQL allows. */
    static final int MAX_PAYLOAD = 1 << 30;

    static final int LEAST_READ = 1 << 12;
    static final int MOST_READ = 1 << 19;

    private final EventLoopGroup group;
    private final AddressResolverGroup<InetSocketAddress> resolvers;

    /**
     * A client that looks up host names on its event loops, which waits there for the answer of a name server.
     *
     * @param group a group with NIO transport; one thread is sufficient for many shards
     */
    public MysqlClient(EventLoopGroup group) {
        this(group, DefaultAddressResolverGroup.INSTANCE);
    }

    /**
     * A client whose event loops never wait for a name server.
     *
     * @param lookups threads that look up host names; not owned
     */
    public MysqlClient(EventLoopGroup group, EventExecutorGroup lookups) {
        this(group, new HostLookups(lookups));
    }

    private MysqlClient(EventLoopGroup group, AddressResolverGroup<InetSocketAddress> resolvers) {
        this.group = group;
        this.resolvers = resolvers;
    }

    /**
     * Connects and logs in. The future fails with {@link MysqlServerError} if the server refuses the login (1045: wrong password),
     * and with a {@link TributaryException}: {@link ErrorCode#SHARD_UNREACHABLE} if there is no answer within the endpoint's
     * connect timeout or TLS fails, {@link ErrorCode#PROTOCOL_VIOLATED} if the peer is not a MySQL server. It completes on an
     * event loop: do not block there.
     */
    public CompletableFuture<MysqlConnection> connect(Endpoint endpoint) {
        return connect(endpoint, MOST_READ);
    }

    /**
     * As above, with a limit of the buffer.
     *
     * @param mostRead maximum bytes that are received into one buffer; 4 KiB or more. With less than 512 KiB the event loop serves its other
     *     connections after each buffer
     */
    public CompletableFuture<MysqlConnection> connect(Endpoint endpoint, int mostRead) {
        CompletableFuture<MysqlConnection> connected = new CompletableFuture<>();
        int timeoutMillis =
                (int) Math.min(Integer.MAX_VALUE, endpoint.connectTimeout().toMillis());
        AdaptiveRecvByteBufAllocator buffers = new AdaptiveRecvByteBufAllocator(LEAST_READ / 4, LEAST_READ, mostRead);
        if (mostRead < MOST_READ) {
            buffers.maxMessagesPerRead(1);
        }
        new Bootstrap()
                .group(group)
                .resolver(resolvers)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, buffers)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.max(1, timeoutMillis))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        begin(channel, endpoint, connected);
                    }
                })
                .connect(endpoint.host(), endpoint.port())
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        connected.completeExceptionally(unreachable(endpoint, done.cause()));
                    }
                });
        return connected;
    }

    private static void begin(Channel channel, Endpoint endpoint, CompletableFuture<MysqlConnection> connected) {
        PacketSequence sequence = new PacketSequence(false);
        channel.pipeline()
                .addLast(PACKETS, new PacketDecoder(MAX_PAYLOAD, sequence))
                .addLast(COMMANDS, new ClientLogin(endpoint, sequence, connected));
        var expiry = channel.eventLoop()
                .schedule(
                        () -> {
                            if (connected.completeExceptionally(new TributaryException(
                                    ErrorCode.SHARD_UNREACHABLE,
                                    "expected a login at " + endpoint + " within " + endpoint.connectTimeout()
                                            + ", found no answer"))) {
                                Outbound.close(channel);
                            }
                        },
                        endpoint.connectTimeout().toMillis(),
                        TimeUnit.MILLISECONDS);
        var unused = connected.whenComplete((connection, failure) -> expiry.cancel(false));
    }

    static TributaryException unreachable(Endpoint endpoint, Throwable cause) {
        return new TributaryException(
                ErrorCode.SHARD_UNREACHABLE, "cannot connect to " + endpoint + ": " + cause.getMessage(), cause);
    }
}
