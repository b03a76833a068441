package io.tributary.dumper.replicate;

import io.tributary.common.cluster.LogPosition;
import io.tributary.common.metric.Count;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CopiedFiles;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a follower knows of its own files and the leader's, for as long as its process lives: calls to leaders come and go. One thread at a
 * time changes it; any thread may look.
 */
public final class CopiedLog {
    private final Count bytes = new Count();
    private final Count cutOffs = new Count();
    private final BinlogPlace before;
    private volatile Optional<BinlogFiles> files;
    private volatile long epoch;
    private volatile LogPosition position = LogPosition.NOTHING;
    private volatile BinlogPlace leaderEnd = BinlogPlace.NONE;
    private volatile OptionalLong heardNanos = OptionalLong.empty();

    /**
     * @param files of readers that are there already; empty where nobody has read
     * @param epoch the newest that is known
     */
    public CopiedLog(Optional<BinlogFiles> files, long epoch) {
        this(files, epoch, BinlogPlace.NONE);
    }

    /** @param before what was acknowledged before, as far as it is known: no leader may differ from that */
    public CopiedLog(Optional<BinlogFiles> files, long epoch, BinlogPlace before) {
        this.files = files;
        this.epoch = epoch;
        this.before = before;
    }

    /** What there is to read; empty until the first file's head is there. */
    public Optional<BinlogFiles> files() {
        return files;
    }

    /** The newest epoch that is known. */
    public long epoch() {
        return epoch;
    }

    /** Where its files end, durably: what it shows in an election. */
    public LogPosition position() {
        return position;
    }

    /** How far the leader said to have it. */
    public BinlogPlace leaderEnd() {
        return leaderEnd;
    }

    /**
     * When the newest message of a leader came, ns; empty for none. Nothing that the leader sent later was confirmed to it, so its lease, as far
     * as it owes that to this follower, goes on from here at most.
     */
    public OptionalLong heardNanos() {
        return heardNanos;
    }

    /** Bytes of the leader's that are not here, as far as that is known: of files before the leader's last one only what is known here. */
    public long behindBytes() {
        BinlogPlace end = leaderEnd;
        LogPosition own = position;
        return end.file() == own.file() ? Math.max(0, end.offset() - own.offset()) : end.offset();
    }

    Count bytes() {
        return bytes;
    }

    Count cutOffs() {
        return cutOffs;
    }

    /** What readers have been shown, here or elsewhere: a leader called it acknowledged. {@link BinlogPlace#NONE} for nothing. */
    public BinlogPlace acknowledged() {
        BinlogPlace now = files.filter(BinlogFiles::isReadable)
                .map(known -> BinlogPlace.of(known.durableEnd()))
                .orElse(BinlogPlace.NONE);
        return now.compareTo(before) > 0 ? now : before;
    }

    /** Goes on with what a recovery found: readers that are there keep their files, and get no more than is acknowledged. */
    CopiedFiles takeOver(CopiedFiles found) {
        boolean isKnown = files.filter(BinlogFiles::isReadable).isPresent();
        CopiedFiles own = isKnown ? found.into(files.orElseThrow()) : found;
        own.follow(isKnown);
        files = own.files();
        return own;
    }

    void has(Optional<BinlogFiles> now) {
        files = now;
    }

    void knows(long newEpoch) {
        epoch = newEpoch;
    }

    void reaches(LogPosition now) {
        position = now;
    }

    void leaderReaches(BinlogPlace now, long nanos) {
        leaderEnd = now;
        heardNanos = OptionalLong.of(nanos);
    }
}
