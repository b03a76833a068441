package io.tributary.dumper;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.FailPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All binlog files and how far they may be read: what servers of readers and the backup work with. There is always at least
 * one file. Any thread may call what is public; the writer alone moves the end.
 */
public final class BinlogFiles {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogFiles.class);

    private final Path folder;
    private final BinlogIndex index;
    private final UUID serverUuid;
    private final Sid sid;
    private final long serverId;
    private final TreeMap<Integer, Integer> holders = new TreeMap<>(); // numbers of files, and how many hold each
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile List<BinlogFile> files;
    private volatile DurableEnd durableEnd;
    private volatile int toEnd;

    BinlogFiles(BinlogDirectory directory, long serverId, List<BinlogFile> files, long gno, long cut) {
        this.folder = directory.path();
        this.index = new BinlogIndex(directory.indexPath());
        this.serverUuid = directory.serverUuid();
        this.sid = new Sid(serverUuid);
        this.serverId = serverId;
        this.files = List.copyOf(files);
        BinlogFile last = files.get(files.size() - 1);
        this.durableEnd = new DurableEnd(last, last.end(), gno, cut);
    }

    /** All files, oldest first; at least one; the last is being written. */
    public List<BinlogFile> list() {
        return files;
    }

    public BinlogFile first() {
        return files.get(0);
    }

    /** The file of a name such as {@code binlog.000001}; empty when it was purged or never was. */
    public Optional<BinlogFile> find(String name) {
        return files.stream().filter(file -> file.name().equals(name)).findFirst();
    }

    /** The file that follows a finished one, whether that is still listed or not; empty behind the last. */
    public Optional<BinlogFile> next(BinlogFile file) {
        return files.stream().filter(other -> other.number() > file.number()).findFirst();
    }

    /** How far the binlog may be read now. */
    public DurableEnd durableEnd() {
        return durableEnd;
    }

    /**
     * Tells whenever {@link #durableEnd()} has moved, from the writer's thread: the listener must be quick, must not block or
     * throw, and may be told more often than the end moves. To miss nothing, subscribe first and then look at the end.
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
        return executed(durableEnd);
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
        List<BinlogFile> now = files;
        GtidSet own = readerHas.last(sid) == 0 ? GtidSet.EMPTY : readerHas.intersect(all(readerHas.last(sid)));
        GtidSet ahead = own.minus(executed());
        if (!ahead.isEmpty()) {
            throw refused("The reader has GTIDs with this server's UUID that this server has not: " + ahead.line());
        }
        for (int i = now.size() - 1; i >= 0; i--) {
            if (readerHas.containsAll(now.get(i).previousGtids())) {
                return now.get(i);
            }
        }
        throw refused("The reader needs transactions that have been purged: "
                + now.get(0).previousGtids().minus(readerHas).line());
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
        synchronized (holders) {
            if (file.number() < first().number()) {
                return false;
            }
            holders.merge(file.number(), 1, Integer::sum);
            return true;
        }
    }

    /** Lets go of a file that was held. */
    public void letGo(BinlogFile file) {
        synchronized (holders) {
            holders.computeIfPresent(file.number(), (number, count) -> count == 1 ? null : count - 1);
        }
    }

    /**
     * What a purge has done.
     *
     * @param purged names of the files that are gone
     * @param held the first file that was to go and was kept, since somebody reads it; empty when nobody does
     */
    public record Purge(List<String> purged, Optional<String> held) {}

    /**
     * Forgets and deletes all files before one, as PURGE BINARY LOGS TO does, as far as nobody holds them. First the index, then
     * the files: what a crash leaves behind between the two is deleted by the next recovery.
     *
     * @throws TributaryException READER_REFUSED when there is no such file
     */
    public Purge purgeTo(String name) {
        return purgeTo(name, FailPoint.NONE);
    }

    Purge purgeTo(String name, FailPoint failPoint) {
        BinlogFile target = find(name).orElseThrow(() -> refused("There is no binlog file " + name + " to purge to."));
        List<BinlogFile> gone = new ArrayList<>();
        try {
            Optional<String> held = forgetBefore(target, gone, failPoint);
            for (BinlogFile file : gone) {
                Files.deleteIfExists(file.indexPath());
                failPoint.hit("purge.betweenUnlinks");
                Files.deleteIfExists(file.path());
                LOG.info("Purged {}", file.path());
            }
            return new Purge(names(gone), held);
        } catch (IOException e) {
            throw DiskTrouble.of(folder, "purge to " + name, e);
        }
    }

    /** Takes files from the front of the list and the index. */
    private synchronized Optional<String> forgetBefore(BinlogFile target, List<BinlogFile> gone, FailPoint failPoint)
            throws IOException {
        List<BinlogFile> keep = new ArrayList<>(files);
        synchronized (holders) {
            int held = holders.isEmpty() ? Integer.MAX_VALUE : holders.firstKey();
            int first = Math.min(target.number(), held);
            gone.addAll(keep.stream().filter(file -> file.number() < first).toList());
            keep.removeAll(gone);
            if (!gone.isEmpty()) {
                keep.get(0).previousGtids(); // once the files before it are gone, this is all that is known of them
                failPoint.hit("purge.beforeIndex");
                index.write(names(keep));
                files = List.copyOf(keep);
                failPoint.hit("purge.afterIndex");
            }
            return held < target.number()
                    ? keep.stream()
                            .filter(file -> file.number() == held)
                            .map(BinlogFile::name)
                            .findFirst()
                    : Optional.empty();
        }
    }

    /**
     * The first file that was still written at a time, or later: a purge to it is one of all files finished before that.
     *
     * @param epochSeconds since 1970
     */
    public BinlogFile finishedBefore(long epochSeconds) {
        List<BinlogFile> now = files;
        int first = 0;
        while (first + 1 < now.size() && now.get(first + 1).createdSeconds() < epochSeconds) {
            first++;
        }
        return now.get(first);
    }

    /**
     * Has the writer end the current file at the next cut, unless it holds no transaction.
     *
     * @return the file that is to be ended; empty where it holds none
     */
    public Optional<BinlogFile> endSoon() {
        DurableEnd end = durableEnd;
        if (end.gno() <= end.file().previousGtids().last(sid)) {
            return Optional.empty();
        }
        synchronized (this) {
            toEnd = Math.max(toEnd, end.file().number());
        }
        return Optional.of(end.file());
    }

    /** Whether the file of a number is to be ended at its next cut, however small it is. */
    public boolean isToEnd(int number) {
        return number <= toEnd;
    }

    /**
     * Reads a whole finished file and checks every event.
     *
     * @throws TributaryException BINLOG_CORRUPT naming file and offset
     */
    public void verify(BinlogFile file) {
        try {
            FileTail.verified(file);
        } catch (IOException e) {
            throw DiskTrouble.of(file.path(), "read it", e);
        }
    }

    private static List<String> names(List<BinlogFile> list) {
        return list.stream().map(BinlogFile::name).toList();
    }

    /** Takes over what another recovery of the same folder found, while nobody writes. */
    synchronized void goOnWith(BinlogFiles found) {
        DurableEnd before = durableEnd;
        DurableEnd after = found.durableEnd;
        int steps = Integer.compare(after.file().number(), before.file().number());
        if (steps < 0 || (steps == 0 && after.offset() < before.offset())) {
            throw new TributaryException(
                    ErrorCode.BINLOG_CORRUPT,
                    folder + ": expected the binlog up to " + before.file() + ":" + before.offset()
                            + ", which readers may have read, found it to end at " + after.file() + ":"
                            + after.offset());
        }
        List<BinlogFile> all = new ArrayList<>(files);
        found.files.stream()
                .filter(file -> file.number() > before.file().number())
                .forEach(all::add);
        if (steps > 0) {
            before.file().finish(found.find(before.file().name()).orElseThrow().end());
        } else {
            before.file().advance(after.offset());
        }
        files = List.copyOf(all);
        durableEnd = new DurableEnd(all.get(all.size() - 1), after.offset(), after.gno(), after.cut());
        listeners.forEach(Runnable::run);
    }

    /** The writer's thread only: bytes up to here, which end with a cut of this number, are durable. */
    public void advance(long offset, long gno, long cut) {
        BinlogFile file = durableEnd.file();
        file.advance(offset);
        durableEnd = new DurableEnd(file, offset, gno, cut);
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
        addToIndex(new BinlogFile(next, headEnd, false, previousGtids), finishedEnd);
        listeners.forEach(Runnable::run);
    }

    private synchronized void addToIndex(BinlogFile file, long finishedEnd) {
        List<BinlogFile> all = new ArrayList<>(files);
        all.add(file);
        try {
            index.write(names(all));
        } catch (IOException e) {
            throw DiskTrouble.of(folder, "add " + file.name() + " to the index", e);
        }
        DurableEnd end = durableEnd;
        files = List.copyOf(all);
        end.file().finish(finishedEnd);
        durableEnd = new DurableEnd(file, file.end(), end.gno(), end.cut());
    }
}
