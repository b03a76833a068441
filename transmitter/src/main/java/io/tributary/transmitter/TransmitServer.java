package io.tributary.transmitter;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.transmitter.proto.TransmitGrpc;
import io.tributary.transmitter.proto.TransmitWire;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Task's side: takes a Dumper's stream, has a pipeline built from the Dumper's cut, and ends it with the stream. One stream at a
 * time: a new one of the same or a newer term ends the one before.
 */
public final class TransmitServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransmitServer.class);
    private static final int QUEUE_ITEMS = 1 << 12;
    private static final long SHUTDOWN_SECONDS = 5;

    private final TransmitConfig config;
    private final StreamIdentity identity;
    private final StreamSource source;
    private final Metrics metrics;
    private final Clock clock;
    private final Server server;

    // under this object's monitor
    private TransmitStream current;
    private StreamSource.Running pipeline;
    private Link<Chunk> link;
    private Metrics linkMetrics;
    private long term;
    private boolean isClosed;

    /**
     * Listens at {@code transmit.listen} at once.
     *
     * @throws TributaryException ADDRESS_UNUSABLE
     */
    public TransmitServer(
            TransmitConfig config, StreamIdentity identity, StreamSource source, Metrics metrics, Clock clock) {
        this.config = config;
        this.identity = identity;
        this.source = source;
        this.metrics = metrics;
        this.clock = clock;
        this.server = NettyServerBuilder.forAddress(config.listen().resolve())
                .maxInboundMessageSize((int) config.message().bytes())
                .keepAliveTime(config.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(config.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
                .permitKeepAliveTime(config.keepAlive().toNanos() / 2, TimeUnit.NANOSECONDS)
                .addService(new Service())
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.ADDRESS_UNUSABLE,
                    "expected to listen at transmit.listen = " + config.listen() + ": " + e,
                    e);
        }
    }

    private final class Service extends TransmitGrpc.TransmitImplBase {
        @Override
        public StreamObserver<TransmitWire.Request> stream(StreamObserver<TransmitWire.Chunk> dumper) {
            return new TransmitStream(
                    TransmitServer.this,
                    (ServerCallStreamObserver<TransmitWire.Chunk>) dumper,
                    config.message().bytes());
        }
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** A stream has said what it wants; on one of gRPC's worker threads, which may block. */
    synchronized void opened(TransmitStream stream, TransmitWire.Open open) {
        try {
            check(open);
            Optional<Cut> resume = open.hasResume()
                    ? Optional.of(CutCodec.decodeFull(open.getResume().asReadOnlyByteBuffer()))
                    : Optional.empty();
            if (current != null) {
                current.end(Status.ABORTED.withDescription("a newer stream has taken over"));
                closePipeline();
            }
            term = open.getTerm();
            LOG.info(
                    "A Dumper opens {} {}",
                    identity,
                    resume.map(cut -> "behind cut " + cut.number() + " (" + cut.transactions() + " transactions)")
                            .orElse("from the start"));
            openPipeline(stream, resume);
        } catch (TributaryException e) {
            LOG.warn("No stream for a Dumper: {}", e.line());
            stream.end(e);
        }
    }

    private void check(TransmitWire.Open open) {
        if (isClosed) {
            throw new TributaryException(ErrorCode.STREAM_BROKEN, "the Task is closing");
        }
        if (open.getVersion() != StreamIdentity.VERSION) {
            throw TransmitStream.refusal("expected protocol version " + StreamIdentity.VERSION
                    + " as this Task has it, got " + open.getVersion() + " from the Dumper");
        }
        StreamIdentity asked = new StreamIdentity(open.getCluster(), open.getStream());
        if (!asked.equals(identity)) {
            throw TransmitStream.refusal(
                    "expected " + identity + " as this Task serves it, got " + asked + " from the Dumper");
        }
        if (Long.compareUnsigned(open.getTerm(), term) < 0) {
            throw TransmitStream.refusal("expected a Dumper of term " + Long.toUnsignedString(term)
                    + " or newer, got term " + Long.toUnsignedString(open.getTerm()));
        }
    }

    private void openPipeline(TransmitStream stream, Optional<Cut> resume) {
        link = new Link<>("transmit", QUEUE_ITEMS, config.queue().bytes(), Chunk::bytes, clock);
        linkMetrics = metrics.child();
        linkMetrics.register(link);
        current = stream;
        try {
            pipeline = source.open(resume, link, new TransmitSender(link, stream), stream::end);
        } finally {
            if (pipeline == null) {
                closePipeline();
            }
        }
    }

    /** A stream has ended, for whatever reason; any of gRPC's worker threads, any number of times. */
    synchronized void ended(TransmitStream stream) {
        if (stream == current) {
            LOG.info("The Dumper's {} has ended", identity);
            closePipeline();
        }
    }

    private void closePipeline() {
        current = null;
        if (pipeline != null) {
            pipeline.close();
            pipeline = null;
        }
        TransmitSender.releaseAll(link); // what was put after the sender was closed
        linkMetrics.close();
    }

    /** Ends the stream and its pipeline, and stops listening. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            if (current != null) {
                current.end(Status.UNAVAILABLE.withDescription("the Task is closing"));
                closePipeline();
            }
        }
        server.shutdown();
        try {
            if (!server.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
