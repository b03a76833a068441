package io.tributary.dumper;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Bell;
import io.tributary.common.pipeline.FailPoint;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All binlog files and how far they may be read: what servers of readers and the backup work with. There is always at least
 * one file. Any thread may call what is public; only the writer and its syncer move the written end, the one while the other waits.
 * What may be read follows it at once or, where other Dumpers have to have it too, when it is acknowledged.
 */
public final class BinlogFiles {
    private final Path folder;
    private final FileList files;
    private final UUID serverUuid;
    private final Sid sid;
    private final long serverId;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final MovingEnds ends;
    private volatile int toEnd;
    private final Bell endings = new Bell();
    private final NeededFiles journal = new NeededFiles();

    BinlogFiles(BinlogDirectory directory, long serverId, List<BinlogFile> files, long gno, long cut) {
        this.folder = directory.path();
        this.files = new FileList(directory, files);
        this.serverUuid = directory.serverUuid();
        this.sid = new Sid(serverUuid);
        this.serverId = serverId;
        BinlogFile last = files.get(files.size() - 1);
        this.ends = new MovingEnds(this.files, new DurableEnd(last, last.written(), gno, cut));
        this.files.keepFrom(this::firstNeeded);
    }

    /** All files that may be read, oldest first; at least one; the last is being written. */
    public List<BinlogFile> list() {
        int last = durableEnd().file().number();
        List<BinlogFile> all = files.all();
        return all.get(all.size() - 1).number() <= last
                ? all
                : all.stream().filter(file -> file.number() <= last).toList();
    }

    /** All files on this disk, those too of which nothing may be read yet. */
    public List<BinlogFile> written() {
        return files.all();
    }

    Path folder() {
        return folder;
    }

    public BinlogFile first() {
        return files.first();
    }

    /** The file of a name such as {@code binlog.000001}; empty when it was purged or never was. */
    public Optional<BinlogFile> find(String name) {
        return files.find(name).filter(this::mayBeRead);
    }

    /** The file that follows a finished one, whether that is still listed or not; empty behind the last. */
    public Optional<BinlogFile> next(BinlogFile file) {
        return files.next(file).filter(this::mayBeRead);
    }

    private boolean mayBeRead(BinlogFile file) {
        return file.number() <= durableEnd().file().number();
    }

    /** How far this node has the binlog on its disk: where the writing goes on, and what other Dumpers may copy. */
    public DurableEnd writtenEnd() {
        return ends.written();
    }

    /** How far the binlog may be read now: behind the last durable cut that is acknowledged. */
    public DurableEnd durableEnd() {
        return ends.readable();
    }

    /**
     * Tells whenever {@link #durableEnd()} has moved, from the thread that moved it (the syncer, the writer, whoever counts
     * acknowledgements), from several at once: the listener must be quick, must not block or throw, and may be told more often
     * than the end moves. To miss nothing, subscribe first and then look at the end.
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

    /** {@code @@gtid_executed}: all GTIDs before the durable end, purged ones too. */
    public GtidSet executed() {
        return executed(durableEnd());
    }

    /** All GTIDs before an end that was durable. */
    public GtidSet executed(DurableEnd end) {
        GtidSet before = end.file().previousGtids();
        long last = before.last(sid);
        return end.gno() <= last
                ? before
                : before.toBuilder().addRange(sid, last + 1, end.gno()).build();
    }

    /** {@code @@gtid_purged}: all GTIDs that stand in no file any more. */
    public GtidSet purged() {
        return first().previousGtids();
    }

