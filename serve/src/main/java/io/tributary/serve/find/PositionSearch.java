package io.tributary.serve.find;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A search for a position in the binlog. The sparse indexes show in which file and at which offset to begin; a walk over the events finds the
 * position. One thread; each {@link #step()} is bounded.
 */
public final class PositionSearch implements AutoCloseable {
    private static final int FILES_A_STEP = 16;
    private static final long BYTES_A_STEP = 4 << 20;

    private final BinlogFiles files;
    private final SearchGoal goal;
    private final Sid sid;
    private final BinlogPosition end;
    private final List<BinlogFile> list;
    private int checked;
    private BinlogFile file;
    private long from;
    private FileWalk walk;
    private long gno;
    private Cut cut;
    private FoundPosition newest; // the best position so far
    private FoundPosition found;

    /**
     * Begins a search.
     *
     * @param end where the search ends
     */
    public PositionSearch(BinlogFiles files, SearchGoal goal, BinlogPosition end) {
        this.files = files;
        this.goal = goal;
        this.sid = new Sid(files.serverUuid());
        this.end = end;
        this.list = files.list().stream()
                .filter(one -> one.number() <= end.file().number())
                .toList();
        requireKnown();
    }

    private void requireKnown() {
        if (goal instanceof SearchGoal.Transaction transaction
                && !files.executed(end)
                        .contains(transaction.gtid().sid(), transaction.gtid().gno())) {
            throw refused("expected a transaction of the binlog, found " + transaction.gtid() + ", which is not in "
                    + files.executed(end).line());
        }
        if (goal instanceof SearchGoal.Transaction transaction
                && files.purged()
                        .contains(transaction.gtid().sid(), transaction.gtid().gno())) {
            throw refused("expected transaction " + transaction.gtid() + " in the binlog, found it purged");
        }
    }

    /**
     * Does a part of the work.
     *
     * @return the position, when it is found
     * @throws TributaryException READER_REFUSED when there is none, BINLOG_CORRUPT, IO_FAILED
     */
    public Optional<FoundPosition> step() throws IOException {
        if (file == null) {
            chooseFile();
        } else {
            walk();
        }
        return Optional.ofNullable(found);
    }

    /** Checks the indexes of some files, the newest first: the file to begin with has something from before the goal. */
    private void chooseFile() {
        for (int i = 0; i < FILES_A_STEP && file == null; i++) {
            BinlogFile candidate = list.get(list.size() - 1 - checked);
            checked++;
            boolean isOldest = checked == list.size();
            if (goal instanceof SearchGoal.Transaction transaction) {
                long before = candidate.previousGtids().last(sid);
                if (before < transaction.gtid().gno()) {
                    List<SparseEntry> entries = SparseIndex.of(candidate);
                    begin(
                            candidate,
                            SparseIndex.offsetBefore(
                                    entries,
                                    SparseEntry::gno,
                                    transaction.gtid().gno()));
                }
            } else if (goal instanceof SearchGoal.Time time) {
                List<SparseEntry> entries = SparseIndex.of(candidate);
                int later = firstLater(entries, time.epochMicros());
                if (later > 0 || isOldest) {
                    begin(candidate, later > 0 ? entries.get(later - 1).offset() : EventHeader.FILE_MAGIC_LENGTH);
                }
            } else if (goal instanceof SearchGoal.Tso tso) {
                List<SparseEntry> entries = SparseIndex.of(candidate);
                if (isOldest || !entries.isEmpty() && entries.get(0).tso() <= tso.tso()) {
                    begin(candidate, EventHeader.FILE_MAGIC_LENGTH); // a full cut is in its head
                }
            }
        }
    }

    /** Number of entries before the first one that is not earlier; clocks of shards differ, so entries are not ordered by time. */
    private static int firstLater(List<SparseEntry> entries, long micros) {
        int i = 0;
        while (i < entries.size() && entries.get(i).commitMicros() < micros) {
            i++;
        }
        return i;
    }

    private void begin(BinlogFile first, long offset) {
        file = first;
        from = offset;
    }

    private void walk() throws IOException {
        if (walk == null) {
            walk = new FileWalk(file, from, file == end.file() ? end.offset() : file.end());
        }
        long stop = walk.at() + BYTES_A_STEP;
        while (found == null && walk.at() < stop) {
            if (!walk.next()) {
                nextFile();
                return;
            }
            check(walk.events());
        }
    }

    private void check(EventScan events) {
        if (events.type() == EventType.GTID_LOG_EVENT) {
            gno = GtidEvent.gno(events.view(), events.viewAt());
            long micros = GtidEvent.immediateCommitMicros(events.view(), events.viewAt(), events.viewEnd());
            boolean isGoal = goal instanceof SearchGoal.Time time && micros >= time.epochMicros()
                    || goal instanceof SearchGoal.Transaction transaction
                            && gno == transaction.gtid().gno();
            if (isGoal) {
                found = at(file, events.at(), gno - 1).with(new Gtid(sid, gno), micros);
            }
        } else if (goal instanceof SearchGoal.Tso tso && events.isCut()) {
            cut = CutCodec.decode(cut, events.cut());
            if (cut.tso() > tso.tso()) {
                found = best(tso);
            } else if (cut.tso() > 0) {
                newest = at(file, events.end(), cut.transactions()).withTso(cut.tso());
            }
        }
    }

    private FoundPosition best(SearchGoal.Tso tso) {
        if (newest == null) {
            throw refused("expected a position before which nothing is newer than TSO " + tso.tso()
                    + ", found the oldest cut that is not purged at TSO " + (cut == null ? 0 : cut.tso()));
        }
        return newest;
    }

    /** Continues with the next file, or ends the search. */
    private void nextFile() throws IOException {
        walk.close();
        walk = null;
        Optional<BinlogFile> next = file == end.file() ? Optional.empty() : files.next(file);
        if (next.isPresent()) {
            begin(next.get(), EventHeader.FILE_MAGIC_LENGTH);
        } else if (goal instanceof SearchGoal.Tso tso) {
            if (newest == null && (cut == null || cut.tso() == 0)) {
                throw refused("expected a binlog of order.mode = tso, found no TSO in it");
            }
            found = best(tso);
        } else {
            found = at(end.file(), end.offset(), end.gno());
        }
    }

    /** A position after the transaction of this number. */
    private FoundPosition at(BinlogFile in, long offset, long last) {
        GtidSet before = in.previousGtids();
        long known = before.last(sid);
        if (last > known) {
            before = before.toBuilder().addRange(sid, known + 1, last).build();
        }
        boolean isFirst =
                last == list.get(0).previousGtids().last(sid) && !files.purged().isEmpty();
        return new FoundPosition(
                in.name(), offset, Optional.empty(), 0, 0, before, isFirst && goal instanceof SearchGoal.Time);
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.READER_REFUSED, message);
    }

    @Override
    public void close() throws IOException {
        if (walk != null) {
            walk.close();
            walk = null;
        }
    }
}
