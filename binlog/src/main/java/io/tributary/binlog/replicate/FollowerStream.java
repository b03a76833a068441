package io.tributary.binlog.replicate;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.InboundQueue;

/**
 * One follower's call on gRPC's threads. Received messages wait for the stage; each polled message requests one more. A message is serialized
 * before {@code onNext} returns, so its bytes are no longer used then.
 */
final class FollowerStream implements StreamObserver<FromFollower>, FollowerChannel {
    private static final int MAX_AHEAD = 16;
    private static final int READY_BELOW = 1 << 20;
    private static final int MAX_DESCRIPTION = 2000; // HTTP/2 headers hold 8 KiB

    private final ServerCallStreamObserver<FromLeader> follower;
    private final InboundQueue<FromFollower> arrived = new InboundQueue<>(); // bounded by request()
    private volatile boolean isOver;

    FollowerStream(ServerCallStreamObserver<FromLeader> follower) {
        this.follower = follower;
        follower.disableAutoRequest();
        follower.setOnReadyThreshold(READY_BELOW);
        follower.setOnReadyHandler(arrived::ring);
        follower.setOnCancelHandler(this::over);
        follower.setOnCloseHandler(this::over);
        follower.request(MAX_AHEAD);
    }

    @Override
    public void onNext(FromFollower message) {
        arrived.add(message);
    }

    @Override
    public void onError(Throwable cause) {
        over();
    }

    @Override
    public void onCompleted() {
        over();
    }

    private void over() {
        isOver = true;
        arrived.ring();
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    @Override
    public FromFollower poll() {
        FromFollower message = arrived.poll();
        if (message != null) {
            follower.request(1);
        }
        return message;
    }

    @Override
    public boolean hasRoom() {
        return !isOver && follower.isReady();
    }

    @Override
    public void send(FromLeader message) {
        if (!isOver) {
            follower.onNext(message);
        }
    }

    @Override
    public void end(TributaryException cause) {
        if (!isOver) {
            isOver = true;
            boolean mayPass = cause.code() == ErrorCode.EPOCH_OVER || cause.code() == ErrorCode.STREAM_BROKEN;
            String line = cause.code() + " " + cause.getMessage();
            follower.onError((mayPass ? Status.ABORTED : Status.FAILED_PRECONDITION)
                    .withDescription(line.substring(0, Math.min(line.length(), MAX_DESCRIPTION)))
                    .asRuntimeException());
        }
    }
}