    /**
     * The file with which to start for a reader that has some GTIDs: the newest one before which it misses nothing.
     *
     * @throws TributaryException READER_REFUSED (MySQL's error 1236) naming the GTIDs that are purged, or those that the reader has
     *     of this server and the server does not
     */
    public BinlogFile locate(GtidSet readerHas) {
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

    /** As {@link #locate} refuses a reader that has GTIDs that were never here. */
    void requireNotAhead(GtidSet readerHas) {
        GtidSet ahead = ahead(readerHas);
        if (!ahead.isEmpty()) {
            throw refused("The reader has GTIDs with this server's UUID that this server has not: " + ahead.line());
        }
    }

    /** What a reader has with this server's UUID that may not be read here. */
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
     * Keeps a file, and all that follow it, from being purged until it is let go.
     *
     * @return false when it has been purged
     */
    public boolean hold(BinlogFile file) {
        return files.hold(file);
    }

    /** As {@link FileList#oldestHeld}. */
    public int oldestHeld() {
        return files.oldestHeld();
    }

    /** Lets go of a file that was held. */
    public void letGo(BinlogFile file) {
        files.letGo(file);
    }

    /**
     * Forgets and deletes all files before one, as PURGE BINARY LOGS TO does, as far as nobody holds them.
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
        journal.want();
        end(durableEnd().file());
        boolean isOnlyNeeded =
                purge.held().flatMap(this::find).map(BinlogFile::number).orElse(0) == needed;
        return new Purge(purge.purged(), purge.held(), isOnlyNeeded);
    }

    /** The snapshot in the last file is to be on the disk before files that have the journal too are deleted, whatever binlog.sync says. */
    private void force(BinlogFile file) {
        try (FileChannel channel = file.open()) {
            channel.force(false);
        } catch (IOException e) {
            throw DiskTrouble.of(folder, "sync " + file.name(), e);
        }
    }

    // ---- the journal

    /** Number of the first file that is needed to make the journal again, {@link Integer#MAX_VALUE} for none; a purge keeps it. Any thread. */
    public int firstNeeded() {
        return journal.first(BinlogPlace.of(durableEnd()));
    }

    /** Whether the journal can be rebuilt of this file and those behind it. Reads its head; any thread. */
    public boolean startsJournal(BinlogFile file) {
        try {
            return JournalLog.startsIn(file, Optional.empty());
        } catch (IOException e) {
            throw DiskTrouble.of(folder, "read the head of " + file.name(), e);
        }
    }

    /** What a recovery found. */
    void journalFrom(JournalStart start) {
        journal.from(start);
    }

    /** The first change of all was placed in this file, or one behind it; the one stage that writes files. */
    public void journalBegins(int number) {
        journal.begin(number);
    }

    /** A whole snapshot was placed, and the cut that ends here; the one stage that writes files. */
    public void snapshotEnds(BinlogPlace end) {
        journal.snapshot(end);
    }

    /** Whether a purge waits for the next file's snapshot. */
    public boolean wantsSnapshot() {
        return journal.isWanted();
    }

    /**
     * The first file that was still written at a time, or later: a purge to it is one of all files finished before that.
     *
     * @param epochSeconds since 1970
     */
    public BinlogFile finishedBefore(long epochSeconds) {
        BinlogFile first = files.finishedBefore(epochSeconds);
        return mayBeRead(first) ? first : durableEnd().file();
    }

    /**
     * Has the writer end the current file at the next cut, unless it holds no transaction.
     *
     * @return the file that is to be ended; empty where it holds none
     */
    public Optional<BinlogFile> endSoon() {
        DurableEnd end = durableEnd();
        if (end.gno() <= end.file().previousGtids().last(sid)) {
            return Optional.empty();
        }
        end(end.file());
        return Optional.of(end.file());
    }

    private void end(BinlogFile file) {
        synchronized (this) {
            toEnd = Math.max(toEnd, file.number());
        }
        endings.ring();
    }

    /** Whether the file of a number is to be ended at its next cut, however small it is; for the one stage that ends files. */
    public boolean isToEnd(int number) {
        boolean is = number <= toEnd;
        if (!is) {
            endings.listen();
        }
        return is;
    }

    /** From now on readers get no more than what {@link #acknowledge} says; what they may read already they may. */
    public void holdBack() {
        ends.holdBack();
    }

    /** As {@link #holdBack}, and nothing may be read until then: for files that nobody has read. It is not known what of them was acknowledged. */
    public void holdBackAll() {
        ends.holdBackAll(first().previousGtids().last(sid));
    }

    /** Whether anything may be read. */
    public boolean isReadable() {
        return durableEnd().offset() > 0;
    }

    /** Readers get all that is durable here, now and from now on: no other Dumper has to have it. */
    public void letThrough() {
        ends.letThrough();
        listeners.forEach(Runnable::run);
    }

    /** So many Dumpers as it takes have everything up to here; what lies behind what this one has written counts later. Any thread. */
    public void acknowledge(BinlogPlace place) {
        if (ends.acknowledge(place)) {
            listeners.forEach(Runnable::run);
        }
    }

    /** Takes over what another recovery of the same folder found, while nobody writes. */
    void goOnWith(BinlogFiles found) {
        BinlogPlace before = BinlogPlace.of(durableEnd());
        BinlogPlace after = BinlogPlace.of(found.writtenEnd());
        if (after.compareTo(before) < 0) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    folder + ": expected the binlog up to " + before
                            + ", which readers may have read, found it to end at " + after);
        }
        ends.takeOver(found);
        journal.from(found.journal);
        listeners.forEach(Runnable::run);
    }

    /** The syncer's thread only: bytes up to here, which end with a cut of this number, are durable. */
    public void advance(long offset, long gno, long cut) {
        ends.advance(offset, gno, cut);
        listeners.forEach(Runnable::run);
    }

    /**
     * The writer's thread only: the current file is finished, and another one that is durable on disk follows it. Adds it to
     * the index.
     *
     * @param finishedEnd size of the current file
     * @param headEnd size of the new file
     */
    public void rotate(long finishedEnd, Path next, long headEnd, GtidSet previousGtids) {
        ends.rotate(finishedEnd, new BinlogFile(next, headEnd, false, previousGtids));
        listeners.forEach(Runnable::run);
    }
}
