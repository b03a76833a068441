package io.tributary.binlog.replicate;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.CopiedFiles;
import io.tributary.binlog.file.FileOffset;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.metric.Count;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A follower's knowledge of its own files and the leader's, for the lifetime of its process, over many calls to leaders. One thread at a
 * time changes it; any thread may read it.
 */
public final class CopiedLog {
    private final Count bytes = new Count();
    private final Count cutOffs = new Count();
    private final FileOffset before;
    private volatile Optional<BinlogFiles> files;
    private volatile long epoch;
    private volatile LogPosition position = LogPosition.NOTHING;
    private volatile FileOffset leaderEnd = FileOffset.NONE;
    private volatile LeaderFiles leaderFiles = new LeaderFiles(1, Map.of(), 0);
    private volatile OptionalLong confirmedNanos = OptionalLong.empty();

    /**
     * The leader's files when the call began.
     *
     * @param oldest the number of its oldest file
     * @param finished sizes of its finished files by number
     * @param usual size of a finished file, binlog.file.size
     */
    record LeaderFiles(int oldest, Map<Integer, Long> finished, long usual) {}

    /**
     * @param files files that readers already use; empty when there are none
     * @param epoch the newest known epoch
     */
    public CopiedLog(Optional<BinlogFiles> files, long epoch) {
        this(files, epoch, FileOffset.NONE);
    }

    /**
     * As above.
     *
     * @param before what was acknowledged earlier, as far as it is known: no leader may differ from it
     */
    public CopiedLog(Optional<BinlogFiles> files, long epoch, FileOffset before) {
        this.files = files;
        this.epoch = epoch;
        this.before = before;
    }

    /** The files for readers; empty until the head of the first file is written. */
    public Optional<BinlogFiles> files() {
        return files;
    }

    /** The newest known epoch. */
    public long epoch() {
        return epoch;
    }

    /** The durable end of its files: its position in an election. */
    public LogPosition position() {
        return position;
    }

    /** The end of the leader's files, as the leader reported it. */
    FileOffset leaderEnd() {
        return leaderEnd;
    }

    /**
     * When the newest message of a leader arrived, ns; empty for none. The follower confirmed nothing that the leader sent later. So the part
     * of the leader's lease that depends on this follower is extended from this time at most.
     */
    public OptionalLong confirmedNanos() {
        return confirmedNanos;
    }

    /** Bytes of the leader that this node does not have. Files that the leader has finished since the call began count with their usual size. */
    public long behindBytes() {
        FileOffset end = leaderEnd;
        LogPosition own = position;
        LeaderFiles known = leaderFiles;
        long behind = end.offset() - own.offset();
        for (int file = Math.max(own.file(), known.oldest()); file < end.file(); file++) {
            behind += known.finished().getOrDefault(file, known.usual());
        }
        return Math.max(0, behind);
    }

    Count bytes() {
        return bytes;
    }

    Count cutOffs() {
        return cutOffs;
    }

    /** What readers may have read, here or on another node: a leader reported it as acknowledged. {@link FileOffset#NONE} for nothing. */
    public FileOffset acknowledged() {
        FileOffset now = files.filter(BinlogFiles::isReadable)
                .map(known -> FileOffset.of(known.durableEnd()))
                .orElse(FileOffset.NONE);
        return now.compareTo(before) > 0 ? now : before;
    }

    /** Continues with what a recovery found: present readers keep their files and may read no more than is acknowledged. */
    CopiedFiles resumeWith(CopiedFiles found) {
        boolean isKnown = files.filter(BinlogFiles::isReadable).isPresent();
        CopiedFiles own = isKnown ? found.into(files.orElseThrow()) : found;
        own.files().ifPresent(isKnown ? BinlogFiles::requireAcknowledgement : BinlogFiles::requireAcknowledgementOfAll);
        files = own.files();
        return own;
    }

    void setFiles(Optional<BinlogFiles> now) {
        files = now;
    }

    void setEpoch(long newEpoch) {
        epoch = newEpoch;
    }

    void setPosition(LogPosition now) {
        position = now;
    }

    void setLeaderFiles(LeaderFiles now) {
        leaderFiles = now;
    }

    void setLeaderEnd(FileOffset now, long nanos) {
        leaderEnd = now;
        confirmedNanos = OptionalLong.of(nanos);
    }
}
