package io.tributary.transmitter;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Wakeup;
import io.tributary.transmit.proto.TransmitWire;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One stream on the sending side. It receives the receiver's requests on gRPC's threads, and messages on the sender's thread.
 *
 * <p>A server call serializes a message before {@code onNext} returns (io.grpc.internal.ServerCallImpl.sendMessage, AbstractStream.writeMessage,
 * MessageFramer.writePayload: all on the caller's thread, into Netty's buffers), so the payload that the message wraps may be released then.
 */
final class TransmitStream implements StreamObserver<TransmitWire.Request>, StreamSource.Dumper {
    private static final int READY_BELOW = 1 << 20;
    private static final int MAX_DESCRIPTION =
            2000; // HTTP/2 headers are at most 8 KiB, and a character that is not ASCII takes three times as much

    private final TransmitServer server;
    private final ServerCallStreamObserver<TransmitWire.Chunk> receiver;
    private final long maxMessage;
    private final AtomicLong credit = new AtomicLong();
    private final Wakeup room = new Wakeup();
    private TransmitWire.Open open; // used by gRPC's callbacks only, which do not overlap
    private volatile long durableCut;
    private volatile boolean ended;

    TransmitStream(TransmitServer server, ServerCallStreamObserver<TransmitWire.Chunk> receiver, long maxMessage) {
        this.server = server;
        this.receiver = receiver;
        this.maxMessage = maxMessage;
        receiver.setOnReadyThreshold(READY_BELOW);
        receiver.setOnReadyHandler(room::ring);
        receiver.setOnCancelHandler(() -> server.ended(this));
        receiver.setOnCloseHandler(() -> server.ended(this));
    }

    @Override
    public void onNext(TransmitWire.Request request) {
        credit.addAndGet(Math.max(0, request.getCredit()));
        room.ring();
        if (request.getDurableCut() > durableCut) {
            durableCut = request.getDurableCut();
        }
        boolean isFirst = open == null;
        if (request.hasOpen() != isFirst) {
            end(refusal("expected the open request in the first message and in no other"));
            return;
        }
        if (isFirst) {
            open = request.getOpen();
            server.opened(this, open);
        } else if (request.hasState()) {
            server.arrived(this, request.getState());
        }
    }

    @Override
    public void onError(Throwable cause) {
        server.ended(this);
    }

    @Override
    public void onCompleted() {
        server.ended(this);
        end(Status.CANCELLED.withDescription("the receiver has closed the stream"));
    }

    @Override
    public long durableCut() {
        return durableCut;
    }

    @Override
    public void failed(TributaryException cause) {
        end(cause);
    }

    /** Whether a message may be sent now. While any credit is left, one message of any size may be sent. */
    boolean hasRoom() {
        boolean hasRoom = !ended && credit.get() > 0 && receiver.isReady();
        if (!hasRoom) {
            room.listen();
        }
        return hasRoom;
    }

    /**
     * Sends a message; when this returns, its bytes are no longer needed. After the end of the stream nothing is sent.
     *
     * @throws TributaryException INTERNAL if it is larger than {@code transmit.message}
     */
    void send(TransmitWire.Chunk message) {
        int size = message.getSerializedSize();
        if (size > maxMessage) {
            throw new TributaryException(
                    ErrorCode.INTERNAL,
                    "expected chunk " + message.getNumber() + " to fit a message of transmit.message = " + maxMessage
                            + " bytes, found " + size);
        }
        credit.addAndGet(-size);
        synchronized (this) {
            if (!ended) {
                receiver.onNext(message);
            }
        }
    }

    /** Ends the stream unless it has ended; any thread. */
    void end(Status status) {
        synchronized (this) {
            if (!ended) {
                ended = true;
                receiver.onError(status.asRuntimeException());
            }
        }
    }

    /** Ends the stream without an error, such as that of a probe. */
    void complete() {
        synchronized (this) {
            if (!ended) {
                ended = true;
                receiver.onCompleted();
            }
        }
    }

    /** Ends the stream because the pipeline failed; the receiver gets the line. If the stream must only be opened again, it ends without an error. */
    void end(TributaryException cause) {
        if (cause.code() == ErrorCode.STREAM_RENEWED) {
            complete();
            return;
        }
        boolean isContradiction = cause.code() == ErrorCode.STREAM_CONTRADICTION;
        String line = isContradiction ? cause.getMessage() : cause.line();
        end((isContradiction ? Status.FAILED_PRECONDITION : Status.UNAVAILABLE)
                .withDescription(line.substring(0, Math.min(line.length(), MAX_DESCRIPTION))));
    }

    /** The error with which a stream is refused. */
    static TributaryException refusal(String message) {
        return new TributaryException(ErrorCode.STREAM_CONTRADICTION, message);
    }
}
