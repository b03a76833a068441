package io.tributary.binlog.file;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.PreviousGtidsEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A check of one file from its beginning, which finds the last valid cut and what precedes it. Up to that cut, every event has the right
 * size, log_pos and checksum, transactions are complete and contiguous, and the cuts follow each other and agree with the transactions.
 */
public final class FileVerifier {
    private final Sid sid;
    private final List<SparseEntry> seen = new ArrayList<>();
    private GtidSet previousGtids;
    private long gnoSeen;
    private long transactionEnd;
    private long journalSeen;
    private boolean snapshotSeen;
    private long nextMark;
    private String problem;

    // as of the last valid cut
    private Cut cut;
    private long end;
    private long gno;
    private int entries;
    private boolean hasSnapshot;
    private boolean rotated;

    /** A verifier of an empty file. */
    public FileVerifier(UUID serverUuid) {
        this.sid = new Sid(serverUuid);
    }

    /** Checks a file; damage and an incomplete end only end the check. */
    public static FileVerifier scan(ReadableBytes source, UUID serverUuid) throws IOException {
        FileVerifier tail = new FileVerifier(serverUuid);
        tail.extend(source, source.size());
        return tail;
    }

    /**
     * Continues the check after the last valid cut, over the bytes that were added since; damage and an incomplete end only end the check.
     *
     * @param limit how many bytes of the file there are
     */
    public void extend(ReadableBytes source, long limit) throws IOException {
        problem = null;
        rotated = false;
        transactionEnd = end;
        gnoSeen = gno;
        journalSeen = cut == null ? 0 : cut.schemaNumber();
        snapshotSeen = hasSnapshot;
        seen.subList(entries, seen.size()).clear();
        nextMark = markAfterLast(seen);
        if (end == 0 && !hasMagic(source, limit)) {
            return;
        }
        if (cut == null) {
            previousGtids = null;
        }
        EventScan events = new EventScan(source, Math.max(end, EventHeader.FILE_MAGIC_LENGTH), limit);
        while (events.next() && accept(events)) {}
        if (problem == null && events.problem().isPresent()) {
            problem = events.problem().get();
        }
    }

    /**
     * Checks a finished file.
     *
     * @throws TributaryException BINLOG_CORRUPT when anything in it is damaged
     */
    public static FileVerifier verified(BinlogFile file) throws IOException {
        try (FileChannel channel = file.open()) {
            UUID uuid = uuidOfFirst(file);
            FileVerifier tail = scan(ReadableBytes.of(channel), uuid);
            if (!tail.isFinished()) {
                throw new TributaryException(
                        ErrorCode.BINLOG_CORRUPT,
                        file.path() + ": "
                                + (tail.problem == null
                                        ? "expected a ROTATE event at its end, found none"
                                        : tail.problem));
            }
            return tail;
        }
    }

