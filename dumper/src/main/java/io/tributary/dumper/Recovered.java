package io.tributary.dumper;

import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where the writing goes on after a start.
 *
 * @param files the files, up to their last durable cut
 * @param cut the cut at which the last one ends
 * @param gnoBefore number of the newest transaction before the last file
 * @param nextMark offset from which on a transaction gets the next entry in the sparse index
 */
public record Recovered(BinlogFiles files, Cut cut, long gnoBefore, long nextMark) {
    /** The cut with which the first file of all begins. */
    static final Cut BEGINNING = new Cut(0, 0, 0, 0, List.of(), Set.of(), SchemaState.NONE);

    /** The cut from which the Task is to go on; empty when nothing has been written yet. */
    public Optional<Cut> resume() {
        return cut.shards().isEmpty() ? Optional.empty() : Optional.of(cut);
    }

    /**
     * The same for readers that are there already, when a pipeline that wrote has failed and the folder was recovered again: they
     * keep their files and go on with what was found.
     *
     * @param known the files of the recovery before
     * @throws io.tributary.common.error.TributaryException BINLOG_CORRUPT when less was found than they may have read
     */
    public Recovered into(BinlogFiles known) {
        known.goOnWith(files);
        return new Recovered(known, cut, gnoBefore, nextMark);
    }
}
