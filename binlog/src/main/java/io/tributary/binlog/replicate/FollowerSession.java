package io.tributary.binlog.replicate;

import com.google.protobuf.UnsafeByteOperations;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.proto.ReplicateWire;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leader's session with one follower: answers its questions, then sends what it lacks. It needs one open file and no memory of its own. */
final class FollowerSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerSession.class);
    private static final int CHUNKS_AT_ONCE = 8;

    private final LeaderView leader;
    private final FollowerChannel channel;
    private final CRC32C checksum = new CRC32C();
    private String member; // null before the open message
    private String copy = "";
    private PendingAnswer pending;
    private ReplicationReader reader; // null before copying starts
    private FileOffset acknowledged = FileOffset.NONE;
    private FileOffset sentAcknowledged = FileOffset.NONE;
    private long sentNanos;
    private OptionalLong receivedNanos = OptionalLong.empty();

    /** A digest that is being computed for a question. */
    private record PendingAnswer(
            ReplicateWire.Question question, BinlogFile file, FileChannel channel, FileDigest digest) {}

    FollowerSession(LeaderView leader, FollowerChannel channel) {
        this.leader = leader;
        this.channel = channel;
        this.sentNanos = leader.clock().nanoTime();
    }

    /** Name of the follower; empty before its open message. */
    Optional<String> member() {
        return Optional.ofNullable(member);
    }

    /** Up to where it has acknowledged the binlog; {@link FileOffset#NONE} before copying starts. */
    FileOffset acknowledged() {
        return acknowledged;
    }

    /** Name, copy and place of the follower; only after its open message. */
    FollowerCopy follower() {
        return new FollowerCopy(member, copy, acknowledged);
    }

    /** When its last message was received, ns; empty before its first answer: its open message does not show that it receives anything. */
    OptionalLong receivedNanos() {
        return receivedNanos;
    }

    boolean isOver() {
        return channel.isOver();
    }

    /**
     * Does a bounded amount of work; returns how much was done.
     *
     * @throws TributaryException IO_FAILED, BINLOG_CORRUPT when this leader's own files cannot be read
     */
    int doWork(ByteBuffer chunk) {
        try {
            int done = 0;
            for (FromFollower message = channel.poll(); message != null; message = channel.poll()) {
                accept(message);
                done++;
            }
            done += pending == null ? 0 : answer();
            done += reader == null ? 0 : copy(chunk);
            notifyIfDue();
            return done;
        } catch (TributaryException e) {
            if (!FollowerChannel.CODES.contains(e.code())) {
                throw endByOwnError(e);
            }
            refuse(e);
        } catch (IOException e) {
            throw endByOwnError(
                    new TributaryException(ErrorCode.IO_FAILED, "expected to read the leader's files, found " + e, e));
        }
        return 1;
    }

    /** Ends the call because of an error of the leader's own disk. It is not the follower's error, and the follower waits for the next leader. */
    private TributaryException endByOwnError(TributaryException cause) {
        channel.end(new TributaryException(ErrorCode.STREAM_BROKEN, "the leader ends: " + cause.line()));
        return cause;
    }

    private void refuse(TributaryException cause) {
        LOG.warn("follower refused: follower={} reason=\"{}\"", member == null ? "unknown" : member, cause.line());
        channel.end(cause);
    }

    private void accept(FromFollower message) throws IOException {
        boolean isFirst = member == null;
        if (message.hasOpen() != isFirst) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected an open message first and only once, found another order");
        }
        if (message.hasOpen()) {
            leader.check(message);
            open(message.getOpen());
            return;
        }
        if (message.getEpoch() != leader.epoch()) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected messages of epoch " + leader.epoch() + " from follower " + member + ", found epoch "
                            + Long.toUnsignedString(message.getEpoch()));
        }
        receivedNanos = OptionalLong.of(leader.clock().nanoTime());
        switch (message.getWhatCase()) {
            case QUESTION -> ask(message.getQuestion());
            case START -> start(place(message.getStart()));
            case ACKNOWLEDGED -> {
                acknowledged = place(message.getAcknowledged());
                leader.acks().acknowledged(member, acknowledged, message.getAnswered());
            }
            default ->
                throw new TributaryException(
                        ErrorCode.STREAM_CONTRADICTION,
                        "expected a question, a start or an acknowledgement, found an empty message");
        }
    }

    private void open(ReplicateWire.Open open) {
        member = open.getMember();
        copy = open.getCopy();
        ReplicateWire.Welcome.Builder welcome = ReplicateWire.Welcome.newBuilder()
                .setServerUuid(leader.files().serverUuid().toString());
        for (BinlogFile file : leader.files().written()) {
            boolean whole = file.isWhole();
            welcome.addFiles(ReplicateWire.File.newBuilder()
                    .setNumber(file.number())
                    .setSize(file.written())
                    .setWhole(whole));
        }
        send(FromLeader.newBuilder().setWelcome(welcome));
    }

    private void ask(ReplicateWire.Question question) throws IOException {
        if (pending != null) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION, "expected one question at a time, found another before its answer");
        }
        FileOffset place = place(question.getPlace());
        Optional<BinlogFile> first = leader.files().written().stream()
                .filter(each -> each.number() >= place.file() && leader.files().hold(each)) // a purge may run meanwhile
                .findFirst();
        boolean isThere = first.filter(file -> file.number() == place.file() && file.written() >= place.offset())
                .isPresent();
        if (isThere) {
            FileChannel channel = first.get().open();
            pending = new PendingAnswer(question, first.get(), channel, new FileDigest(channel, place.offset()));
        } else {
            answer(question, OptionalLong.empty());
            first.ifPresent(leader.files()::release);
        }
    }

    private int answer() throws IOException {
        if (pending.digest().step()) {
            PendingAnswer done = pending;
            pending = null;
            done.channel().close();
            answer(done.question(), OptionalLong.of(done.digest().value()));
            leader.files().release(done.file());
        }
        return 1;
    }

    private void answer(ReplicateWire.Question question, OptionalLong digest) throws IOException {
        ReplicateWire.Answer.Builder answer = ReplicateWire.Answer.newBuilder().setPlace(question.getPlace());
        digest.ifPresent(answer::setDigest);
        if (question.getWantsEpoch()) {
            FileOffset place = place(question.getPlace());
            CutList.epochAfter(leader.files().written(), place.file(), place.offset())
                    .ifPresent(answer::setEpochBehind);
        }
        send(FromLeader.newBuilder().setAnswer(answer));
    }

    private void start(FileOffset from) throws IOException {
        if (reader != null) {
            throw new TributaryException(ErrorCode.STREAM_CONTRADICTION, "expected one start, found another");
        }
        reader = new ReplicationReader(leader.files(), from);
        CutList.requireValidAfter(leader.files().written(), from);
        acknowledged = from;
        leader.acks().add(member, copy, from);
        LOG.info("follower starts copying: follower={} from={}", member, from);
    }

    private int copy(ByteBuffer chunk) throws IOException {
        int sent = 0;
        while (sent < CHUNKS_AT_ONCE && channel.hasRoom()) {
            Optional<FileOffset> place = reader.read(chunk);
            if (place.isEmpty()) {
                break;
            }
            checksum.reset();
            checksum.update(chunk.duplicate());
            send(FromLeader.newBuilder()
                    .setBatch(ReplicateWire.Batch.newBuilder()
                            .setPlace(wire(place.get()))
                            .setBytes(UnsafeByteOperations.unsafeWrap(chunk))
                            .setChecksum((int) checksum.getValue())
                            .setEndsAtCut(reader.isAtCut())));
            leader.sent(chunk.limit());
            sent++;
        }
        return sent;
    }

    /** Sends a keep-alive when it is due, and at once the new end of what readers may read. */
    private void notifyIfDue() {
        boolean hasNews = leader.acknowledged().compareTo(sentAcknowledged) > 0;
        boolean isQuiet = leader.clock().nanoTime() - sentNanos >= leader.quietNanos();
        if (member != null && (hasNews || isQuiet) && channel.hasRoom()) {
            send(FromLeader.newBuilder());
        }
    }

    private void send(FromLeader.Builder message) {
        sentNanos = leader.clock().nanoTime();
        sentAcknowledged = leader.acknowledged();
        if (sentAcknowledged.file() > 0) {
            message.setAcknowledged(wire(sentAcknowledged));
        }
        int held = leader.files().oldestHeld();
        channel.send(message.setOldestHeld(held == Integer.MAX_VALUE ? 0 : held)
                .setEpoch(leader.epoch())
                .setAsked(sentNanos)
                .setWritten(wire(FileOffset.of(leader.files().writtenEnd())))
                .build());
    }

    /**
     * Decodes a place.
     *
     * @throws TributaryException STREAM_CONTRADICTION when it is invalid
     */
    static FileOffset place(ReplicateWire.Place place) {
        if (place.getFile() < 0 || place.getOffset() < 0) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected a place in a file, found " + Integer.toUnsignedString(place.getFile()) + ":"
                            + Long.toUnsignedString(place.getOffset()));
        }
        return new FileOffset(place.getFile(), place.getOffset());
    }

    static ReplicateWire.Place wire(FileOffset place) {
        return ReplicateWire.Place.newBuilder()
                .setFile(place.file())
                .setOffset(place.offset())
                .build();
    }

    /** Ends the call: a newer call of the same follower exists, or the leader ends. */
    void end(String why) {
        channel.end(new TributaryException(ErrorCode.STREAM_BROKEN, why));
    }

    @Override
    public void close() {
        if (pending != null) {
            leader.files().release(pending.file());
            try {
                pending.channel().close();
            } catch (IOException e) {
                LOG.warn("compared file not closed: file={}", pending.file().path(), e);
            }
        }
        if (reader != null) {
            reader.close();
        }
    }
}
