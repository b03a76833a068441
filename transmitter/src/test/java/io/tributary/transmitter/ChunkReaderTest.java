package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Chunk;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.transmit.proto.TransmitGrpc;
import io.tributary.transmit.proto.TransmitWire;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages that are damaged, or that do not belong to this protocol. */
class ChunkReaderTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final Chunks chunks = new Chunks();

    private ByteBuf buffer(byte[] bytes) {
        return allocator.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    private List<Chunk> oneOfEach() {
        return List.of(
                chunks.batch(7, 30, 400, 1),
                new Chunk.Begin(8, 1L << 40, 12),
                chunks.data(9, 300),
                new Chunk.End(10),
                new Chunk.CutMark(11, Chunks.cut(4)));
    }

    @Test
    void readsWhatTheWriterWrote() {
        ChunkWriter writer = new ChunkWriter();
        ChunkReader reader = new ChunkReader();
        for (Chunk chunk : oneOfEach()) {
            Chunk read = reader.read(buffer(writer.write(chunk).toByteArray()));
            assertEquals(chunk.getClass(), read.getClass());
            assertEquals(chunk.number(), read.number());
            assertEquals(chunk.bytes(), read.bytes());
            Chunks.check(read);
            read.release();
            chunk.release();
        }
        assertEquals(0, allocator.metric().usedDirectMemory());
    }

    @Test
    void refusesEveryTruncatedMessage() {
        for (Chunk chunk : oneOfEach()) {
            byte[] whole = new ChunkWriter().write(chunk).toByteArray();
            for (int length = 0; length < whole.length; length++) {
                byte[] torn = java.util.Arrays.copyOf(whole, length);
                assertThrows(TributaryException.class, () -> new ChunkReader().read(buffer(torn)));
            }
            chunk.release();
        }
        assertEquals(0, allocator.metric().usedDirectMemory());
    }

    @Test
    void neverFailsInAnotherWayForRandomBytes() {
        SplittableRandom random = new SplittableRandom(5);
        for (Chunk chunk : oneOfEach()) {
            byte[] whole = new ChunkWriter().write(chunk).toByteArray();
            for (int i = 0; i < 3000; i++) {
                byte[] damaged = whole.clone();
                damaged[random.nextInt(Math.min(40, whole.length))] = (byte) random.nextInt();
                try {
                    new ChunkReader().read(buffer(damaged)).release();
                } catch (TributaryException e) {
                    assertTrue(e.code() == ErrorCode.STREAM_CONTRADICTION || e.code() == ErrorCode.CUT_UNUSABLE);
                }
            }
            chunk.release();
        }
        assertEquals(0, allocator.metric().usedDirectMemory());
    }

    @Test
    void refusesADeltaBeforeAFullCut() {
        ChunkWriter writer = new ChunkWriter();
        writer.write(new Chunk.CutMark(1, Chunks.cut(1)));
        byte[] delta = writer.write(new Chunk.CutMark(2, Chunks.cut(2))).toByteArray();
        TributaryException failure =
                assertThrows(TributaryException.class, () -> new ChunkReader().read(buffer(delta)));
        assertTrue(failure.getMessage().contains("expected a full cut first"), failure.getMessage());
    }

    @Test
    void theTaskRefusesAnotherVersionAndAStreamThatIsNotOpenedFirst() throws Exception {
        TransmitWire.Request otherVersion = TransmitWire.Request.newBuilder()
                .setOpen(TransmitWire.Open.newBuilder()
                        .setVersion(StreamIdentity.VERSION + 1)
                        .setCluster("c1")
                        .setStream("main"))
                .build();
        String refusal = refusalOf(otherVersion);
        assertTrue(
                refusal.contains("expected protocol version " + StreamIdentity.VERSION + " of this Task, found "
                        + (StreamIdentity.VERSION + 1)),
                refusal);
        TransmitWire.Request creditOnly =
                TransmitWire.Request.newBuilder().setCredit(1).build();
        assertTrue(refusalOf(creditOnly).contains("expected the open request in the first message"));
    }

    private static String refusalOf(TransmitWire.Request request) throws Exception {
        HostPort anyPort = new HostPort("127.0.0.1", 0);
        ByteSize size = new ByteSize(1 << 20);
        TransmitConfig config = new TransmitConfig(
                anyPort,
                anyPort,
                "main",
                new StreamLimits(size, size, size, Duration.ofSeconds(10)),
                GrpcTlsConfig.NONE);
        StreamIdentity identity = new StreamIdentity("c1", "main");
        CompletableFuture<Status> end = new CompletableFuture<>();
        try (TransmitServer server =
                new TransmitServer(config, identity, new TestTask(1, Chunk.End::new), new Metrics(), Clock.SYSTEM)) {
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                    .usePlaintext()
                    .build();
            try {
                TransmitGrpc.newStub(channel).stream(new EndListener(end)).onNext(request);
                Status status = end.get(60, TimeUnit.SECONDS);
                assertEquals(Status.Code.FAILED_PRECONDITION, status.getCode());
                return status.getDescription();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private record EndListener(CompletableFuture<Status> end) implements StreamObserver<TransmitWire.Chunk> {
        @Override
        public void onNext(TransmitWire.Chunk value) {
            fail("a chunk arrived");
        }

        @Override
        public void onError(Throwable cause) {
            end.complete(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }
    }
}
