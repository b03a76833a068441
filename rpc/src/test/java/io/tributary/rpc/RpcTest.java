package io.tributary.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that authenticate each other over real connections, with certificates of two CAs. */
class RpcTest {
    @TempDir
    static Path folder;

    private static GrpcTlsConfig first;
    private static GrpcTlsConfig second;
    private static GrpcTlsConfig stranger;
    private static GrpcTlsConfig impostor;
    private static GrpcTlsConfig expired;

    private Server server;

    @BeforeAll
    static void certificates() throws Exception {
        TestAuthorities all = new TestAuthorities(folder);
        Path ours = all.authority("ours");
        Path theirs = all.authority("theirs");
        first = all.node("first", "ours", ours);
        second = all.node("second", "ours", ours);
        stranger = all.node("stranger", "theirs", theirs);
        impostor = all.node("impostor", "theirs", ours);
        expired = all.node("expired", "ours", ours, "-startdate", "-10d", "-validity", "3");
    }

    @AfterEach
    void close() throws Exception {
        if (server != null) {
            server.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    private int serve(GrpcTlsConfig config) throws Exception {
        server = Rpc.of(config)
                .server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start();
        return server.getPort();
    }

    private static ServingStatus ask(ManagedChannel channel) throws Exception {
        try {
            return HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.getDefaultInstance())
                    .getStatus();
        } finally {
            channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    private static ServingStatus ask(GrpcTlsConfig config, int port) throws Exception {
        return ask(Rpc.of(config).channel(new HostPort("127.0.0.1", port)).build());
    }

    /** The end of a failed call as text. */
    private static String failure(GrpcTlsConfig config, int port) {
        StatusRuntimeException failure = assertThrows(StatusRuntimeException.class, () -> ask(config, port));
        assertEquals(Status.Code.UNAVAILABLE, failure.getStatus().getCode());
        return Rpc.of(config).words(failure.getStatus());
    }

    @Test
    void nodesOfOneCaConnectAndReportHealth() throws Exception {
        assertEquals(ServingStatus.SERVING, ask(second, serve(first)));
        assertTrue(server.getServices().stream()
                .anyMatch(service -> service.getServiceDescriptor().getName().contains("ServerReflection")));
    }

    @Test
    void nodesWithoutTlsConnectToo() throws Exception {
        assertEquals(ServingStatus.SERVING, ask(GrpcTlsConfig.NONE, serve(GrpcTlsConfig.NONE)));
    }

    @Test
    void aServerOfAnotherCaIsRefusedByItsCaller() throws Exception {
        String text = failure(stranger, serve(first));
        assertTrue(text.contains("expected a certificate of CN=theirs"), text);
        assertTrue(text.contains("found CN=first of CN=ours"), text);
    }

    @Test
    void aCallerOfAnotherCaIsRefusedAndItsMessageNamesItsCertificate() throws Exception {
        String text = failure(impostor, serve(first));
        assertTrue(text.contains("presents CN=impostor of CN=theirs"), text);
    }

    @Test
    void aCallerWithoutTlsIsRefusedWithAHintAtTls() throws Exception {
        String text = failure(GrpcTlsConfig.NONE, serve(first));
        assertTrue(text.contains("grpc.tls"), text);
    }

    @Test
    void anExpiredOwnCertificateStopsTheStart() {
        TributaryException failure = assertThrows(TributaryException.class, () -> Rpc.of(expired));
        assertEquals(ErrorCode.TLS_UNUSABLE, failure.code());
        assertTrue(
                failure.getMessage().contains("expired.pem: expected a certificate that is valid now"),
                failure.getMessage());
        TributaryException running = assertThrows(TributaryException.class, () -> Rpc.whileRunning(expired));
        assertEquals(ErrorCode.STREAM_BROKEN, running.code(), "a running node retries");
        assertTrue(running.getMessage().contains("expired.pem"), running.getMessage());
    }

    @Test
    void anExpiredCertificateOfAnotherNodeIsRefused() throws Exception {
        int port = serve(first);
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .overrideAuthority("localhost")
                .sslContext(GrpcSslContexts.forClient()
                        .keyManager(
                                expired.certificate().orElseThrow().toFile(),
                                expired.key().orElseThrow().toFile())
                        .trustManager(first.ca().orElseThrow().toFile())
                        .build())
                .build();
        StatusRuntimeException failure = assertThrows(StatusRuntimeException.class, () -> ask(channel));
        assertEquals(Status.Code.UNAVAILABLE, failure.getStatus().getCode());
    }

    @Test
    void filesThatChangeAreUsedFromTheNextConnectionOn() throws Exception {
        GrpcTlsConfig changing =
                new TestAuthorities(folder).node("changing", "ours", folder.resolve("changing-ca.pem"));
        Files.copy(first.ca().orElseThrow(), changing.ca().orElseThrow());
        int port = serve(changing);
        assertEquals(ServingStatus.SERVING, ask(second, port));
        TestAuthorities.replace(changing, stranger);
        assertEquals(ServingStatus.SERVING, ask(stranger, port));
        assertTrue(failure(second, port).contains("found CN=stranger of CN=theirs"));
    }
}
