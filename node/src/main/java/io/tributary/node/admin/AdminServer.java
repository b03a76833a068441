package io.tributary.node.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.ByteBudget;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.tls.TlsFiles;
import io.tributary.node.console.Audience;
import io.tributary.node.console.ConsoleFiles;
import io.tributary.node.console.EventStreams;
import io.tributary.node.console.MemberTrust;
import io.tributary.node.console.PeerStates;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of the admin endpoint, for operators of this machine. It answers GET of /console/, /metrics, /status, /xa, /ddl, /find, /verify,
 * /health, /health/live, /health/ready, /shards, /config, /threads and /log,
 * and POST to /reload and to pages under /shards and /ddl.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int MAX_REQUEST = 16 << 10;
    private static final int MAX_LINE = 64 << 10; // it may contain a statement
    private static final int MAX_HEADERS = 8 << 10;
    private static final int MAX_CHUNK = 8 << 10;
    private static final long ANSWER_BYTES = 16 << 20; // of all connections together
    private static final int MOST_STREAMS = 16; // pages of the console that are open at the same time

    private final EventLoopGroup loop;
    private final Channel channel;

    private AdminServer(EventLoopGroup loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    /**
     * Opens the server and listens.
     *
     * @param config the address, the limits and the login
     * @param metrics read for each request
     * @param node called for each request, by the server's thread
     * @param reloading called by the server's thread
     * @throws TributaryException ADDRESS_UNUSABLE if it cannot listen there, TLS_UNUSABLE
     */
    public static AdminServer open(AdminConfig config, Metrics metrics, NodeView node, ConfigReload reloading) {
        HostPort listen = config.listen();
        warnIfUnprotected(config);
        EventLoopGroup loop =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("admin", true), NioIoHandler.newFactory());
        Connections connections = connections(config, metrics, node, reloading, loop);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(connections);
        ChannelFuture bound = bootstrap.bind(listen.resolve()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            shutDown(loop);
            throw new TributaryException(
                    ErrorCode.ADDRESS_UNUSABLE,
                    "admin.listen: cannot listen on " + listen + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return new AdminServer(loop, bound.channel());
    }

    private static Connections connections(
            AdminConfig config, Metrics metrics, NodeView node, ConfigReload reloading, EventLoopGroup loop) {
        Connections made = null;
        try {
            ByteBudget budget = new ByteBudget(ANSWER_BYTES);
            int streams = Math.min(MOST_STREAMS, Math.max(1, config.connections() / 2));
            CertificateWatch certificate = new CertificateWatch(config.access().certificate(), Clock.SYSTEM);
            Audience everyone = config.access().user().isPresent() ? Audience.VIEWER : Audience.OPERATOR;
            ConsoleFeed feed = new ConsoleFeed(
                    node,
                    metrics,
                    certificate,
                    new EventStreams(streams, budget),
                    new PeerStates(everyone, trust(config, node), loop.next()));
            ConsolePages console = new ConsolePages(
                    new ConsoleFiles(),
                    feed,
                    node,
                    new RowPages(node, config.access().showsRows()));
            made = new Connections(config, budget, limits -> new AdminPages(limits, metrics, node, reloading, console));
            var unused =
                    loop.next().scheduleWithFixedDelay(feed::tick, 0, ConsoleFeed.PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return made;
        } finally {
            if (made == null) {
                shutDown(loop); // unusable TLS files
            }
        }
    }

    /** Members have certificates of the cluster's CA, or of the CA of this node's own certificate, which may be that of all. */
    private static MemberTrust trust(AdminConfig config, NodeView node) {
        return new MemberTrust(Stream.concat(node.authority().stream(), config.access().certificate().stream())
                .toList());
    }

    private static void warnIfUnprotected(AdminConfig config) {
        boolean hasLogin = config.access().user().isPresent();
        boolean hasTls = config.access().certificate().isPresent();
        if (!config.listen().resolve().getAddress().isLoopbackAddress() && !(hasLogin && hasTls)) {
            LOG.warn(
                    "admin endpoint not protected: admin.listen={} reason=\"not a loopback address: clients that reach it"
                            + " can read status, metrics and undecided transactions{}\" action=\"set {}, or listen on"
                            + " loopback\"",
                    config.listen(),
                    hasLogin ? ", and passwords are sent to it without encryption" : "",
                    hasLogin
                            ? "admin.tls.certificate and admin.tls.key"
                            : hasTls ? "admin.user and admin.password" : "admin.user, admin.password and admin.tls.*");
        }
    }

    /** Initializes each connection. A connection has one answer at a time, so that further requests of a client stay in its socket. */
    private static final class Connections extends ChannelInitializer<SocketChannel> {
        private final AtomicInteger open = new AtomicInteger();
        private final ByteBudget budget;
        private final AdminConfig config;
        private final Function<AdminLimits, AdminPages> pages;
        private final HostCheck hosts;
        private final Optional<TlsFiles> tls;

        Connections(AdminConfig config, ByteBudget budget, Function<AdminLimits, AdminPages> pages) {
            this.config = config;
            this.budget = budget;
            this.pages = pages;
            List<String> names = new ArrayList<>(config.hosts());
            names.add(config.listen().host());
            this.hosts = new HostCheck(names);
            AdminAccess access = config.access();
            this.tls = access.certificate()
                    .map(certificate -> new TlsFiles(certificate, access.key().orElseThrow(), Optional.empty()));
        }

        @Override
        protected void initChannel(SocketChannel socket) {
            boolean isOneTooMany = open.incrementAndGet() > config.connections();
            socket.closeFuture().addListener(closed -> open.decrementAndGet());
            if (isOneTooMany) {
                var unused = socket.close(); // nothing waits for it
                return;
            }
            tls.ifPresent(files -> {
                files.refresh();
                socket.pipeline().addLast(files.context().newHandler(socket.alloc()));
            });
            socket.pipeline()
                    .addLast(new WriteTimeoutHandler(config.timeout().toMillis(), TimeUnit.MILLISECONDS))
                    .addLast(new HttpServerCodec(MAX_LINE, MAX_HEADERS, MAX_CHUNK))
                    .addLast(new HttpObjectAggregator(MAX_REQUEST))
                    .addLast(new ChunkedWriteHandler())
                    .addLast(pages.apply(new AdminLimits(hosts, config.access(), budget, config.timeout())));
        }
    }

    /** The address at which it listens, with the actual port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown(loop);
    }

    private static void shutDown(EventLoopGroup loop) {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
