package io.tributary.binlog.replicate;

import io.tributary.binlog.CopiedFiles;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.RetentionHold;
import io.tributary.binlog.replicate.proto.ReplicateWire;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.binlog.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.binlog.write.BinlogDisk;
import io.tributary.binlog.write.CopyWriter;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that copies the leader's files. It finds out, together with the leader, up to where its own files are the same, discards the rest,
 * and then writes, checks, syncs to disk and acknowledges what it receives, many batches at once. A call that ends fails the stage; the
 * role builds a new one. The stage needs its own thread: it waits for the disk.
 */
public final class FollowStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(FollowStage.class);
    private static final int AT_ONCE = 64;

    private final FollowedLeader leader;
    private final FollowerId follower;
    private final BinlogDisk disk;
    private final CopiedLog log;
    private final Clock clock;
    private final BatchCheck check;
    private LeaderChannel call; // null before it is opened
    private CopiedFiles own;
    private CommonPrefixSearch search; // null when it is complete
    private CopyWriter writer; // null before the copying begins
    private long epoch;
    private long answered;
    private boolean owesAnswer;

    /**
     * Creates the stage; it does not connect yet.
     *
     * @param disk nothing else writes there
     * @param log what is known from earlier calls
     */
    public FollowStage(FollowedLeader leader, FollowerId follower, BinlogDisk disk, CopiedLog log, Metrics metrics) {
        this.leader = leader;
        this.follower = follower;
        this.check = new BatchCheck(leader.address());
        this.disk = disk;
        this.log = log;
        this.clock = disk.clock();
        metrics.register(Metric.FOLLOW_BYTES, log.bytes()::value);
        metrics.register(Metric.FOLLOW_BEHIND, log::behindBytes);
        metrics.register(Metric.FOLLOW_CUT_OFF, log.cutOffs()::value);
    }

    @Override
    public String name() {
        return "follow";
    }

    /**
     * Opens the connection in the first call.
     *
     * @throws TributaryException STREAM_BROKEN, EPOCH_OVER, FOLLOWER_BEHIND, FOLLOWER_DIVERGED, STREAM_CONTRADICTION, BINLOG_CORRUPT,
     *     DIRECTORY_UNUSABLE
     */
    @Override
    public int doWork() throws IOException {
        if (call == null) {
            open();
        }
        int done = 0;
        boolean endsAtCut = false;
        while (done < AT_ONCE) {
            FromLeader message = call.poll();
            if (message == null) {
                break;
            }
            accept(message);
            endsAtCut = message.hasBatch() ? message.getBatch().getEndsAtCut() : endsAtCut;
            done++;
        }
        if (writer != null && done > 0) {
            acknowledge(endsAtCut);
        }
        return done;
    }

    private void open() {
        epoch = Math.max(leader.knownEpoch(), log.epoch());
        call = leader.dial();
        call.send(FromFollower.newBuilder()
                .setEpoch(epoch)
                .setOpen(ReplicateWire.Open.newBuilder()
                        .setVersion(LogIdentity.VERSION)
                        .setCluster(follower.log().cluster())
                        .setName(follower.log().name())
                        .setMember(follower.member())
                        .setCopy(disk.directory().copyId(clock).toString()))
                .build());
    }

    private void accept(FromLeader message) throws IOException {
        checkEpoch(message);
        answered = message.getAsked();
        owesAnswer = true;
        disk.directory().setLeaderHold(new RetentionHold(message.getOldestHeld(), clock.nanoTime(), clock));
        log.setLeaderEnd(FollowerSession.place(message.getWritten()), clock.nanoTime());
        switch (message.getWhatCase()) {
            case WELCOME -> recoverAndSearch(message.getWelcome());
            case ANSWER -> {
                search.answer(message.getAnswer());
                askOrBegin();
            }
            case BATCH -> write(message.getBatch());
            default -> {} // a keep-alive
        }
        if (message.hasAcknowledged() && writer != null) {
            FileOffset acknowledged = FollowerSession.place(message.getAcknowledged());
            writer.files().ifPresent(files -> files.acknowledge(acknowledged));
        }
    }

    private void checkEpoch(FromLeader message) {
        long theirs = message.getEpoch();
        long known = Math.max(epoch, leader.knownEpoch());
        boolean isNew = message.hasWelcome() ? theirs >= known : theirs == epoch && theirs == known;
        if (!isNew) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected the leader at " + leader.address() + " to lead under epoch " + known
                            + ", found a message of epoch " + theirs);
        }
        epoch = theirs;
        log.setEpoch(theirs);
    }

    private void recoverAndSearch(ReplicateWire.Welcome welcome) throws IOException {
        disk.directory().adopt(UUID.fromString(welcome.getServerUuid()));
        own = recovered();
        requireNotNewer();
        log.setLeaderFiles(leaderFiles(welcome));
        search = new CommonPrefixSearch(own, welcome.getFilesList(), log.acknowledged());
        askOrBegin();
    }

    private CopiedLog.LeaderFiles leaderFiles(ReplicateWire.Welcome welcome) {
        Map<Integer, Long> finished = welcome.getFilesList().stream()
                .filter(ReplicateWire.File::getWhole)
                .collect(Collectors.toMap(ReplicateWire.File::getNumber, ReplicateWire.File::getSize, Math::max));
        int oldest = welcome.getFilesCount() == 0 ? 1 : welcome.getFiles(0).getNumber();
        return new CopiedLog.LeaderFiles(
                oldest, finished, disk.config().fileSize().bytes());
    }

    /** Refuses a leader that is older than the one whose binlog this follower has. */
    private void requireNotNewer() {
        long newest = own.tail().hasCut() ? CutEpoch.leader(own.tail().cut().epoch()) : 0;
        if (newest > epoch) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected the leader at " + leader.address() + " to lead under epoch " + newest
                            + ", with which this follower's files end, found epoch " + epoch);
        }
    }

    private CopiedFiles recovered() {
        return Recovery.runForCopies(disk.directory(), disk.config(), clock);
    }

    private void askOrBegin() {
        Optional<ReplicateWire.Question> question = search.question();
        if (question.isPresent()) {
            call.send(message().setQuestion(question.get()).build());
            return;
        }
        FileOffset common = search.common();
        if (search.mustCutOff()) {
            LOG.error(
                    "binlog truncated: leader={} to={} from={} reason=\"unacknowledged bytes differ\"",
                    leader.address(),
                    common,
                    own.end());
            log.cutOffs().add(1);
            CopiedFiles.cutOff(disk.directory(), common);
            own = recovered();
        }
        search = null;
        begin();
    }

    private void begin() {
        own = log.resumeWith(own);
        writer = new CopyWriter(disk, own);
        log.setPosition(writer.position());
        LOG.info(
                "copying started: log=\"{}\" leader={} epoch={} from={}",
                follower.log(),
                leader.address(),
                epoch,
                writer.durable());
        call.send(message().setStart(FollowerSession.wire(writer.durable())).build());
    }

    private FromFollower.Builder message() {
        return FromFollower.newBuilder().setEpoch(epoch).setAnswered(answered);
    }

    private void write(ReplicateWire.Batch batch) {
        ByteBuffer bytes = check.checked(batch);
        log.bytes().add(bytes.remaining());
        FileOffset place = FollowerSession.place(batch.getPlace());
        writer.write(place.file(), place.offset(), bytes);
    }

    /** Syncs everything that was received, and acknowledges it. */
    private void acknowledge(boolean endsAtCut) {
        boolean hasMoved = check.verified(writer, endsAtCut);
        if (hasMoved) {
            log.setFiles(writer.files());
            log.setPosition(writer.position());
        }
        if (hasMoved || owesAnswer) {
            owesAnswer = false;
            call.send(message()
                    .setAcknowledged(FollowerSession.wire(writer.durable()))
                    .build());
        }
    }

    @Override
    public void close() {
        if (call != null) {
            call.close();
        }
        if (writer != null) {
            writer.close();
        }
    }
}
