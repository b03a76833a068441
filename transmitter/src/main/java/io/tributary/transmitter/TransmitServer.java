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
import io.tributary.common.rpc.Rpc;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.store.JournalMap;
import io.tributary.transmitter.proto.TransmitGrpc;
import io.tributary.transmitter.proto.TransmitWire;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sending side, of a Task or a relay: takes a stream of the node below, which receives, has a pipeline built from the cut that
 * it names, and ends it with the stream. One stream at a time: a new one of the same or a newer term ends the one before. A newer term
 * counts once it is proved, by the node's own knowledge of leaders or by the caller's certificate; a call that is refused changes nothing.
 */
public final class TransmitServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransmitServer.class);
    private static final long SHUTDOWN_SECONDS = 5;
    private static final int QUESTIONS = 4; // about terms at the same time

    private final TransmitConfig config;
    private final StreamIdentity identity;
    private final StreamOffer offer;
    private final Server server;
    private final Semaphore questions = new Semaphore(QUESTIONS);

    // under this object's monitor
    private TransmitStream current;
    private StreamSource.Running pipeline;
    private JournalMap journal; // of the current stream
    private Optional<Cut> awaiting = Optional.empty(); // where the current stream resumes, while its journal arrives
    private long term;
    private boolean isClosed;

    /**
     * A Task's, for a Dumper. Listens at {@code transmit.listen} at once.
     *
     * @throws TributaryException ADDRESS_UNUSABLE, TLS_UNUSABLE
     */
    public TransmitServer(
            TransmitConfig config, StreamIdentity identity, StreamSource source, Metrics metrics, Clock clock) {
        this(config, identity, new TransactionOffer(source, config.queue().bytes(), metrics, clock));
    }

    /**
     * A relay's, for the Task above it. Listens at {@code transmit.listen} at once.
     *
     * @throws TributaryException ADDRESS_UNUSABLE, TLS_UNUSABLE
     */
    public TransmitServer(
            TransmitConfig config, StreamIdentity identity, TokenSource source, Metrics metrics, Clock clock) {
        this(config, identity, new TokenOffer(source, config.queue().bytes(), metrics, clock));
    }

    private TransmitServer(TransmitConfig config, StreamIdentity identity, StreamOffer offer) {
        this.config = config;
        this.identity = identity;
        this.offer = offer;
        Server made = Rpc.of(config.tls())
                .server(config.listen().resolve(), config.keepAlive())
                .maxInboundMessageSize((int) config.message().bytes())
                .addService(new Service())
                .build();
        this.server = Rpc.start(made, "transmit.listen", config.listen());
    }

    private final class Service extends TransmitGrpc.TransmitImplBase {
        @Override
        public StreamObserver<TransmitWire.Request> stream(StreamObserver<TransmitWire.Chunk> receiver) {
            return new TransmitStream(
                    TransmitServer.this,
                    (ServerCallStreamObserver<TransmitWire.Chunk>) receiver,
                    config.message().bytes());
        }
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** A stream has said what it wants; on one of gRPC's worker threads, which may block. */
    void opened(TransmitStream stream, TransmitWire.Open open) {
        try {
            checkIdentity(open);
            checkProved(open.getTerm());
        } catch (TributaryException e) {
            refused(stream, e);
            return;
        }
        takeOver(stream, open);
    }

    private void refused(TransmitStream stream, TributaryException cause) {
        LOG.warn("No stream for a {}: {}", offer.receiver(), cause.line());
        stream.end(cause);
    }

    private synchronized void takeOver(TransmitStream stream, TransmitWire.Open open) {
        try {
            checkTerm(open.getTerm());
            Optional<Cut> resume = open.hasResume()
                    ? Optional.of(CutCodec.decodeFull(open.getResume().asReadOnlyByteBuffer()))
                    : Optional.empty();
            offer.check(open, resume);
            if (open.getTokens().getQuestion()) {
                stream.complete();
                return;
            }
            if (current != null) {
                current.end(Status.ABORTED.withDescription("a newer stream has taken over"));
                closePipeline();
            }
            term = open.getTerm();
            LOG.info(
                    "A {} opens {} {}",
                    offer.receiver(),
                    identity,
                    resume.map(cut -> "behind cut " + cut.number() + " (" + cut.transactions() + " transactions)")
                            .orElse("from the start"));
            prepare(stream, resume);
        } catch (TributaryException e) {
            refused(stream, e);
        }
    }

    private void checkIdentity(TransmitWire.Open open) {
        if (open.getVersion() != StreamIdentity.VERSION) {
            throw TransmitStream.refusal("expected protocol version " + StreamIdentity.VERSION + " as this "
                    + offer.sender() + " has it, got " + open.getVersion() + " from the " + offer.receiver());
        }
        StreamIdentity asked = new StreamIdentity(open.getCluster(), open.getStream());
        if (!asked.equals(identity)) {
            throw TransmitStream.refusal("expected " + identity + " as this " + offer.sender() + " serves it, got "
                    + asked + " from the " + offer.receiver());
        }
    }

    /** What anybody may say who reaches the port is no term of a leader; not under the monitor, as it may have to be asked for. */
    private void checkProved(long asked) {
        if (config.tls().isEnabled() || isKnown(asked)) {
            return;
        }
        if (!questions.tryAcquire()) {
            throw new TributaryException(
                    ErrorCode.STREAM_BROKEN,
                    "expected " + QUESTIONS + " calls of unknown terms at a time at most, got one more, of term "
                            + Long.toUnsignedString(asked));
        }
        try {
            long newest = offer.newestTerm();
            if (Long.compareUnsigned(asked, newest) > 0) {
                throw new TributaryException(
                        ErrorCode.EPOCH_OVER,
                        "expected a " + offer.receiver() + " of term " + Long.toUnsignedString(newest)
                                + ", the newest that was given to a leader, got term " + Long.toUnsignedString(asked)
                                + ", and no certificate that proves it (grpc.tls.*)");
            }
        } finally {
            questions.release();
        }
    }

    private synchronized boolean isKnown(long asked) {
        return Long.compareUnsigned(asked, term) <= 0;
    }

    private void checkTerm(long asked) {
        if (isClosed) {
            throw new TributaryException(ErrorCode.STREAM_BROKEN, "the " + offer.sender() + " is closing");
        }
        if (Long.compareUnsigned(asked, term) < 0) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected a " + offer.receiver() + " of term " + Long.toUnsignedString(term)
                            + " or newer, got term " + Long.toUnsignedString(asked));
        }
    }

    /** Where the cut is behind a change of the journal, its map comes first. */
    private void prepare(TransmitStream stream, Optional<Cut> resume) {
        current = stream;
        journal = offer.journal();
        if (resume.map(Cut::schemaNumber).orElse(0L) > 0) {
            awaiting = resume;
        } else {
            openPipeline(stream, resume);
        }
    }

    /** A part of the journal's map has come; on one of gRPC's worker threads, which may block. */
    synchronized void arrived(TransmitStream stream, ByteString part) {
        if (stream != current) {
            return; // it has ended
        }
        try {
            if (awaiting.isEmpty()) {
                throw TransmitStream.refusal("expected no part of the journal, got one of " + part.size() + " bytes");
            }
            Journal record = JournalCodec.decode(part.asReadOnlyByteBuffer());
            long expected = awaiting.get().schemaNumber();
            if (record.kind() == Journal.Kind.CHANGE || record.number() != expected) {
                throw TransmitStream.refusal("expected the journal up to change " + expected + ", got " + record.kind()
                        + " " + record.number());
            }
            journal.fold(record);
            if (journal.isWhole()) {
                Optional<Cut> resume = awaiting;
                awaiting = Optional.empty();
                openPipeline(stream, resume);
            }
        } catch (TributaryException e) {
            LOG.warn("No stream for a {}: {}", offer.receiver(), e.line());
            closePipeline();
            stream.end(e);
        }
    }

    private void openPipeline(TransmitStream stream, Optional<Cut> resume) {
        try {
            pipeline = offer.open(resume, journal, stream);
        } finally {
            if (pipeline == null) {
                closePipeline();
            }
        }
    }

    /** A stream has ended, for whatever reason; any of gRPC's worker threads, any number of times. */
    synchronized void ended(TransmitStream stream) {
        if (stream == current) {
            LOG.info("The {}'s {} has ended", offer.receiver(), identity);
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
                current.end(Status.UNAVAILABLE.withDescription("the " + offer.sender() + " is closing"));
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
