package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.tributary.common.Corpus;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Chunk;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.transmit.proto.TransmitGrpc;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Invalid first messages of calls to a Task: each call gets an end or a stream, and no later call waits. */
class RequestFuzzTest {
    private static final int ROUNDS = 500;
    private static final long TIMEOUT_SECONDS = 20;
    private static final MethodDescriptor<byte[], byte[]> STREAM = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(TransmitGrpc.getStreamMethod().getFullMethodName())
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private static TransmitServer server;
    private static ManagedChannel channel;

    /** A marshaller of raw bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeAll
    static void serve() {
        HostPort anyPort = new HostPort("127.0.0.1", 0);
        ByteSize size = new ByteSize(1 << 20);
        TransmitConfig config = new TransmitConfig(
                anyPort,
                anyPort,
                "main",
                new StreamLimits(size, size, size, Duration.ofSeconds(10)),
                GrpcTlsConfig.NONE);
        server = new TransmitServer(
                config, new StreamIdentity("c1", "main"), new TestTask(1, Chunk.End::new), new Metrics(), Clock.SYSTEM);
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
    }

    @AfterAll
    static void close() throws Exception {
        channel.shutdownNow();
        channel.awaitTermination(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        server.close();
    }

    @FuzzTest(maxDuration = "60s")
    void requests(byte[] message) throws Exception {
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call = channel.newCall(STREAM, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] chunk) {
                        end.complete(Status.OK);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(message);
        call.halfClose();
        end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        call.cancel("the test has ended", null);
    }

    @Test
    void changedRequestsAreAnswered() {
        Corpus.of(RequestFuzzTest.class, "requests").mutate(1, ROUNDS, message -> {
            try {
                requests(message);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(false, channel.isShutdown());
    }
}
