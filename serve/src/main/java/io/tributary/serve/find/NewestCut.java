package io.tributary.serve.find;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.EventHeader;
import java.io.IOException;
import java.util.Optional;

/**
 * The newest cut of the binlog. It remembers the cut that it decoded last and continues from there; in another file it begins with the full
 * cut in the file's head. One thread; each {@link #step} is bounded.
 */
public final class NewestCut {
    private static final long BYTES_A_STEP = 4 << 20;

    private BinlogFile file; // null: begin with the next one that is asked for
    private long at; // after the last event that was read
    private Cut cut; // the last one before it; null before the first one of the file

    /**
     * Does a part of the work.
     *
     * @param end a readable end of the binlog, which is after a cut
     * @return when it is found, the cut at that end, or a newer one that was read for a later end
     * @throws TributaryException BINLOG_CORRUPT, CUT_UNUSABLE, IO_FAILED
     */
    public Optional<Cut> step(BinlogPosition end) throws IOException {
        if (isAtOrAfter(end)) {
            return Optional.of(cut);
        }
        if (file != end.file()) { // a later file, or the same one after a recovery
            begin(end.file());
        }
        try {
            read(end.offset());
        } catch (IOException | RuntimeException e) {
            begin(null); // the next question must not depend on what this one has read
            throw e;
        }
        return isAtOrAfter(end) ? Optional.of(cut) : Optional.empty();
    }

    private boolean isAtOrAfter(BinlogPosition end) {
        return cut != null
                && (file == end.file()
                        ? at >= end.offset()
                        : file.number() > end.file().number());
    }

    private void begin(BinlogFile other) {
        file = other;
        at = EventHeader.FILE_MAGIC_LENGTH;
        cut = null;
    }

    private void read(long end) throws IOException {
        long stop = Math.min(end, at + BYTES_A_STEP);
        try (FileWalk walk = new FileWalk(file, at, end)) {
            while (walk.at() < stop && walk.next()) {
                if (walk.events().isCut()) {
                    cut = CutCodec.decode(cut, walk.events().cut());
                }
            }
            at = walk.at();
        }
    }
}