    /** UUID of the first GTID in the file, in its transactions or before them: all GTIDs are of one cluster. */
    private static UUID uuidOfFirst(BinlogFile file) throws IOException {
        try (FileChannel channel = file.open()) {
            EventScan events = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, file.end());
            while (events.next()) {
                if (events.type() == EventType.PREVIOUS_GTIDS_LOG_EVENT) {
                    List<Sid> before = PreviousGtidsEvent.gtids(events.view(), events.viewAt(), events.viewEnd())
                            .sids();
                    if (!before.isEmpty()) {
                        return before.get(0).uuid();
                    }
                }
                if (events.type() == EventType.GTID_LOG_EVENT) {
                    return GtidEvent.uuid(events.view(), events.viewAt());
                }
            }
            return new UUID(0, 0);
        }
    }

    private boolean hasMagic(ReadableBytes source, long size) throws IOException {
        ByteBuffer magic = ByteBuffer.allocate(EventHeader.FILE_MAGIC_LENGTH);
        boolean right = size >= EventHeader.FILE_MAGIC_LENGTH
                && source.read(magic, 0) == EventHeader.FILE_MAGIC_LENGTH
                && LittleEndian.getInt(magic, 0) == EventHeader.FILE_MAGIC;
        if (!right) {
            problem = "expected the magic number of a binlog file, found other bytes";
        }
        return right;
    }

    /** Checks one event; false when it does not fit the events before it. */
    private boolean accept(EventScan events) {
        boolean outside = events.at() >= transactionEnd;
        if (rotated) {
            return refuse(events, "the end of the file after a ROTATE event");
        }
        return switch (events.type()) {
            case EventType.FORMAT_DESCRIPTION_EVENT ->
                events.at() == EventHeader.FILE_MAGIC_LENGTH
                        || refuse(events, "a format description only at the beginning of the file");
            case EventType.PREVIOUS_GTIDS_LOG_EVENT ->
                previousGtids == null ? begin(events) : refuse(events, "previous GTIDs only once");
            case EventType.GTID_LOG_EVENT ->
                outside && cut != null
                        ? transaction(events)
                        : refuse(events, "a transaction only after the first cut and not inside another one");
            case EventType.ROTATE_EVENT -> {
                rotated = outside && cut != null;
                yield rotated || refuse(events, "a ROTATE event only after the first cut and not inside a transaction");
            }
            case EventType.IGNORABLE_LOG_EVENT -> ignorable(events, outside);
            default -> events.end() <= transactionEnd || refuse(events, "this event only inside a transaction");
        };
    }

    private boolean ignorable(EventScan events, boolean outside) {
        if (events.isCut()) {
            return outside && previousGtids != null
                    ? cut(events)
                    : refuse(events, "a cut only after the previous GTIDs and not inside a transaction");
        }
        if (JournalEvent.isJournal(events.view(), events.viewAt(), events.viewEnd())) {
            return outside && cut != null
                    ? journal(events)
                    : refuse(events, "a journal record only after the first cut and not inside a transaction");
        }
        return true;
    }

    private boolean begin(EventScan events) {
        try {
            PreviousGtidsEvent.check(events.view(), events.viewAt(), events.viewEnd());
            previousGtids = PreviousGtidsEvent.gtids(events.view(), events.viewAt(), events.viewEnd());
        } catch (TributaryException e) {
            return refuse(events, "GTIDs: " + e.getMessage());
        }
        gnoSeen = previousGtids.last(sid);
        return true;
    }

    private boolean transaction(EventScan events) {
        ByteBuffer view = events.view();
        int at = events.viewAt();
        if (events.viewEnd() - at < GtidEvent.LENGTH) {
            return refuse(events, "a GTID event of at least " + GtidEvent.LENGTH + " bytes");
        }
        long number = GtidEvent.gno(view, at);
        if (number != gnoSeen + 1 || !GtidEvent.uuid(view, at).equals(sid.uuid())) {
            return refuse(events, "transaction " + sid + ":" + (gnoSeen + 1) + ", not " + number);
        }
        long length = GtidEvent.transactionLength(view, at, events.viewEnd());
        if (length < events.end() - events.at()) {
            return refuse(events, "a transaction length of at least the size of the GTID event");
        }
        gnoSeen = number;
        transactionEnd = events.at() + length;
        if (events.at() >= nextMark) {
            long micros = GtidEvent.immediateCommitMicros(view, at, events.viewEnd());
            seen.add(new SparseEntry(events.at(), number, micros, cut.tso()));
            nextMark = SparseEntry.markAfter(events.at());
        }
        return true;
    }

    /** The offset from which on a transaction gets the next entry in the sparse index. */
    private static long markAfterLast(List<SparseEntry> entries) {
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (!entries.get(i).isJournal()) {
                return SparseEntry.markAfter(entries.get(i).offset());
            }
        }
        return 0;
    }

    /** Changes are numbered without gaps; a snapshot is as of the last change before it. */
    private boolean journal(EventScan events) {
        JournalCodec.Head record;
        try {
            if (!JournalEvent.isKnown(events.view(), events.viewAt())) {
                return refuse(events, "a journal record of a known version");
            }
            record = JournalCodec.head(JournalEvent.record(events.view(), events.viewAt(), events.viewEnd()));
        } catch (TributaryException e) {
            return refuse(events, "a journal record: " + e.getMessage());
        }
        boolean isChange = record.kind() == Journal.Kind.CHANGE;
        if (record.number() != journalSeen + (isChange ? 1 : 0)) {
            return refuse(events, "a journal record that follows change " + journalSeen + ", not " + record);
        }
        if (isChange) {
            journalSeen = record.number();
            seen.add(SparseEntry.journal(events.at(), record.number()));
        }
        snapshotSeen |= record.kind() == Journal.Kind.SNAPSHOT_END;
        return true;
    }

    private boolean cut(EventScan events) {
        ByteBuffer bytes = events.cut();
        Cut next;
        try {
            if (cut == null && !CutCodec.isFull(bytes)) {
                return refuse(events, "a full cut first");
            }
            next = CutCodec.decode(cut, bytes);
        } catch (TributaryException e) {
            return refuse(events, "a cut: " + e.getMessage());
        }
        if (next.transactions() != gnoSeen) {
            return refuse(events, "a cut after transaction " + gnoSeen + ", not " + next.transactions());
        }
        if (cut != null && next.schemaNumber() != journalSeen) {
            return refuse(events, "a cut after change " + journalSeen + ", not " + next.schemaNumber());
        }
        journalSeen = next.schemaNumber();
        hasSnapshot = snapshotSeen;
        cut = next;
        end = events.end();
        gno = gnoSeen;
        entries = seen.size();
        return true;
    }

    private boolean refuse(EventScan events, String expected) {
        problem = "expected " + expected + ", found " + EventType.name(events.type()) + " at offset " + events.at();
        return false;
    }

    /** Whether the whole file is valid and ends with a ROTATE event: then it must not be changed. */
    public boolean isFinished() {
        return rotated && problem == null;
    }

    public boolean hasCut() {
        return cut != null;
    }

    /** The last valid cut; null for none. */
    public Cut cut() {
        return cut;
    }

    /** Offset after the last valid cut. */
    public long end() {
        return end;
    }

    /** Number of the newest transaction before that cut. */
    public long gno() {
        return gno;
    }

    /** Number of the newest transaction before the file. */
    public long gnoBefore() {
        return previousGtids.last(sid);
    }

    public GtidSet previousGtids() {
        return previousGtids;
    }

    /** Whether it has a complete snapshot of the journal. */
    public boolean hasSnapshot() {
        return hasSnapshot;
    }

    /** Offset from which on a transaction gets the next entry in the sparse index. */
    public long nextMark() {
        return markAfterLast(entries());
    }

    /** The sparse index up to the last valid cut, including changes of the journal. */
    public List<SparseEntry> entries() {
        return List.copyOf(seen.subList(0, entries));
    }

    /** Why the check ended; null when the file ended without a problem. */
    public String problem() {
        return problem;
    }
}
