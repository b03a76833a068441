package io.tributary.binlog;

import io.tributary.common.value.Cut;
import java.util.List;
import java.util.Optional;

/**
 * The result of a recovery: where the writer continues after a start.
 *
 * @param files the files, up to their last durable cut
 * @param cut the cut at which the last one ends
 * @param gnoBefore number of the newest transaction before the last file
 * @param nextMark offset from which on a transaction gets the next entry in the sparse index
 */
public record Recovered(BinlogFiles files, Cut cut, long gnoBefore, long nextMark) {
    /** The cut at the beginning of the first file. */
    static final Cut BEGINNING = Cut.beginning(List.of());

    /** The cut from which the Task must continue; empty when nothing has been written yet. */
    public Optional<Cut> resume() {
        return cut.shards().isEmpty() ? Optional.empty() : Optional.of(cut);
    }

    /**
     * The same result with files that readers already use, after a pipeline has failed and the folder was recovered again. The
     * readers keep their file objects and continue with what was found.
     *
     * @param known the files of the recovery before
     * @throws io.tributary.common.error.TributaryException BINLOG_CORRUPT when less was found than readers may have read
     */
    public Recovered into(BinlogFiles known) {
        known.resumeWith(files);
        return new Recovered(known, cut, gnoBefore, nextMark);
    }
}
