package io.tributary.binlog.write;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.CutEvent;
import io.tributary.binlog.file.FileHead;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.JournalEvent;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.store.JournalMap;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of the layout: the current file, the offset in it, its numbers, and the newest cut. */
final class FileLayout {
    /** Full cuts take at most 8 KiB a second, however large they are. */
    private static final long NANOS_PER_FULL_BYTE = TimeUnit.SECONDS.toNanos(1) / (8 << 10);

    private static final Logger LOG = LoggerFactory.getLogger(FileLayout.class);
    /** A transaction begins in a new file if it would end after this offset: many clients cannot read data after 4 GiB. */
    private static final long LARGEST_FILE = 1L << 31;

    /** Bytes of binlog files for each byte of a snapshot of the journal. */
    private static final long SNAPSHOT_SHARE = 64;

    private static final long LOG_POS_WRAPS = 1L << 32;

    private final BinlogConfig config;
    private final BinlogDirectory directory;
    private final BinlogFiles files;
    private final Clock clock;
    private final Sid sid;
    private int number;
    private GtidSet previousGtids;
    private long gnoBefore;
    private long offset;
    private long gno;
    private long nextMark;
    private Cut cut;
    private final JournalMap journal;
    private long bytesBefore; // bytes of the files from the newest snapshot on, without the current file
    private long fullCutNanos;
    private long fullCutPause;
    private String version;
    private int versionNumber;

    FileLayout(BinlogConfig config, BinlogDirectory directory, Recovered recovered, Clock clock) {
        this.config = config;
        this.directory = directory;
        this.files = recovered.files();
        this.clock = clock;
        this.sid = new Sid(directory.serverUuid());
        BinlogFile file = recovered.files().writtenEnd().file();
        this.version = config.serverVersion().or(directory::newestVersion).orElseGet(config::version);
        this.number = file.number();
        this.previousGtids = file.previousGtids();
        this.gnoBefore = recovered.gnoBefore();
        this.offset = file.written();
        this.gno = recovered.files().writtenEnd().gno();
        this.nextMark = recovered.nextMark();
        this.cut = recovered.cut();
        this.journal = directory.journal();
        int needed = files.firstNeeded();
        this.bytesBefore = files.written().stream()
                .filter(each -> each.number() >= needed && each.number() < number)
                .mapToLong(BinlogFile::written)
                .sum();
        this.fullCutNanos = clock.nanoTime() - config.fullCutInterval().toNanos();
    }

    /** Number of the newest transaction laid out. */
    long gno() {
        return gno;
    }

    long gnoBefore() {
        return gnoBefore;
    }

    long offset() {
        return offset;
    }

    /**
     * Learns the server version from a GTID event if it is not configured. It is used for files that begin from now on: a Dumper has no other
     * source for the shards' version.
     *
     * @param view bytes that begin with the event
     */
    void learnVersion(ByteBuffer view, int at) {
        if (config.serverVersion().isPresent() || view.limit() - at < GtidEvent.LENGTH) {
            return;
        }
        int found = GtidEvent.immediateServerVersion(view, at, at + GtidEvent.LENGTH);
        if (found > 0 && found != versionNumber) {
            versionNumber = found;
            version = found / 10_000 + "." + found / 100 % 100 + "." + found % 100 + "-tributary";
        }
    }

    boolean isAtCut() {
        return gno == cut.transactions() && journal.number() == cut.schemaNumber();
    }

    /** Whether the file is larger than its configured size and has a transaction; it then rotates after a cut. */
    boolean isFull() {
        return offset > config.fileSize().bytes() && mayEnd();
    }

    /** Whether the end of the file was requested and it may end here. A file without a transaction may end only for a snapshot in the next one. */
    boolean mustRotate() {
        return files.isRotationRequested(number) && isAtCut() && (mayEnd() || files.needsSnapshot());
    }

    /** Whether a transaction of that many bytes must begin in a new file, and the current file may end here. */
    boolean isTooFullFor(long bytes) {
        return offset + bytes > LARGEST_FILE && mayEnd() && isAtCut();
    }

    private boolean mayEnd() {
        return gno > gnoBefore;
    }

