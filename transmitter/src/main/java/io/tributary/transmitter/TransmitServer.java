package io.tributary.transmitter;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.rpc.Rpc;
import io.tributary.store.JournalMap;
import io.tributary.transmit.proto.TransmitGrpc;
import io.tributary.transmit.proto.TransmitWire;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server of streams, on a Task or a relay. It accepts a stream of the receiving node, has a pipeline built from the cut that the request
 * contains, and ends the pipeline with the stream. There is one stream at a time: a new one of the same or a newer epoch ends the one
 * before. A newer epoch counts when it is proved, by this node's own knowledge of leaders or by the caller's certificate. A refused call
 * changes nothing.
 */
public final class TransmitServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransmitServer.class);
    private static final long SHUTDOWN_SECONDS = 5;
    private static final int EPOCH_CHECKS = 4; // concurrent checks of unknown epochs

    private final TransmitConfig config;
    private final StreamIdentity identity;
    private final StreamProvider provider;
    private final Server server;
    private final Semaphore epochChecks = new Semaphore(EPOCH_CHECKS);

    // under this object's monitor
    private TransmitStream current;
    private StreamSource.Running pipeline;
    private JournalMap journal; // of the current stream
    private Optional<Cut> awaiting = Optional.empty(); // the current stream's cut while its journal arrives
    private long epoch;
    private boolean isClosed;

    /**
     * The server of a Task, for a Dumper. Listens at {@code transmit.listen} at once.
     *
     * @throws TributaryException ADDRESS_UNUSABLE, TLS_UNUSABLE
     */
    public TransmitServer(
            TransmitConfig config, StreamIdentity identity, StreamSource source, Metrics metrics, Clock clock) {
        this(
                config,
                identity,
                new TransactionProvider(source, config.limits().queue().bytes(), metrics, clock));
    }

    /**
     * The server of a relay, for the Task above it. Listens at {@code transmit.listen} at once.
     *
     * @throws TributaryException ADDRESS_UNUSABLE, TLS_UNUSABLE
     */
    public TransmitServer(
            TransmitConfig config, StreamIdentity identity, TokenSource source, Metrics metrics, Clock clock) {
        this(config, identity, new TokenProvider(source, config.limits().queue().bytes(), metrics, clock));
    }

    private TransmitServer(TransmitConfig config, StreamIdentity identity, StreamProvider provider) {
        this.config = config;
        this.identity = identity;
        this.provider = provider;
        Server built = Rpc.of(config.tls())
                .server(config.listen().resolve(), config.limits().keepAlive())
                .maxInboundMessageSize((int) config.limits().message().bytes())
                .addService(new Service())
                .build();
        this.server = Rpc.start(built, "transmit.listen", config.listen());
    }

    private final class Service extends TransmitGrpc.TransmitImplBase {
        @Override
        public StreamObserver<TransmitWire.Request> stream(StreamObserver<TransmitWire.Chunk> receiver) {
            return new TransmitStream(
                    TransmitServer.this,
                    (ServerCallStreamObserver<TransmitWire.Chunk>) receiver,
                    config.limits().message().bytes());
        }
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** Handles the first message of a stream; on one of gRPC's worker threads, which may block. */
    void opened(TransmitStream stream, TransmitWire.Open open) {
        try {
            checkIdentity(open);
            checkProved(open.getEpoch());
        } catch (TributaryException e) {
            refused(stream, e);
            return;
        }
        takeOver(stream, open);
    }

    private void refused(TransmitStream stream, TributaryException cause) {
        LOG.warn("stream refused: receiver={} reason=\"{}\"", provider.receiver(), cause.line());
        stream.end(cause);
    }

    private synchronized void takeOver(TransmitStream stream, TransmitWire.Open open) {
        try {
            checkEpoch(open.getEpoch());
            Optional<Cut> resume = open.hasResume()
                    ? Optional.of(CutCodec.decodeFull(open.getResume().asReadOnlyByteBuffer()))
                    : Optional.empty();
            provider.check(open, resume);
            if (open.getTokens().getQuestion()) {
                stream.complete();
                return;
            }
            if (current != null) {
                current.end(Status.ABORTED.withDescription("a newer stream has taken over"));
                closePipeline();
            }
            epoch = open.getEpoch();
            LOG.info(
                    "stream opened: receiver={} stream={} cluster={} from=\"{}\"",
                    provider.receiver(),
                    identity.stream(),
                    identity.cluster(),
                    resume.map(cut -> "cut " + cut.number() + " (" + cut.transactions() + " transactions)")
                            .orElse("start"));
            prepare(stream, resume);
        } catch (TributaryException e) {
            refused(stream, e);
        }
    }

    private void checkIdentity(TransmitWire.Open open) {
        if (open.getVersion() != StreamIdentity.VERSION) {
            throw TransmitStream.refusal("expected protocol version " + StreamIdentity.VERSION + " of this "
                    + provider.sender() + ", found " + open.getVersion() + " from the " + provider.receiver());
        }
        StreamIdentity requested = new StreamIdentity(open.getCluster(), open.getStream());
        if (!requested.equals(identity)) {
            throw TransmitStream.refusal("expected " + identity + " of this " + provider.sender() + ", found "
                    + requested + " from the " + provider.receiver());
        }
    }

    /** Any client that reaches the port can send any epoch, so it must be proved; not under the monitor, because the check may block. */
    private void checkProved(long requested) {
        if (config.tls().isEnabled() || isKnown(requested)) {
            return;
        }
        if (!epochChecks.tryAcquire()) {
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN,
                    "expected at most " + EPOCH_CHECKS + " concurrent calls with unknown epochs, found one more,"
                            + " of epoch " + Long.toUnsignedString(requested));
        }
        try {
            long newest = provider.newestEpoch();
            if (Long.compareUnsigned(requested, newest) > 0) {
                throw new TributaryException(
                        ErrorCode.EPOCH_OVER,
                        "expected a " + provider.receiver() + " of epoch " + Long.toUnsignedString(newest)
                                + ", the newest of any leader, or older, found epoch "
                                + Long.toUnsignedString(requested)
                                + " without a certificate that proves it (grpc.tls.*)");
            }
        } finally {
            epochChecks.release();
        }
    }

    private synchronized boolean isKnown(long requested) {
        return Long.compareUnsigned(requested, epoch) <= 0;
    }

    private void checkEpoch(long requested) {
        if (isClosed) {
            throw new TributaryException(ErrorCode.STREAM_BROKEN, "the " + provider.sender() + " is closing");
        }
        if (Long.compareUnsigned(requested, epoch) < 0) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected a " + provider.receiver() + " of epoch " + Long.toUnsignedString(epoch)
                            + " or newer, found epoch " + Long.toUnsignedString(requested));
        }
    }

    /** Opens the pipeline, or waits for the journal's map first if the cut is after a change of the journal. */
    private void prepare(TransmitStream stream, Optional<Cut> resume) {
        current = stream;
        journal = provider.journal();
        if (resume.map(Cut::schemaNumber).orElse(0L) > 0) {
            awaiting = resume;
        } else {
            openPipeline(stream, resume);
        }
    }

    /** Handles a part of the journal's map; on one of gRPC's worker threads, which may block. */
    synchronized void arrived(TransmitStream stream, ByteString part) {
        if (stream != current) {
            return; // it has ended
        }
        try {
            if (awaiting.isEmpty()) {
                throw TransmitStream.refusal("expected no part of the journal, found one of " + part.size() + " bytes");
            }
            Journal record = JournalCodec.decode(part.asReadOnlyByteBuffer());
            long expected = awaiting.get().schemaNumber();
            if (record.kind() == Journal.Kind.CHANGE || record.number() != expected) {
                throw TransmitStream.refusal("expected the journal up to change " + expected + ", found "
                        + record.kind() + " " + record.number());
            }
            journal.fold(record);
            if (journal.isWhole()) {
                Optional<Cut> resume = awaiting;
                awaiting = Optional.empty();
                openPipeline(stream, resume);
            }
        } catch (TributaryException e) {
            LOG.warn("stream refused: receiver={} reason=\"{}\"", provider.receiver(), e.line());
            closePipeline();
            stream.end(e);
        }
    }

    private void openPipeline(TransmitStream stream, Optional<Cut> resume) {
        try {
            pipeline = provider.open(resume, journal, stream);
        } finally {
            if (pipeline == null) {
                closePipeline();
            }
        }
    }

    /** Handles the end of a stream, for any reason; on any of gRPC's worker threads, any number of times. */
    synchronized void ended(TransmitStream stream) {
        if (stream == current) {
            LOG.info(
                    "stream ended: receiver={} stream={} cluster={}",
                    provider.receiver(),
                    identity.stream(),
                    identity.cluster());
            closePipeline();
        }
    }

    private void closePipeline() {
        current = null;
        awaiting = Optional.empty();
        if (pipeline != null) {
            pipeline.close();
            pipeline = null;
        }
        if (journal != null) {
            journal.close();
            journal = null;
        }
    }

    /** Ends the stream and its pipeline, and stops listening. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            if (current != null) {
                current.end(Status.UNAVAILABLE.withDescription("the " + provider.sender() + " is closing"));
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
