package io.tributary.binlog;

import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogIndex;
import io.tributary.binlog.file.IoErrors;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.FailPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of files, in memory and in the index on disk, and which files are held so that no purge deletes them. There is always at
 * least one file. For any thread; while a thread holds the list's monitor nothing is purged.
 */
final class FileList {
    private static final Logger LOG = LoggerFactory.getLogger(FileList.class);

    private final Path folder;
    private final BinlogDirectory directory;
    private final BinlogIndex index;
    private final TreeMap<Integer, Integer> holders = new TreeMap<>(); // number of a file -> how many holds it has
    private volatile List<BinlogFile> files;
    private volatile IntSupplier needed = () -> JournalLog.NO_FILE;

    FileList(BinlogDirectory directory, List<BinlogFile> files) {
        this.folder = directory.path();
        this.directory = directory;
        this.index = new BinlogIndex(directory.indexPath());
        this.files = List.copyOf(files);
    }

    /**
     * Sets the first file that must be kept.
     *
     * @param first its number; all files after it are kept too
     */
    void keepFrom(IntSupplier first) {
        needed = first;
    }

    /** Oldest first, at least one. */
    List<BinlogFile> all() {
        return files;
    }

    BinlogFile first() {
        return files.get(0);
    }

    Optional<BinlogFile> find(String name) {
        return files.stream().filter(file -> file.name().equals(name)).findFirst();
    }

    Optional<BinlogFile> next(BinlogFile file) {
        return files.stream().filter(other -> other.number() > file.number()).findFirst();
    }

    BinlogFile finishedBefore(long epochSeconds) {
        List<BinlogFile> now = files;
        int first = 0;
        while (first + 1 < now.size() && now.get(first + 1).createdSeconds() < epochSeconds) {
            first++;
        }
        return now.get(first);
    }

    /** Adds a file after the last one; first to the index. */
    synchronized void add(BinlogFile file) {
        List<BinlogFile> all = new ArrayList<>(files);
        all.add(file);
        try {
            index.write(names(all));
        } catch (IOException e) {
            throw IoErrors.of(folder, "add " + file.name() + " to the index", e);
        }
        files = List.copyOf(all);
    }

    /**
     * Replaces the files from one on by what another recovery found: files that it did not find are removed, the others get the state that it
     * found. Known files stay the same objects.
     */
    synchronized void replaceFrom(BinlogFile from, List<BinlogFile> found) {
        List<BinlogFile> all = new ArrayList<>(
                files.stream().filter(file -> file.number() < from.number()).toList());
        for (BinlogFile file : found) {
            if (file.number() >= from.number()) {
                BinlogFile known = find(file.name()).orElse(null);
                if (known == null) {
                    file.hide();
                } else {
                    known.write(file);
                }
                all.add(known == null ? file : known);
            }
        }
        files = List.copyOf(all);
    }

    boolean hold(BinlogFile file) {
        synchronized (holders) {
            if (file.number() < first().number()) {
                return false;
            }
            holders.merge(file.number(), 1, Integer::sum);
            return true;
        }
    }

    void release(BinlogFile file) {
        synchronized (holders) {
            holders.computeIfPresent(file.number(), (number, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Changes first the index, then the files: after a crash in between, the next recovery deletes the remaining files. */
    Purge purgeTo(String name, FailPoint failPoint) {
        BinlogFile target = find(name)
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.READER_REFUSED, "There is no binlog file " + name + " to purge to."));
        List<BinlogFile> gone = new ArrayList<>();
        try {
            Optional<String> held = forgetBefore(target, gone, failPoint);
            for (BinlogFile file : gone) {
                Files.deleteIfExists(file.indexPath());
                failPoint.hit("purge.betweenUnlinks");
                Files.deleteIfExists(file.path());
                LOG.info("file purged: path={}", file.path());
            }
            return new Purge(names(gone), held, false);
        } catch (IOException e) {
            throw IoErrors.of(folder, "purge to " + name, e);
        }
    }

    /** Removes the oldest files from the list and the index. */
    private synchronized Optional<String> forgetBefore(BinlogFile target, List<BinlogFile> gone, FailPoint failPoint)
            throws IOException {
        List<BinlogFile> keep = new ArrayList<>(files);
        synchronized (holders) {
            int held = oldestHeld();
            int first = Math.min(target.number(), held);
            gone.addAll(keep.stream().filter(file -> file.number() < first).toList());
            keep.removeAll(gone);
            if (!gone.isEmpty()) {
                keep.get(0).previousGtids(); // read now: this is the only record of the deleted files' GTIDs
                failPoint.hit("purge.beforeIndex");
                index.write(names(keep));
                files = List.copyOf(keep);
                failPoint.hit("purge.afterIndex");
            }
            return held < target.number()
                    ? keep.stream()
                            .filter(file -> file.number() >= held)
                            .map(BinlogFile::name)
                            .findFirst()
                    : Optional.empty();
        }
    }

    /** Number of the oldest file that is held, on this node or on the leader, or that the journal needs; {@link Integer#MAX_VALUE} for none. */
    int oldestHeld() {
        synchronized (holders) {
            int here = holders.isEmpty() ? Integer.MAX_VALUE : holders.firstKey();
            return Math.min(
                    Math.min(here, needed.getAsInt()), directory.leaderHold().firstToKeep());
        }
    }

    private static List<String> names(List<BinlogFile> list) {
        return list.stream().map(BinlogFile::name).toList();
    }
}
