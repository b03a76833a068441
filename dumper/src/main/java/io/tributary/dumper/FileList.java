package io.tributary.dumper;

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
 * Which files there are, in memory and in the index on disk, and who keeps which from being purged. There is always at least
 * one file. For any thread; while one holds its lock nothing is purged.
 */
final class FileList {
    private static final Logger LOG = LoggerFactory.getLogger(FileList.class);

    private final Path folder;
    private final BinlogDirectory directory;
    private final BinlogIndex index;
    private final TreeMap<Integer, Integer> holders = new TreeMap<>(); // numbers of files, and how many hold each
    private volatile List<BinlogFile> files;
    private volatile IntSupplier needed = () -> JournalLog.NO_FILE;

    FileList(BinlogDirectory directory, List<BinlogFile> files) {
        this.folder = directory.path();
        this.directory = directory;
        this.index = new BinlogIndex(directory.indexPath());
        this.files = List.copyOf(files);
    }

    /** @param first the number of a file that has to stay, and all that follow it */
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

    /** Adds a file behind the last, to the index first. */
    synchronized void add(BinlogFile file) {
        List<BinlogFile> all = new ArrayList<>(files);
        all.add(file);
        try {
            index.write(names(all));
        } catch (IOException e) {
            throw DiskTrouble.of(folder, "add " + file.name() + " to the index", e);
        }
        files = List.copyOf(all);
    }

    /**
     * Takes over what another recovery found: the files that it did not find are gone, those behind one are as it found them. Files that are
     * known stay the same objects.
     */
    synchronized void takeOver(BinlogFile from, List<BinlogFile> found) {
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

    void letGo(BinlogFile file) {
        synchronized (holders) {
            holders.computeIfPresent(file.number(), (number, count) -> count == 1 ? null : count - 1);
        }
    }

    /** First the index, then the files: what a crash leaves behind between the two is deleted by the next recovery. */
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
                LOG.info("Purged {}", file.path());
            }
            return new Purge(names(gone), held, false);
        } catch (IOException e) {
            throw DiskTrouble.of(folder, "purge to " + name, e);
        }
    }

    /** Takes files from the front of the list and the index. */
    private synchronized Optional<String> forgetBefore(BinlogFile target, List<BinlogFile> gone, FailPoint failPoint)
            throws IOException {
        List<BinlogFile> keep = new ArrayList<>(files);
        synchronized (holders) {
            int held = oldestHeld();
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
                            .filter(file -> file.number() >= held)
                            .map(BinlogFile::name)
                            .findFirst()
                    : Optional.empty();
        }
    }

    /** Number of the oldest file that is held, here or elsewhere, or that the journal needs; {@link Integer#MAX_VALUE} for none. */
    int oldestHeld() {
        synchronized (holders) {
            int here = holders.isEmpty() ? Integer.MAX_VALUE : holders.firstKey();
            return Math.min(
                    Math.min(here, needed.getAsInt()), directory.elsewhere().firstToStay());
        }
    }

    private static List<String> names(List<BinlogFile> list) {
        return list.stream().map(BinlogFile::name).toList();
    }
}
