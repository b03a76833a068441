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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The binlog files of a node, read without the folder's lock: a node may be writing there. They are listed once. Files that are purged there are read from
 * the node's backup. For one thread.
 */
public final class StoredFiles implements AutoCloseable {
    private final Path folder;
    private final Sid sid;
    private final List<BinlogFile> files;
    private final BackupFiles backup; // null: is not needed, or there is none
    private final StopSignal stop;

    private StoredFiles(Path folder, Sid sid, List<BinlogFile> files, BackupFiles backup, StopSignal stop) {
        this.folder = folder;
        this.sid = sid;
        this.files = files;
        this.backup = backup;
        this.stop = stop;
    }

    /** Opens the backup of a cluster; empty if there is none. Closed by the files that are read from it. */
    interface BackupOpening {
        /**
         * Opens it.
         *
         * @param cluster the UUID of the GTIDs; empty if it is not known
         * @param turn see {@link BackupFiles#of}
         */
        Optional<BackupFiles> open(Optional<UUID> cluster, Runnable turn);
    }

    /**
     * Lists the files.
     *
     * @param opening is asked if the folder lacks the first files
     * @param stop ends work on them
     * @param notes receives sentences for the user
     * @throws TributaryException READER_REFUSED if there is no binlog in the folder, and no backup; DIRECTORY_UNUSABLE, IO_FAILED
     */
    static StoredFiles of(BinlogConfig config, BackupOpening opening, StopSignal stop, Consumer<String> notes) {
        Path folder = config.directory();
        Optional<UUID> uuid = StoredCut.uuid(config);
        List<BinlogFile> here = uuid.isPresent() ? here(config) : List.of();
        if (!here.isEmpty() && here.get(0).previousGtids().isEmpty()) {
            return new StoredFiles(folder, new Sid(uuid.get()), here, null, stop);
        }
        BackupFiles backup = null;
        try {
            backup = opening.open(uuid.or(() -> config.clusterUuid().map(UUID::fromString)), () -> requireRunning(stop))
                    .orElse(null);
        } catch (TributaryException e) {
            if (here.isEmpty()) {
                throw e;
            }
            notes.accept(
                    "the backup is not read, and what is purged in " + folder + " is not shown: " + e.getMessage());
        }
        List<BinlogFile> all = backup == null ? here : joined(backup, here, notes);
        if (all.isEmpty()) {
            throw refused(
                    "expected the binlog of a node in " + folder + ", or a backup of it, found none:"
                            + " run the command with the configuration of a Dumper, on its machine, or with --source where it has it");
        }
        Sid sid = uuid.map(Sid::new).orElse(backup == null ? null : backup.sid());
        return new StoredFiles(folder, sid, List.copyOf(all), backup, stop);
    }

    /**
     * Lists the files that are in the folder, without a backup.
     *
     * @param stop ends work on them
     * @throws TributaryException READER_REFUSED if there is no binlog in the folder; DIRECTORY_UNUSABLE, IO_FAILED
     */
    public static StoredFiles inFolder(BinlogConfig config, StopSignal stop) {
        return of(config, (cluster, turn) -> Optional.empty(), stop, note -> {});
    }

    private static List<BinlogFile> here(BinlogConfig config) {
        Path folder = config.directory();
        BinlogIndex index = new BinlogIndex(folder.resolve(config.name() + ".index"));
        try {
            List<String> names = index.exists() ? index.read() : List.of();
            List<BinlogFile> files = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                Path path = folder.resolve(names.get(i)).normalize();
                files.add(new BinlogFile(path, Files.size(path), i < names.size() - 1, null));
            }
            return List.copyOf(files);
        } catch (IOException e) {
            throw IoErrors.of(folder, "read the files of the binlog", e);
        }
    }

    private static List<BinlogFile> joined(BackupFiles backup, List<BinlogFile> here, Consumer<String> notes) {
        if (here.isEmpty()) {
            return backup.before(Integer.MAX_VALUE);
        }
        List<BinlogFile> older = backup.before(here.get(0).number());
        long before = here.get(0).previousGtids().last(backup.sid());
        if (!older.isEmpty() && backup.last(older.get(older.size() - 1)) != before) {
            notes.accept("the backup ends with transaction " + backup.last(older.get(older.size() - 1))
                    + ", and the files in the folder begin after transaction " + before + ": only the latter are read");
            return here;
        }
        List<BinlogFile> all = new ArrayList<>(older);
        all.addAll(here);
        return all;
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
     * @throws TributaryException COMMAND_CANCELLED after a signal that ends the process
     */
    public void requireRunning() {
        requireRunning(stop);
    }

    /** The same for a signal. */
    public static void requireRunning(StopSignal stop) {
        if (stop.isRequested()) {
            throw new TributaryException(
                    ErrorCode.COMMAND_CANCELLED, "expected time to finish, found a signal that ends the command");
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
            throw refused("expected transaction " + gtid(gno) + " in the files of " + folder
                    + ", found it purged: the first transaction there is "
                    + gtid(before(files.get(0)) + 1)
                    + ". A backup that has it is read if it is in the configuration");
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

    /** A channel for positional reads; the caller closes it. A file of the backup is copied first. */
    public FileChannel open(BinlogFile file) {
        if (backup != null && backup.has(file)) {
            copy(() -> backup.fetch(file));
        }
        return file.open();
    }

    /** Copies something of the backup. The store may block, so that a signal interrupts it. */
    private void copy(Runnable work) {
        try {
            stop.<Boolean, RuntimeException>during(Thread.currentThread()::interrupt, () -> {
                work.run();
                return true;
            });
        } catch (TributaryException e) {
            requireRunning();
            throw e;
        } finally {
            if (stop.isRequested()) {
                boolean unused = Thread.interrupted(); // what follows only tidies up
            }
        }
    }

    /** When the first transaction of a file was committed, µs since 1970; 0 if that is not known. */
    public long firstMicros(BinlogFile file) {
        if (backup != null && backup.has(file)) {
            return backup.firstMicros(file);
        }
        List<SparseEntry> entries = index(file);
        return entries.isEmpty() ? 0 : entries.get(0).commitMicros();
    }

    /** The indexed transactions of a file, oldest first. The index is only read: a missing one is an empty list. */
    public List<SparseEntry> index(BinlogFile file) {
        return entries(file).stream().filter(entry -> !entry.isJournal()).toList();
    }

    /** The indexed changes of the journal in a file, oldest first. */
    public List<SparseEntry> changes(BinlogFile file) {
        return entries(file).stream().filter(SparseEntry::isJournal).toList();
    }

    private List<SparseEntry> entries(BinlogFile file) {
        try {
            if (backup != null && backup.has(file)) {
                copy(() -> backup.fetchIndex(file));
            }
            long end = file.end();
            return SparseIndex.read(file.indexPath()).stream()
                    .filter(entry -> entry.offset() < end)
                    .toList();
        } catch (IOException e) {
            throw IoErrors.of(file.indexPath(), "read the index", e);
        }
    }

    @Override
    public void close() {
        if (backup != null) {
            backup.close();
        }
    }
}
