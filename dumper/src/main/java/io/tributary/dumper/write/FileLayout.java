package io.tributary.dumper.write;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.CutCodec;
import io.tributary.common.value.Journal;
import io.tributary.common.value.JournalCodec;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFile;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.CutEvent;
import io.tributary.dumper.FileHead;
import io.tributary.dumper.JournalEvent;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.SparseEntry;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.store.JournalMap;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the layout is: the current file, the offset in it, its numbers, and what was the newest cut. */
final class FilePlan {
    /** Full cuts take 8 KiB a second at most, however much they say. */
    private static final long NANOS_PER_FULL_BYTE = TimeUnit.SECONDS.toNanos(1) / (8 << 10);

    private static final Logger LOG = LoggerFactory.getLogger(FilePlan.class);
    /** Past this a transaction begins in a new file: many clients lose what is past 4 GiB. */
    private static final long LARGEST_FILE = 1L << 31;

    /** Bytes of files for each byte of a snapshot of the journal. */
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
    private long bytesBefore; // of files from the newest snapshot on, without the current one
    private long fullCutNanos;
    private long fullCutPause;
    private String version;
    private int versionNumber;

    FilePlan(BinlogConfig config, BinlogDirectory directory, Recovered recovered, Clock clock) {
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
     * Takes the server version from a GTID event where the configuration says none, for the files that begin from now on: a Dumper
     * knows nothing else of the shards.
     *
     * @param view bytes that begin with the event
     */
    void follow(ByteBuffer view, int at) {
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

    /** A file rotates after a cut past its size; one that holds no transaction never does. */
    boolean isFull() {
        return offset > config.fileSize().bytes() && mayEnd();
    }

    /** Whether somebody has ordered the file to end, and it may end here: without a transaction only for a snapshot in the next one. */
    boolean isToEnd() {
        return files.isToEnd(number) && isAtCut() && (mayEnd() || files.wantsSnapshot());
    }

    /** Whether a transaction of that many bytes should begin in a new file, and may. */
    boolean isTooFullFor(long bytes) {
        return offset + bytes > LARGEST_FILE && mayEnd() && isAtCut();
    }

    private boolean mayEnd() {
        return gno > gnoBefore;
    }

    /** Takes the next bytes of the file; their offset. */
    long advance(long bytes) {
        long at = offset;
        offset += bytes;
        if (at < LOG_POS_WRAPS && offset >= LOG_POS_WRAPS) {
            LOG.warn(
                    "{} passes 4 GiB because of one transaction: log_pos wraps, some readers lose data",
                    directory.fileName(number));
        }
        return at;
    }

    /** Takes the next number of a transaction. */
    void count(long transactions) {
        gno += transactions;
    }

    /** Adds an entry for a transaction if it is the first of its MiB. */
    void mark(long at, long transaction, long commitMicros, List<SparseEntry> entries) {
        entries.add(new SparseEntry(at, transaction, commitMicros, cut.tso()));
        nextMark = SparseEntry.markAfter(at);
    }

    boolean wantsMark(long at) {
        return at >= nextMark;
    }

    /** The event of the next cut, which stands at the current offset. */
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
        CutEvent.write(event, 0, timestamp(), config.serverId(), offset, bytes);
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

    /** The event of a change, which stands at the current offset; it is in the map now. */
    ByteBuffer changeEvent(Journal change) {
        files.journalBegins(number);
        journal.fold(change);
        return journalEvent(change);
    }

    /** The event of a record, which stands at the current offset. */
    ByteBuffer journalEvent(Journal record) {
        byte[] bytes = JournalCodec.encode(record);
        ByteBuffer event = ByteBuffer.allocate(JournalEvent.length(bytes));
        JournalEvent.write(event, 0, timestamp(), config.serverId(), offset, bytes);
        return event;
    }

    /**
     * The records of a snapshot, where the file that has just been begun is to have one: it is written again once 64 times its size
     * came to the files, or where a purge waits for it.
     */
    Iterator<Journal> snapshot() {
        boolean isDue = bytesBefore >= SNAPSHOT_SHARE * journal.bytes() || files.wantsSnapshot();
        return change() > 0 && isDue ? journal.snapshot() : Collections.emptyIterator();
    }

    /** The event of the cut behind a snapshot, at the current offset: the newest cut once more. A recovery keeps what a cut stands behind. */
    ByteBuffer cutBehindSnapshot() {
        ByteBuffer event = cutEvent(cut);
        files.snapshotEnds(new BinlogPlace(number, offset + event.limit()));
        bytesBefore = 0;
        return event;
    }

    /** The event with which the file ends, at the current offset; {@link #next()} follows. */
    ByteBuffer rotateEvent() {
        return FileHead.rotate(timestamp(), config.serverId(), directory.fileName(number + 1), offset);
    }

    /** Goes on to the next file, behind its head. */
    NextFile next() {
        number++;
        bytesBefore += offset;
        if (gno > gnoBefore) {
            previousGtids =
                    previousGtids.toBuilder().addRange(sid, gnoBefore + 1, gno).build();
        }
        gnoBefore = gno;
        ByteBuffer head = FileHead.bytes(timestamp(), config.serverId(), version, previousGtids, cut);
        offset = head.limit();
        nextMark = 0;
        fullCutNanos = clock.nanoTime();
        return new NextFile(directory.path().resolve(directory.fileName(number)), head, previousGtids);
    }

    private long timestamp() {
        return TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros());
    }
}
