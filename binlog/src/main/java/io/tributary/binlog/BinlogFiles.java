package io.tributary.binlog;

import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Wakeup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All binlog files and up to where they may be read, for the server of readers and for backups. There is always at least one
 * file. Public methods may be called by any thread. Only the writer and its syncer move the written end, one while the other waits.
 * The readable end follows the written end at once, or, when other Dumpers must have the bytes too, when they are acknowledged.
 */
public final class BinlogFiles {
    private final Path folder;
    private final FileList files;
    private final UUID serverUuid;
    private final Sid sid;
    private final long serverId;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final BinlogWatermarks ends;
    private volatile int rotateUpTo;
    private final Wakeup rotationRequests = new Wakeup();
    private final NeededFiles journal = new NeededFiles();
    private volatile CommitTimes commits; // null while nobody measures

    BinlogFiles(BinlogDirectory directory, long serverId, List<BinlogFile> files, long gno, long cut) {
        this.folder = directory.path();
        this.files = new FileList(directory, files);
        this.serverUuid = directory.serverUuid();
        this.sid = new Sid(serverUuid);
        this.serverId = serverId;
        BinlogFile last = files.get(files.size() - 1);
        this.ends = new BinlogWatermarks(this.files, new BinlogPosition(last, last.written(), gno, cut));
        this.files.keepFrom(this::firstNeeded);
    }

    /** All files that may be read, oldest first; at least one. The last one is being written. */
    public List<BinlogFile> list() {
        int last = durableEnd().file().number();
        List<BinlogFile> all = files.all();
        return all.get(all.size() - 1).number() <= last
                ? all
                : all.stream().filter(file -> file.number() <= last).toList();
    }

    /** All files on this disk, including those of which nothing may be read yet. */
    public List<BinlogFile> written() {
        return files.all();
    }

    Path folder() {
        return folder;
    }

    public BinlogFile first() {
        return files.first();
    }

    /** The file with a name such as {@code binlog.000001}; empty when it was purged or never existed. */
    public Optional<BinlogFile> find(String name) {
        return files.find(name).filter(this::mayBeRead);
    }

    /** The file after a finished one, whether that one is still listed or not; empty after the last file. */
    public Optional<BinlogFile> next(BinlogFile file) {
        return files.next(file).filter(this::mayBeRead);
    }

    private boolean mayBeRead(BinlogFile file) {
        return file.number() <= durableEnd().file().number();
    }

    /** Up to where this node has the binlog on its disk: the writer continues here, and other Dumpers may copy up to here. */
    public BinlogPosition writtenEnd() {
        return ends.written();
    }

    /** Up to where the binlog may be read now: the end of the last durable cut that is acknowledged. */
    public BinlogPosition durableEnd() {
        return ends.readable();
    }

    /**
     * Calls the listener whenever {@link #durableEnd()} has moved, on the thread that moved it (the syncer, the writer, or the thread
     * that counts acknowledgements), possibly on several threads at once. The listener must be quick and must not block or throw. It
     * may be called more often than the end moves. To miss no change, subscribe first and then read the end.
     */
    public void subscribe(Runnable listener) {
        listeners.add(listener);
    }

    public void unsubscribe(Runnable listener) {
        listeners.remove(listener);
    }

    /** {@code @@server_uuid}: the UUID of all GTIDs in the files. */
    public UUID serverUuid() {
        return serverUuid;
    }

    /** {@code @@server_id}, 1..2^32-1. */
    public long serverId() {
        return serverId;
    }

    /** {@code @@gtid_executed}: all GTIDs before the durable end, including purged ones. */
    public GtidSet executed() {
        return executed(durableEnd());
    }

    /** All GTIDs before an end that was durable at some time. */
    public GtidSet executed(BinlogPosition end) {
        GtidSet before = end.file().previousGtids();
        long last = before.last(sid);
        return end.gno() <= last
                ? before
                : before.toBuilder().addRange(sid, last + 1, end.gno()).build();
    }

    /** {@code @@gtid_purged}: all GTIDs that are no longer in any file. */
    public GtidSet purged() {
        return first().previousGtids();
    }