    /** Reserves the next bytes of the file and returns their offset. */
    long advance(long bytes) {
        long at = offset;
        offset += bytes;
        if (at < LOG_POS_WRAPS && offset >= LOG_POS_WRAPS) {
            LOG.warn(
                    "file exceeds 4 GiB: file={} reason=\"one transaction\" effect=\"log_pos wraps: only readers by GTID can"
                            + " begin in it\"",
                    directory.fileName(number));
        }
        return at;
    }

    /** Counts the next transactions. */
    void count(long transactions) {
        gno += transactions;
    }

    /** Adds an entry for a transaction to the sparse index. */
    void mark(long at, long transaction, long commitMicros, List<SparseEntry> entries) {
        entries.add(new SparseEntry(at, transaction, commitMicros, cut.tso()));
        nextMark = SparseEntry.markAfter(at);
    }

    boolean needsMark(long at) {
        return at >= nextMark;
    }

    /** The event of the next cut, for the current offset. */
    ByteBuffer cutEvent(Cut next) {
        long now = clock.nanoTime();
        boolean isDue = now - fullCutNanos >= Math.max(config.fullCutInterval().toNanos(), fullCutPause);
        boolean full = isDue || !next.hasSameShards(cut);
        byte[] bytes = full ? CutCodec.encodeFull(next) : CutCodec.encodeDelta(cut, next);
        if (full) {
            fullCutNanos = now;
            fullCutPause = bytes.length * NANOS_PER_FULL_BYTE;
        }
        ByteBuffer event = ByteBuffer.allocate(CutEvent.length(bytes));
        CutEvent.write(event, 0, origin(), offset, bytes);
        cut = next;
        return event;
    }

    /** Number of the newest cut laid out. */
    long cutNumber() {
        return cut.number();
    }

    // ---- the journal

    /** Number of the newest change laid out. */
    long change() {
        return journal.number();
    }

    /** The event of a change, for the current offset; the change is then in the map. */
    ByteBuffer changeEvent(Journal change) {
        files.journalBegins(number);
        journal.fold(change);
        return journalEvent(change);
    }

    /** The event of a journal record, for the current offset. */
    ByteBuffer journalEvent(Journal record) {
        byte[] bytes = JournalCodec.encode(record);
        ByteBuffer event = ByteBuffer.allocate(JournalEvent.length(bytes));
        JournalEvent.write(event, 0, origin(), offset, bytes);
        return event;
    }

    /**
     * The records of a snapshot if the file that has just begun must have one. A snapshot is written again when the files since the last one
     * have 64 times its size, or when a purge waits for it; else this is empty.
     */
    Iterator<Journal> snapshot() {
        boolean isDue = bytesBefore >= SNAPSHOT_SHARE * journal.bytes() || files.needsSnapshot();
        return change() > 0 && isDue ? journal.snapshot() : Collections.emptyIterator();
    }

    /** The event of the cut after a snapshot, for the current offset: the newest cut again. A recovery keeps only what precedes a cut. */
    ByteBuffer cutAfterSnapshot() {
        ByteBuffer event = cutEvent(cut);
        files.snapshotEnds(new FileOffset(number, offset + event.limit()));
        bytesBefore = 0;
        return event;
    }

    /** The event at the end of the file, for the current offset; {@link #next()} follows. */
    ByteBuffer rotateEvent() {
        return FileHead.rotate(origin(), directory.fileName(number + 1), offset);
    }

    /** Continues with the next file, after its head. */
    NextFile next() {
        number++;
        bytesBefore += offset;
        if (gno > gnoBefore) {
            previousGtids =
                    previousGtids.toBuilder().addRange(sid, gnoBefore + 1, gno).build();
        }
        gnoBefore = gno;
        ByteBuffer head = FileHead.bytes(origin(), version, previousGtids, cut);
        offset = head.limit();
        nextMark = 0;
        fullCutNanos = clock.nanoTime();
        return new NextFile(directory.path().resolve(directory.fileName(number)), head, previousGtids);
    }

    private EventOrigin origin() {
        return new EventOrigin(TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros()), config.serverId());
    }
}
