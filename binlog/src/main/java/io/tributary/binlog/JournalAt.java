package io.tributary.binlog;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Kind;
import io.tributary.mysql.event.EventHeader;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;

/**
 * The journal's map as of one place of the readable binlog. To move forward, it reads the changes between the two places. To move back,
 * it begins with a snapshot. For one thread.
 */
public final class JournalAt implements AutoCloseable {
    private final BinlogFiles files;
    private final JournalMap map;
    private FileOffset at = FileOffset.NONE; // the place of the map's state; NONE: undefined

    /**
     * A map without a place yet.
     *
     * @param name of the folder beside the files for a large map; only this map uses it
     */
    public JournalAt(BinlogFiles files, String name) {
        this.files = files;
        this.map = JournalMap.at(files.folder().resolve(name));
    }

    /** The map as of the last {@link #moveTo}; the caller only reads it. */
    public JournalMap map() {
        return map;
    }

    /**
     * Moves the map to a place: all changes before that place are in it.
     *
     * @param to where an event begins, or the end of what may be read
     * @throws TributaryException READER_REFUSED when the files that it needs are purged, BINLOG_CORRUPT, IO_FAILED
     */
    public void moveTo(FileOffset to) throws IOException {
        if (to.equals(at)) {
            return;
        }
        FileOffset from = at;
        at = FileOffset.NONE; // until the move is complete
        List<BinlogFile> listed = files.list();
        Optional<BinlogFile> first = to.compareTo(from) < 0 ? Optional.empty() : held(listed, from.file());
        if (first.isEmpty()) {
            first = Optional.of(start(listed, to));
            from = new FileOffset(first.get().number(), EventHeader.FILE_MAGIC_LENGTH);
        }
        try {
            fold(listed, from, to);
        } finally {
            files.release(first.get());
        }
        at = to;
    }

    /** The file with a number, held; empty when it is purged. */
    private Optional<BinlogFile> held(List<BinlogFile> listed, int number) {
        return listed.stream()
                .filter(file -> file.number() == number && files.hold(file))
                .findFirst();
    }

    /** The newest file that has a snapshot or precedes the first change of all, held; its snapshot is in the map. */
    private BinlogFile start(List<BinlogFile> listed, FileOffset to) throws IOException {
        map.clear();
        for (int i = listed.size() - 1; i >= 0; i--) {
            BinlogFile file = listed.get(i);
            if (file.number() > to.file()) {
                continue;
            }
            if (!files.hold(file)) {
                break;
            }
            boolean starts = false;
            try {
                starts = JournalLog.startsIn(file, limit(file, to), Optional.of(map));
            } finally {
                if (!starts) {
                    files.release(file);
                }
            }
            if (starts) {
                return file;
            }
        }
        throw new TributaryException(
                ErrorCode.READER_REFUSED,
                "The definitions of tables as of " + to + " have been purged: none of the files from "
                        + listed.get(0).name() + " up to there begins with a snapshot of them");
    }

    private static long limit(BinlogFile file, FileOffset to) {
        return file.number() == to.file() ? to.offset() : file.end();
    }

    private void fold(List<BinlogFile> listed, FileOffset from, FileOffset to) throws IOException {
        for (BinlogFile file : listed) {
            if (file.number() >= from.file() && file.number() <= to.file()) {
                long begin = file.number() == from.file() ? from.offset() : EventHeader.FILE_MAGIC_LENGTH;
                fold(file, begin, limit(file, to));
            }
        }
    }

    /** Applies the changes between two places of a file: those that its index lists, and, if it lacks some, by reading all events. */
    private void fold(BinlogFile file, long from, long to) throws IOException {
        List<SparseEntry> changes = SparseIndex.journal(file);
        List<SparseEntry> transactions = SparseIndex.of(file);
        try (FileChannel channel = file.open()) {
            ReadableBytes bytes = ReadableBytes.of(channel);
            for (SparseEntry change : changes) {
                if (change.offset() >= from && change.offset() < to && change.gno() == map.number() + 1) {
                    EventScan events = new EventScan(bytes, change.offset(), to);
                    if (events.next() && JournalLog.isJournal(events)) {
                        map.fold(JournalLog.record(events));
                    }
                }
            }
            long begin = to;
            Seen seen = Seen.NOTHING;
            while (seen == Seen.NOTHING && begin > from) {
                begin = Math.max(from, SparseIndex.offsetBefore(transactions, SparseEntry::offset, begin - 1));
                seen = foldEvents(file, new EventScan(bytes, begin, to));
            }
            boolean lacksSome = seen == Seen.GAP;
            if (lacksSome && foldEvents(file, new EventScan(bytes, from, to)) == Seen.GAP) {
                throw corrupt(file, "expected the changes of the journal after " + map.number() + " up to " + to);
            }
        }
    }

    /** What some events show about the changes before them. */
    private enum Seen {
        NOTHING,
        /** All of them are in the map. */
        ALL,
        /** Some are missing. */
        GAP
    }

    /** Applies the changes among these events. */
    private Seen foldEvents(BinlogFile file, EventScan events) throws IOException {
        Seen seen = Seen.NOTHING;
        while (events.next() && seen != Seen.GAP) {
            if (JournalLog.isJournal(events)) {
                seen = fold(JournalLog.record(events));
            } else if (events.isCut()) {
                long number = CutCodec.schemaNumber(events.cut());
                seen = number > map.number() ? Seen.GAP : Seen.ALL;
            }
        }
        if (events.problem().isPresent()) {
            throw corrupt(file, events.problem().get());
        }
        return seen;
    }

    private Seen fold(Journal record) {
        if (record.kind() == Kind.CHANGE && record.number() == map.number() + 1) {
            map.fold(record);
        }
        return record.number() > map.number() ? Seen.GAP : Seen.ALL;
    }

    private static TributaryException corrupt(BinlogFile file, String problem) {
        return new TributaryException(ErrorCode.BINLOG_CORRUPT, file.path() + ": " + problem);
    }

    @Override
    public void close() {
        map.close();
    }
}