    /**
     * The file at which a reader that has some GTIDs starts: the newest one before which the reader misses nothing.
     *
     * @throws TributaryException READER_REFUSED (MySQL's error 1236) naming the GTIDs that are purged, or the GTIDs with this server's
     *     UUID that the reader has and this server does not
     */
    BinlogFile locate(GtidSet readerHas) {
        requireNotAhead(readerHas);
        List<BinlogFile> now = list();
        for (int i = now.size() - 1; i >= 0; i--) {
            if (readerHas.containsAll(now.get(i).previousGtids())) {
                return now.get(i);
            }
        }
        throw refused("The reader needs transactions that have been purged: "
                + now.get(0).previousGtids().minus(readerHas).line());
    }

    /** Refuses, as {@link #locate} does, a reader that has GTIDs that this server never had. */
    void requireNotAhead(GtidSet readerHas) {
        GtidSet ahead = ahead(readerHas);
        if (!ahead.isEmpty()) {
            throw refused(
                    "The reader has GTIDs with this server's UUID that this server does not have: " + ahead.line());
        }
    }

    /** The reader's GTIDs with this server's UUID that may not be read on this node. */
    GtidSet ahead(GtidSet readerHas) {
        GtidSet own = readerHas.last(sid) == 0 ? GtidSet.EMPTY : readerHas.intersect(all(readerHas.last(sid)));
        return own.minus(executed());
    }

