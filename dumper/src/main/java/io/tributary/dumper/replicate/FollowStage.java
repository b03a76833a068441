package io.tributary.dumper.replicate;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CopiedFiles;
import io.tributary.dumper.OldestHeld;
import io.tributary.dumper.Recovery;
import io.tributary.dumper.replicate.proto.ReplicateWire;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromFollower;
import io.tributary.dumper.replicate.proto.ReplicateWire.FromLeader;
import io.tributary.dumper.write.CopyWriter;
import io.tributary.dumper.write.FileOpener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the leader's files: finds out with it up to where its own are the same, throws away what is not, and then writes, checks, forces to
 * disk and acknowledges what comes, many batches at once. A call that ends fails the stage; the role builds a new one.
 * Give it a thread of its own: it waits for the disk.
 */
public final class FollowStage implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(FollowStage.class);
    private static final int AT_ONCE = 64;

    private final Supplier<LeaderLine> dial;
    private final LogIdentity identity;
    private final HostPort leader;
    private final String member;
    private final LongSupplier knownEpoch;
    private final BinlogDirectory directory;
    private final BinlogConfig binlog;
    private final FileOpener opener;
    private final CopiedLog log;
    private final Clock clock;
    private final BatchCheck check;
    private LeaderLine call; // null before it is opened
    private CopiedFiles own;
    private Agreement agreement; // while it is sought, else null
    private CopyWriter writer; // null before the copying begins
    private long epoch;
    private long answered;
    private boolean owesAnswer;

    /**
     * @param leader whom to copy
     * @param member this follower's name
     * @param knownEpoch the newest epoch that anybody has told this node of; a leader of an older one is refused
     * @param directory whose lock is held; nobody else writes in it
     * @param log what is known from before
     */
    public FollowStage(
            ReplicateConfig config,
            LogIdentity identity,
            HostPort leader,
            String member,
            LongSupplier knownEpoch,
            BinlogDirectory directory,
            BinlogConfig binlog,
            CopiedLog log,
            Metrics metrics,
            Clock clock) {
        this(
                () -> new LeaderCall(config, leader),
                identity,
                leader,
                member,
                knownEpoch,
                directory,
                binlog,
                FileOpener.SYSTEM,
                log,
                metrics,
                clock);
    }

    FollowStage(
            Supplier<LeaderLine> dial,
            LogIdentity identity,
            HostPort leader,
            String member,
            LongSupplier knownEpoch,
            BinlogDirectory directory,
            BinlogConfig binlog,
            FileOpener opener,
            CopiedLog log,
            Metrics metrics,
            Clock clock) {
        this.dial = dial;
        this.opener = opener;
        this.identity = identity;
        this.leader = leader;
        this.check = new BatchCheck(leader);
        this.member = member;
        this.knownEpoch = knownEpoch;
        this.directory = directory;
        this.binlog = binlog;
        this.log = log;
        this.clock = clock;
        metrics.register(Metric.FOLLOW_BYTES, log.bytes()::value);
        metrics.register(Metric.FOLLOW_BEHIND, log::behindBytes);
        metrics.register(Metric.FOLLOW_CUT_OFF, log.cutOffs()::value);
    }

    @Override
    public String name() {
        return "follow";
    }

    /**
     * Connects with the first call.
     *
     * @throws TributaryException STREAM_BROKEN, EPOCH_OVER, FOLLOWER_BEHIND, FOLLOWER_DIVERGED, STREAM_CONTRADICTION, BINLOG_CORRUPT, DIRECTORY_UNUSABLE
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
            take(message);
            endsAtCut = message.hasBatch() ? message.getBatch().getEndsAtCut() : endsAtCut;
            done++;
        }
        if (writer != null && done > 0) {
            settle(endsAtCut);
        }
        return done;
    }

    private void open() {
        epoch = Math.max(knownEpoch.getAsLong(), log.epoch());
        call = dial.get();
        call.send(FromFollower.newBuilder()
                .setEpoch(epoch)
                .setOpen(ReplicateWire.Open.newBuilder()
                        .setVersion(LogIdentity.VERSION)
                        .setCluster(identity.cluster())
                        .setName(identity.name())
                        .setMember(member)
                        .setCopy(directory.copyId(clock).toString()))
                .build());
    }

    private void take(FromLeader message) throws IOException {
        checkEpoch(message);
        answered = message.getAsked();
        owesAnswer = true;
        directory.keep(new OldestHeld(message.getOldestHeld(), clock.nanoTime(), clock));
        log.leaderReaches(FollowerSession.place(message.getWritten()), clock.nanoTime());
        switch (message.getWhatCase()) {
            case WELCOME -> welcomed(message.getWelcome());
            case ANSWER -> {
                agreement.answer(message.getAnswer());
                askOrStart();
            }
            case BATCH -> write(message.getBatch());
            default -> {} // a sign of life
        }
        if (message.hasAcknowledged() && writer != null) {
            BinlogPlace acknowledged = FollowerSession.place(message.getAcknowledged());
            writer.files().ifPresent(files -> files.acknowledge(acknowledged));
        }
    }

    private void checkEpoch(FromLeader message) {
        long theirs = message.getEpoch();
        long known = Math.max(epoch, knownEpoch.getAsLong());
        boolean isNew = message.hasWelcome() ? theirs >= known : theirs == epoch && theirs == known;
        if (!isNew) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected the leader at " + leader + " to lead under epoch " + known + ", its word is of epoch "
                            + theirs);
        }
        epoch = theirs;
        log.knows(theirs);
    }

    private void welcomed(ReplicateWire.Welcome welcome) throws IOException {
        directory.adopt(UUID.fromString(welcome.getServerUuid()));
        own = recovered();
        requireNotNewer();
        agreement = new Agreement(own, welcome.getFilesList(), log.acknowledged());
        askOrStart();
    }

    /** What this follower has may be of a leader that came after the one it calls. */
    private void requireNotNewer() {
        long newest = own.tail().hasCut() ? CutEpoch.leader(own.tail().cut().epoch()) : 0;
        if (newest > epoch) {
            throw new TributaryException(
                    ErrorCode.EPOCH_OVER,
                    "expected the leader at " + leader + " to lead under epoch " + newest
                            + ", which this follower's files end with, it leads under epoch " + epoch);
        }
    }

    private CopiedFiles recovered() {
        return Recovery.runForCopies(directory, binlog, clock);
    }

    private void askOrStart() {
        Optional<ReplicateWire.Question> question = agreement.question();
        if (question.isPresent()) {
            call.send(word().setQuestion(question.get()).build());
            return;
        }
        BinlogPlace common = agreement.common();
        if (agreement.mustCutOff()) {
            LOG.error(
                    "the leader at {} goes on otherwise behind {}: what this follower has behind that, up to {}, was never"
                            + " acknowledged and is thrown away",
                    leader,
                    common,
                    own.end());
            log.cutOffs().add(1);
            CopiedFiles.cutOff(directory, common);
            own = recovered();
        }
        agreement = null;
        begin();
    }

    private void begin() {
        own = log.takeOver(own);
        writer = new CopyWriter(directory, binlog, own, opener);
        log.reaches(writer.position());
        LOG.info("copies {} of the leader at {} under epoch {} from {} on", identity, leader, epoch, writer.durable());
        call.send(word().setStart(FollowerSession.wire(writer.durable())).build());
    }

    private FromFollower.Builder word() {
        return FromFollower.newBuilder().setEpoch(epoch).setAnswered(answered);
    }

    private void write(ReplicateWire.Batch batch) {
        ByteBuffer bytes = check.checked(batch);
        log.bytes().add(bytes.remaining());
        BinlogPlace place = FollowerSession.place(batch.getPlace());
        writer.write(place.file(), place.offset(), bytes);
    }

    /** All that has come is forced at once, and acknowledged. */
    private void settle(boolean endsAtCut) {
        boolean hasMoved = check.settled(writer, endsAtCut);
        if (hasMoved) {
            log.has(writer.files());
            log.reaches(writer.position());
        }
        if (hasMoved || owesAnswer) {
            owesAnswer = false;
            call.send(word().setAcknowledged(FollowerSession.wire(writer.durable()))
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
