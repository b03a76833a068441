package io.tributary.dumper.replicate;

import com.google.protobuf.UnsafeByteOperations;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.replicate.proto.ReplicateWire;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromLeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One follower on the leader's side: answers what it asks, then sends what it has not. Costs one open file and no memory of its own. */
final class FollowerSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerSession.class);
    private static final int CHUNKS_AT_ONCE = 8;

    private final LeaderState leader;
    private final FollowerLine line;
    private final CRC32C checksum = new CRC32C();
    private String member; // null before it has said so
    private String copy = "";
    private PendingAnswer pending;
    private LogReader reader; // null before the copying begins
    private BinlogPlace acknowledged = BinlogPlace.NONE;
    private BinlogPlace toldAcknowledged = BinlogPlace.NONE;
    private long sentNanos;
    private OptionalLong saidNanos = OptionalLong.empty();

    /** A digest on its way. */
    private record PendingAnswer(
            ReplicateWire.Question question, BinlogFile file, FileChannel channel, FileDigest digest) {}

    FollowerSession(LeaderState leader, FollowerLine line) {
        this.leader = leader;
        this.line = line;
        this.sentNanos = leader.clock().nanoTime();
    }

    /** Its name; empty before it has said it. */
    Optional<String> member() {
        return Optional.ofNullable(member);
    }

    /** How far it is; {@link BinlogPlace#NONE} before the copying begins. */
    BinlogPlace acknowledged() {
        return acknowledged;
    }

    /** Who it is, and how far; only once it has said its name. */
    FollowerCopy follower() {
        return new FollowerCopy(member, copy, acknowledged);
    }

    /** When it said something last, ns; empty before it has answered anything: what it says first tells nothing of its ears. */
    OptionalLong saidNanos() {
        return saidNanos;
    }

    boolean isOver() {
        return line.isOver();
    }

    /**
     * A bounded amount of work; how much was done.
     *
     * @throws TributaryException IO_FAILED, BINLOG_CORRUPT where this leader's own files cannot be read
     */
    int doWork(ByteBuffer chunk) {
        try {
            int done = 0;
            for (FromFollower message = line.poll(); message != null; message = line.poll()) {
                take(message);
                done++;
            }
            done += pending == null ? 0 : answer();
            done += reader == null ? 0 : copy(chunk);
            tellIfQuiet();
            return done;
        } catch (TributaryException e) {
            if (!FollowerLine.CODES.contains(e.code())) {
                throw ofOurs(e);
            }
            refuse(e);
        } catch (IOException e) {
            throw ofOurs(new TributaryException(ErrorCode.IO_FAILED, "the leader cannot read its files: " + e, e));
        }
        return 1;
    }

    /** What the leader's own disk says is no fault of the follower's, who waits for the next leader. */
    private TributaryException ofOurs(TributaryException cause) {
        line.end(new TributaryException(ErrorCode.STREAM_BROKEN, "the leader ends: " + cause.line()));
        return cause;
    }

    private void refuse(TributaryException cause) {
        LOG.warn("follower {} is refused: {}", member == null ? "(no name yet)" : member, cause.line());
        line.end(cause);
    }

    private void take(FromFollower message) throws IOException {
        boolean isFirst = member == null;
        if (message.hasOpen() != isFirst) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION, "expected to be opened by the first message and no other");
        }
        if (message.hasOpen()) {
            leader.check(message);
            open(message.getOpen());
            return;
        }
        if (message.getEpoch() != leader.epoch()) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected words of epoch " + leader.epoch() + " from follower " + member + ", got epoch "
                            + Long.toUnsignedString(message.getEpoch()));
        }
        saidNanos = OptionalLong.of(leader.clock().nanoTime());
        switch (message.getWhatCase()) {
            case QUESTION -> ask(message.getQuestion());
            case START -> start(place(message.getStart()));
            case ACKNOWLEDGED -> {
                acknowledged = place(message.getAcknowledged());
                leader.acks().acknowledged(member, acknowledged, message.getAnswered());
            }
            default -> throw new TributaryException(ErrorCode.STREAM_CONTRADICTION, "a message that says nothing");
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
                    ErrorCode.STREAM_CONTRADICTION, "expected one question at a time, got another before its answer");
        }
        BinlogPlace place = place(question.getPlace());
        Optional<BinlogFile> first = leader.files().written().stream()
                .filter(each -> each.number() >= place.file() && leader.files().hold(each)) // a purge goes on meanwhile
                .findFirst();
        boolean isThere = first.filter(file -> file.number() == place.file() && file.written() >= place.offset())
                .isPresent();
        if (isThere) {
            FileChannel channel = first.get().open();
            pending = new PendingAnswer(question, first.get(), channel, new FileDigest(channel, place.offset()));
        } else {
            answer(question, OptionalLong.empty());
            first.ifPresent(leader.files()::letGo);
        }
    }

    private int answer() throws IOException {
        if (pending.digest().step()) {
            PendingAnswer done = pending;
            pending = null;
            done.channel().close();
            answer(done.question(), OptionalLong.of(done.digest().value()));
            leader.files().letGo(done.file());
        }
        return 1;
    }

    private void answer(ReplicateWire.Question question, OptionalLong digest) throws IOException {
        ReplicateWire.Answer.Builder answer = ReplicateWire.Answer.newBuilder().setPlace(question.getPlace());
        digest.ifPresent(answer::setDigest);
        if (question.getWantsEpoch()) {
            BinlogPlace place = place(question.getPlace());
            CutList.epochBehind(leader.files().written(), place.file(), place.offset())
                    .ifPresent(answer::setEpochBehind);
        }
        send(FromLeader.newBuilder().setAnswer(answer));
    }

    private void start(BinlogPlace from) throws IOException {
        if (reader != null) {
            throw new TributaryException(ErrorCode.STREAM_CONTRADICTION, "expected one start, got another");
        }
        reader = new LogReader(leader.files(), from);
        CutList.requireSoundBehind(leader.files().written(), from);
        acknowledged = from;
        leader.acks().begins(member, copy, from);
        LOG.info("follower {} copies from {} on", member, from);
    }

    private int copy(ByteBuffer chunk) throws IOException {
        int sent = 0;
        while (sent < CHUNKS_AT_ONCE && line.hasRoom()) {
            Optional<BinlogPlace> place = reader.read(chunk);
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

    /** A sign of life now and then, and at once what readers may read now. */
    private void tellIfQuiet() {
        boolean hasNews = leader.acknowledged().compareTo(toldAcknowledged) > 0;
        boolean isQuiet = leader.clock().nanoTime() - sentNanos >= leader.quietNanos();
        if (member != null && (hasNews || isQuiet) && line.hasRoom()) {
            send(FromLeader.newBuilder());
        }
    }

    private void send(FromLeader.Builder message) {
        sentNanos = leader.clock().nanoTime();
        toldAcknowledged = leader.acknowledged();
        if (toldAcknowledged.file() > 0) {
            message.setAcknowledged(wire(toldAcknowledged));
        }
        int held = leader.files().oldestHeld();
        line.send(message.setOldestHeld(held == Integer.MAX_VALUE ? 0 : held)
                .setEpoch(leader.epoch())
                .setAsked(sentNanos)
                .setWritten(wire(BinlogPlace.of(leader.files().writtenEnd())))
                .build());
    }

    /** @throws TributaryException STREAM_CONTRADICTION where there can be no such place */
    static BinlogPlace place(ReplicateWire.Place place) {
        if (place.getFile() < 0 || place.getOffset() < 0) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected a place in a file, got " + Integer.toUnsignedString(place.getFile()) + ":"
                            + Long.toUnsignedString(place.getOffset()));
        }
        return new BinlogPlace(place.getFile(), place.getOffset());
    }

    static ReplicateWire.Place wire(BinlogPlace place) {
        return ReplicateWire.Place.newBuilder()
                .setFile(place.file())
                .setOffset(place.offset())
                .build();
    }

    /** Another stream of the same follower has taken over, or the leader ends. */
    void end(String why) {
        line.end(new TributaryException(ErrorCode.STREAM_BROKEN, why));
    }

    @Override
    public void close() {
        if (pending != null) {
            leader.files().letGo(pending.file());
            try {
                pending.channel().close();
            } catch (IOException e) {
                LOG.warn("cannot close a file that was being compared", e);
            }
        }
        if (reader != null) {
            reader.close();
        }
    }
}