    private GtidSet all(long last) {
        return GtidSet.EMPTY.toBuilder().addRange(sid, 1, last).build();
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.READER_REFUSED, message);
    }

    /**
     * Keeps a file, and all that follow it, from being purged until {@link #release} is called.
     *
     * @return false when it is already purged
     */
    public boolean hold(BinlogFile file) {
        return files.hold(file);
    }

    /** As {@link FileList#oldestHeld}. */
    public int oldestHeld() {
        return files.oldestHeld();
    }

    /** Releases a file that was held. */
    public void release(BinlogFile file) {
        files.release(file);
    }

    /**
     * Deletes all files before one, as PURGE BINARY LOGS TO does, except those that are held.
     *
     * @throws TributaryException READER_REFUSED when there is no such file
     */
    public Purge purgeTo(String name) {
        return purgeTo(name, FailPoint.NONE);
    }

    Purge purgeTo(String name, FailPoint failPoint) {
        int needed = firstNeeded();
        if (needed == writtenEnd().file().number()) {
            force(writtenEnd().file());
        }
        Purge purge = files.purgeTo(name, failPoint);
        if (find(name).map(BinlogFile::number).orElse(0) <= needed) {
            return purge;
        }
        journal.request();
        requestRotation(durableEnd().file());
        boolean isOnlyNeeded =
                purge.held().flatMap(this::find).map(BinlogFile::number).orElse(0) == needed;
        return new Purge(purge.purged(), purge.held(), isOnlyNeeded);
    }

    /** Syncs the snapshot in the last file to disk, whatever binlog.sync is: it must be durable before other files with the journal are deleted. */
    private void force(BinlogFile file) {
        try (FileChannel channel = file.open()) {
            channel.force(false);
        } catch (IOException e) {
            throw IoErrors.of(folder, "sync " + file.name(), e);
        }
    }

    // ---- the journal

    /** Number of the first file that is needed to rebuild the journal, {@link Integer#MAX_VALUE} for none; a purge keeps it. Any thread. */
    public int firstNeeded() {
        return journal.first(FileOffset.of(durableEnd()));
    }

    /** Whether the journal can be rebuilt from this file and the files after it. Reads its head; any thread. */
    public boolean startsJournal(BinlogFile file) {
        try {
            return JournalLog.startsIn(file, Optional.empty());
        } catch (IOException e) {
            throw IoErrors.of(folder, "read the head of " + file.name(), e);
        }
    }

    /** Sets what a recovery found. */
    void journalFrom(JournalStart start) {
        journal.from(start);
    }

    /** Records that the first change of the journal was placed in this file or a later one; only for the stage that writes files. */
    public void journalBegins(int number) {
        journal.begin(number);
    }

    /** Records that a complete snapshot was placed, and the cut that ends here; only for the stage that writes files. */
    public void snapshotEnds(FileOffset end) {
        journal.snapshot(end);
    }

    /** Whether a purge waits for a snapshot in the next file. */
    public boolean needsSnapshot() {
        return journal.isRequested();
    }

    /**
     * The first file that was still being written at a time, or later: a purge to it deletes all files that were finished before that time.
     *
     * @param epochSeconds since 1970
     */
    public BinlogFile finishedBefore(long epochSeconds) {
        BinlogFile first = files.finishedBefore(epochSeconds);
        return mayBeRead(first) ? first : durableEnd().file();
    }

    /**
     * Asks the writer to end the current file at the next cut, unless it has no transaction.
     *
     * @return the file that will be ended; empty when it has no transaction
     */
    public Optional<BinlogFile> requestRotation() {
        BinlogPosition end = durableEnd();
        if (end.gno() <= end.file().previousGtids().last(sid)) {
            return Optional.empty();
        }
        requestRotation(end.file());
        return Optional.of(end.file());
    }

    private void requestRotation(BinlogFile file) {
        synchronized (this) {
            rotateUpTo = Math.max(rotateUpTo, file.number());
        }
        rotationRequests.ring();
    }

    /** Whether the file with a number must be ended at its next cut, however small it is; only for the stage that ends files. */
    public boolean isRotationRequested(int number) {
        boolean is = number <= rotateUpTo;
        if (!is) {
            rotationRequests.listen();
        }
        return is;
    }

    /** From now on, readers may read only what {@link #acknowledge} confirms; what is readable already stays readable. */
    public void requireAcknowledgement() {
        ends.requireAcknowledgement();
    }

    /**
     * As {@link #requireAcknowledgement}, and nothing may be read until then; for files that nobody has read. How much of them was
     * acknowledged is unknown.
     */
    public void requireAcknowledgementOfAll() {
        ends.requireAcknowledgementOfAll(first().previousGtids().last(sid));
    }

    /** Whether anything may be read. */
    public boolean isReadable() {
        return durableEnd().offset() > 0;
    }

    /** From now on, readers may read everything that is durable on this node: no other Dumper must have it. */
    public void requireNoAcknowledgement() {
        ends.requireNoAcknowledgement();
        readableMoved();
    }

    /** Enough Dumpers have everything up to here. A place after what this node has written counts when it is written. Any thread. */
    public void acknowledge(FileOffset place) {
        if (ends.acknowledge(place)) {
            readableMoved();
        }
    }

    /** Continues with what another recovery of the same folder found; only while nothing is written. */
    void resumeWith(BinlogFiles found) {
        FileOffset before = FileOffset.of(durableEnd());
        FileOffset after = FileOffset.of(found.writtenEnd());
        if (after.compareTo(before) < 0) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    folder + ": expected the binlog up to " + before
                            + ", which readers may have read, found it to end at " + after);
        }
        ends.replaceWith(found);
        journal.from(found.journal);
        listeners.forEach(Runnable::run);
    }

    /** From now on, these commit times are measured. */
    public void measure(CommitTimes times) {
        commits = times;
    }

    private void readableMoved() {
        listeners.forEach(Runnable::run);
        CommitTimes times = commits;
        if (times != null) {
            times.readable(durableEnd().gno());
        }
    }

    /** As the other method, for files whose transactions another node has ordered. */
    public void advance(long offset, long gno, long cut) {
        advance(offset, gno, cut, 0);
    }

    /**
     * Only for the syncer's thread: the bytes up to here, which end with the cut of this number, are durable.
     *
     * @param commitMicros commit time of the oldest transaction that is new, µs since 1970; 0: not known
     */
    public void advance(long offset, long gno, long cut, long commitMicros) {
        CommitTimes times = commits;
        if (times != null) {
            times.durable(gno, commitMicros);
        }
        ends.advance(offset, gno, cut);
        readableMoved();
    }

    /**
     * Only for the writer's thread: the current file is finished, and the next one, which is durable on disk, follows it. Adds the next
     * file to the index.
     *
     * @param finishedEnd size of the current file
     * @param headEnd size of the new file
     */
    public void rotate(long finishedEnd, Path next, long headEnd, GtidSet previousGtids) {
        ends.rotate(finishedEnd, new BinlogFile(next, headEnd, false, previousGtids));
        listeners.forEach(Runnable::run);
    }
}
