package io.tributary.binlog;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.JournalEvent;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.Journal.Kind;
import io.tributary.common.value.JournalCodec;
import io.tributary.mysql.event.EventHeader;
import io.tributary.store.JournalMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journal from the files: the newest complete snapshot, which follows the full cut in a file's head, and the changes after it,
 * which the files' indexes list. It reads the heads of files from the newest on until one has a snapshot or precedes the first change of
 * all.
 */
final class JournalLog {
    private static final Logger LOG = LoggerFactory.getLogger(JournalLog.class);

    /** The number of a file that never exists: no file is needed for the journal. */
    static final int NO_FILE = Integer.MAX_VALUE;

    private final List<BinlogFile> files;
    private final Cut last;

    /**
     * @param files oldest first; the last may be read up to its written end, which is after the cut
     * @param last the cut at which they end
     */
    JournalLog(List<BinlogFile> files, Cut last) {
        this.files = files;
        this.last = last;
    }

    /**
     * The file from which on the map can be rebuilt.
     *
     * @throws TributaryException BINLOG_CORRUPT when no file has a snapshot or the first change
     */
    JournalStart firstNeeded() throws IOException {
        return last.schemaNumber() == 0 ? JournalStart.NONE : needed(start(Optional.empty()));
    }

    /**
     * Rebuilds the map as of the last cut.
     *
     * @param map its previous content is discarded
     * @return as {@link #firstNeeded}
     * @throws TributaryException BINLOG_CORRUPT when a change is missing
     */
    JournalStart rebuild(JournalMap map) throws IOException {
        map.clear();
        if (last.schemaNumber() == 0) {
            return JournalStart.NONE;
        }
        int first = start(Optional.of(map));
        long snapshot = map.number();
        for (BinlogFile file : files.subList(first, files.size())) {
            foldByIndex(file, map);
        }
        if (map.number() != last.schemaNumber()) {
            LOG.warn(
                    "index lacks journal changes: file={} after.change={} effect=\"rereads the files\"",
                    files.get(first).path(),
                    map.number());
            map.clear();
            start(Optional.of(map));
            for (BinlogFile file : files.subList(first, files.size())) {
                foldAll(file, map);
            }
        }
        if (map.number() != last.schemaNumber()) {
            throw corrupt("expected the changes of the journal up to " + last.schemaNumber() + " from "
                    + files.get(first).name() + " on, found them up to " + map.number());
        }
        LOG.info(
                "journal rebuilt: change={} snapshot.change={} file={} bytes={}",
                map.number(),
                snapshot,
                files.get(first).name(),
                map.bytes());
        return needed(first);
    }

    /** The position in the list of the newest file from which on the journal can be rebuilt; its snapshot is in the map. */
    private int start(Optional<JournalMap> map) throws IOException {
        int start = startBefore(files.size(), map);
        if (start < 0) {
            throw corrupt("expected a snapshot of the journal in one of " + files.size()
                    + " files, or the file with its first change, found neither");
        }
        return start;
    }

    /** The same among the files before a position in the list; -1 for none. */
    private int startBefore(int end, Optional<JournalMap> map) throws IOException {
        int start = end - 1;
        while (start >= 0 && !startsIn(files.get(start), map)) {
            start--;
        }
        return start;
    }

    private JournalStart needed(int start) throws IOException {
        int last = files.size() - 1;
        int before = start == last ? startBefore(last, Optional.empty()) : start;
        if (before < 0 || before == start) {
            return new JournalStart(files.get(start).number(), Optional.empty());
        }
        BinlogFile file = files.get(last);
        return new JournalStart(files.get(before).number(), Optional.of(new FileOffset(file.number(), file.written())));
    }

    /** Whether its head has a complete snapshot, which is then in the map, or precedes the first change of all. */
    static boolean startsIn(BinlogFile file, Optional<JournalMap> map) throws IOException {
        return startsIn(file, file.written(), map);
    }

    /**
     * As above.
     *
     * @param limit only the events before it count
     */
    static boolean startsIn(BinlogFile file, long limit, Optional<JournalMap> map) throws IOException {
        try (FileChannel channel = file.open()) {
            EventScan events = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, limit);
            boolean hasCut = false;
            long number = -1;
            while (!hasCut && events.next()) {
                hasCut = events.isCut();
                if (hasCut) {
                    number = CutCodec.decodeFull(events.cut()).schemaNumber();
                }
            }
            return number == 0 || number > 0 && loads(events, map);
        }
    }

    /** Loads the snapshot that begins here into the map; false when there is none or only a part of one. */
    private static boolean loads(EventScan events, Optional<JournalMap> map) throws IOException {
        while (events.next() && isJournal(events)) {
            Kind kind = JournalCodec.head(bytes(events)).kind();
            if (kind == Kind.CHANGE) {
                break;
            }
            map.ifPresent(known -> known.fold(record(events)));
            if (kind == Kind.SNAPSHOT_END) {
                return true;
            }
        }
        map.ifPresent(JournalMap::clear);
        return false;
    }

    static boolean isJournal(EventScan events) {
        return JournalEvent.isJournal(events.view(), events.viewAt(), events.viewEnd());
    }

    static Journal record(EventScan events) {
        return JournalCodec.decode(bytes(events));
    }

    private static ByteBuffer bytes(EventScan events) {
        return JournalEvent.record(events.view(), events.viewAt(), events.viewEnd());
    }

    private static void foldByIndex(BinlogFile file, JournalMap map) throws IOException {
        List<SparseEntry> changes = SparseIndex.journal(file);
        if (changes.isEmpty()) {
            return;
        }
        try (FileChannel channel = file.open()) {
            for (SparseEntry change : changes) {
                EventScan events = new EventScan(ReadableBytes.of(channel), change.offset(), file.written());
                if (change.gno() == map.number() + 1 && events.next() && isJournal(events)) {
                    map.fold(record(events));
                }
            }
        }
    }

    private static void foldAll(BinlogFile file, JournalMap map) throws IOException {
        try (FileChannel channel = file.open()) {
            EventScan events = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, file.written());
            while (events.next()) {
                if (isJournal(events)) {
                    Journal record = record(events);
                    if (record.kind() == Kind.CHANGE && record.number() == map.number() + 1) {
                        map.fold(record);
                    }
                }
            }
        }
    }

    private TributaryException corrupt(String message) {
        return new TributaryException(
                ErrorCode.BINLOG_CORRUPT, files.get(files.size() - 1).path() + ": " + message);
    }
}
