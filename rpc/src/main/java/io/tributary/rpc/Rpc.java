package io.tributary.rpc;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The gRPC connections between nodes: without encryption, or with mutual TLS; certificates are read again
 * when their files change. Every server also has the services of health and reflection. Any thread.
 */
public final class Rpc {
    private static final String CLOSED = "Network closed";

    private final Optional<PeerCertificates> certificates;
    private final Optional<String> name;
    private final SslContext server; // null without TLS
    private final SslContext client;

    private Rpc(GrpcTlsConfig config) {
        this.name = config.name();
        this.certificates = config.isEnabled() ? Optional.of(new PeerCertificates(config)) : Optional.empty();
        try {
            this.server = certificates.isEmpty() ? null : serverContext(certificates.get());
            this.client = certificates.isEmpty() ? null : clientContext(certificates.get());
        } catch (SSLException e) {
            throw new TributaryException(ErrorCode.TLS_UNUSABLE, "TLS between nodes cannot be set up: " + e, e);
        }
    }

    /** Without TLS. */
    public static Rpc plain() {
        return new Rpc(GrpcTlsConfig.NONE);
    }

    /**
     * As configured.
     *
     * @throws TributaryException TLS_UNUSABLE
     */
    public static Rpc of(GrpcTlsConfig config) {
        return new Rpc(config);
    }

    /**
     * As configured, for a node that runs: files that are being replaced, or have expired, must not end it.
     *
     * @throws TributaryException STREAM_BROKEN instead of TLS_UNUSABLE
     */
    public static Rpc whileRunning(GrpcTlsConfig config) {
        try {
            return of(config);
        } catch (TributaryException e) {
            throw new TributaryException(ErrorCode.STREAM_BROKEN, e.line(), e);
        }
    }

    private static SslContext serverContext(PeerCertificates own) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(own.identity())
                .trustManager(new PeerTrust(own))
                .clientAuth(ClientAuth.REQUIRE);
        return refreshed(builder, own);
    }

    private static SslContext clientContext(PeerCertificates own) throws SSLException {
        SslContextBuilder builder =
                SslContextBuilder.forClient().keyManager(own.identity()).trustManager(new PeerTrust(own));
        return refreshed(builder, own);
    }

    /** A context that checks the files before each connection. */
    private static SslContext refreshed(SslContextBuilder builder, PeerCertificates own) throws SSLException {
        SslContext context = GrpcSslContexts.configure(builder, SslProvider.JDK).build();
        return new DelegatingSslContext(context) {
            @Override
            protected void initEngine(SSLEngine engine) {
                own.refresh();
            }
        };
    }

    /** A server to add services to; it already has health and reflection. */
    public NettyServerBuilder server(InetSocketAddress listen) {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(listen);
        if (server != null) {
            builder.sslContext(server);
        }
        return builder.addService(new HealthStatusManager().getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance());
    }

    /** The same for calls that may be silent for long: after {@code keepAlive} without a message each side asks the other for a sign of life. */
    public NettyServerBuilder server(InetSocketAddress listen, Duration keepAlive) {
        return server(listen)
                .keepAliveTime(keepAlive.toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(keepAlive.toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveTime(keepAlive.toNanos() / 2, TimeUnit.NANOSECONDS);
    }

    /**
     * Starts a server.
     *
     * @param key the configuration key of the address, for the message
     * @throws TributaryException ADDRESS_UNUSABLE
     */
    public static Server start(Server server, String key, HostPort listen) {
        try {
            return server.start();
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.ADDRESS_UNUSABLE, "expected to listen at " + key + " = " + listen + ": " + e, e);
        }
    }

    /** Ends a server's calls and the server; waits for {@code timeout} at most. */
    public static void end(Server server, Duration timeout) {
        server.shutdownNow();
        try {
            server.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends a channel's calls and the channel; waits for {@code timeout} at most. */
    public static void end(ManagedChannel channel, Duration timeout) {
        channel.shutdownNow();
        try {
            channel.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A channel to another node. */
    public NettyChannelBuilder channel(HostPort address) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.resolve());
        if (client == null) {
            return builder.usePlaintext();
        }
        return builder.sslContext(client).overrideAuthority(name.orElse(address.host()));
    }

    /** The same; after {@code keepAlive} without a message it asks the other node for a sign of life. */
    public NettyChannelBuilder channel(HostPort address, Duration keepAlive) {
        return channel(address)
                .keepAliveTime(keepAlive.toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(keepAlive.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The problem with the files as they are now; empty if there is none. */
    public String problem() {
        return certificates.map(PeerCertificates::problem).orElse("");
    }

    /** The end of a call in one line; if TLS is the cause, with what this node expected and presented. */
    public String words(Status status) {
        StringBuilder text = new StringBuilder(status.getCode().toString());
        text.append(' ').append(firstLine(status.getDescription()));
        Throwable tls = null;
        boolean isClosed = false;
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (tls == null) { // deeper causes only repeat it
                text.append(" (").append(firstLine(cause.toString())).append(')');
            }
            tls = cause instanceof SSLException ? cause : tls;
            isClosed |= String.valueOf(cause.getMessage()).contains(CLOSED);
        }
        if (certificates.isPresent() && tls != null) {
            addExpectations(certificates.get(), text);
        } else if (certificates.isEmpty()
                && (isClosed || String.valueOf(status.getDescription()).contains(CLOSED))) {
            text.append("; this node uses no TLS: check whether the other node expects it (grpc.tls.*)");
        }
        return text.toString();
    }

    private static void addExpectations(PeerCertificates own, StringBuilder text) {
        if (text.indexOf(own.expected()) < 0) {
            text.append("; this node expects ").append(own.expected());
        }
        text.append("; it presents ")
                .append(own.own())
                .append(", and the other node's log shows what that one expects");
    }

    private static String firstLine(String text) {
        return String.valueOf(text).lines().findFirst().orElse("");
    }
}
