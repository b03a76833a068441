package io.tributary.node.command.order;

import io.tributary.binlog.StoredCut;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogIndex;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The binlog files of a node, read without the folder's lock: a node may be writing there. They are listed once. */
public final class StoredFiles {
    private final Path folder;
    private final Sid sid;
    private final List<BinlogFile> files;
    private final StopSignal stop;

    private StoredFiles(Path folder, Sid sid, List<BinlogFile> files, StopSignal stop) {
        this.folder = folder;
        this.sid = sid;
        this.files = files;
        this.stop = stop;
    }

    /**
     * Lists the files.
     *
     * @param stop ends work on them
     * @throws TributaryException READER_REFUSED if there is no binlog in the folder; DIRECTORY_UNUSABLE, IO_FAILED
     */
    public static StoredFiles of(BinlogConfig config, StopSignal stop) {
        Path folder = config.directory();
        BinlogIndex index = new BinlogIndex(folder.resolve(config.name() + ".index"));
        Sid sid = StoredCut.uuid(config)
                .map(Sid::new)
                .filter(any -> index.exists())
                .orElseThrow(() -> refused("expected the binlog of a node in " + folder
                        + ", found none: run the command with the configuration of a Dumper, on its machine"));
        try {
            List<String> names = index.read();
            List<BinlogFile> files = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                Path path = folder.resolve(names.get(i)).normalize();
                files.add(new BinlogFile(path, Files.size(path), i < names.size() - 1, null));
            }
            if (files.isEmpty()) {
                throw refused("expected binlog files in " + folder + ", found none yet");
            }
            return new StoredFiles(folder, sid, List.copyOf(files), stop);
        } catch (IOException e) {
            throw IoErrors.of(folder, "read the files of the binlog", e);
        }
    }

    /** A request that cannot be answered from the files. */
    public static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.READER_REFUSED, message);
    }

    /** The folder. */
    public Path folder() {
        return folder;
    }

    /**
     * Returns while the command is to continue.
     *
     * @throws TributaryException READER_REFUSED after a signal that ends the process
     */
    public void requireRunning() {
        if (stop.isRequested()) {
            throw refused("expected time to finish, found a signal that ends the command: it can be repeated");
        }
    }

    /** The source of the GTIDs in the files. */
    public Sid sid() {
        return sid;
    }

    /** A transaction of the binlog. */
    public Gtid gtid(long gno) {
        return new Gtid(sid, gno);
    }

    /** All files, oldest first; at least one. */
    public List<BinlogFile> list() {
        return files;
    }

    /** The file after one; null after the last. */
    public BinlogFile next(BinlogFile file) {
        int next = files.indexOf(file) + 1;
        return next < files.size() ? files.get(next) : null;
    }

    /** The number of the last transaction before a file. */
    public long before(BinlogFile file) {
        return file.previousGtids().last(sid);
    }

    /**
     * The file that contains a transaction, or the last one.
     *
     * @throws TributaryException READER_REFUSED if it is purged
     */
    public BinlogFile of(long gno) {
        if (before(files.get(0)) >= gno) {
            throw refused(
                    "expected transaction " + gtid(gno) + " in the files of " + folder
                            + ", found it purged: the first transaction there is "
                            + gtid(before(files.get(0)) + 1)
                            + ". If a backup has it, restore the backup into another folder (tributary backup restore) and run the command with its configuration");
        }
        int low = 0;
        int high = files.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (before(files.get(middle)) < gno) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return files.get(low);
    }

    /** The indexed transactions of a file, oldest first. The index is only read: a missing one is an empty list. */
    public List<SparseEntry> index(BinlogFile file) {
        return entries(file).stream().filter(entry -> !entry.isJournal()).toList();
    }

    /** The indexed changes of the journal in a file, oldest first. */
    public List<SparseEntry> changes(BinlogFile file) {
        return entries(file).stream().filter(SparseEntry::isJournal).toList();
    }

    private static List<SparseEntry> entries(BinlogFile file) {
        try {
            long end = file.end();
            return SparseIndex.read(file.indexPath()).stream()
                    .filter(entry -> entry.offset() < end)
                    .toList();
        } catch (IOException e) {
            throw IoErrors.of(file.indexPath(), "read the index", e);
        }
    }
}
