package io.tributary.binlog;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogIndex;
import io.tributary.binlog.file.DirectorySync;
import io.tributary.binlog.file.FileHead;
import io.tributary.binlog.file.FileVerifier;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.mysql.event.EventOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of a binlog folder. It truncates the last file after its last valid cut, renames a file that has no valid cut, removes
 * what an interrupted purge or rotation left, and creates the first file in a folder that has never had one. A second recovery changes nothing more.
 */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final BinlogDirectory directory;
    private final BinlogConfig config;
    private final Clock clock;
    private final BinlogIndex index;
    private final LongUnaryOperator epochAfter;
    private boolean hasCreatedFile;

    private Recovery(BinlogDirectory directory, BinlogConfig config, LongUnaryOperator epochAfter, Clock clock) {
        this.directory = directory;
        this.config = config;
        this.clock = clock;
        this.index = new BinlogIndex(directory.indexPath());
        this.epochAfter = epochAfter;
    }

    /**
     * Recovers the folder of a node that writes alone. Damage of the last file does not make it fail.
     *
     * @throws TributaryException BINLOG_CORRUPT when the index names a file between others that is missing, or only files that are missing or have
     *     no valid cut; IO_FAILED, DISK_FULL
     */
    public static Recovered run(BinlogDirectory directory, BinlogConfig config, Clock clock) {
        try {
            return journal(directory, new Recovery(directory, config, LongUnaryOperator.identity(), clock).run());
        } catch (IOException e) {
            throw IoErrors.of(directory.path(), "recover the binlog", e);
        }
    }

    /**
     * Recovers the folder for a new leader. The first cut that the leader writes has its epoch: the next cut in the last file, or the cut at the
     * beginning of a new file.
     *
     * @param epochAfter returns the epoch of the leader's cuts for the epoch of the last cut before
     */
    public static Recovered runForLeader(
            BinlogDirectory directory, BinlogConfig config, LongUnaryOperator epochAfter, Clock clock) {
        try {
            Recovery recovery = new Recovery(directory, config, epochAfter, clock);
            Recovered found = recovery.run();
            if (recovery.hasCreatedFile) {
                return journal(directory, found);
            }
            Cut own = found.cut().under(epochAfter.applyAsLong(found.cut().epoch()));
            CutAppender.append(directory, config, found, own, clock);
        } catch (IOException e) {
            throw IoErrors.of(directory.path(), "recover the binlog", e);
        }
        return run(directory, config, clock);
    }

    /**
     * Recovers a folder into which another Dumper's files are copied. It creates no file, neither the first one nor the one that a ROTATE event
     * names.
     */
    public static CopiedFiles runForCopies(BinlogDirectory directory, BinlogConfig config, Clock clock) {
        try {
            CopiedFiles found = new Recovery(directory, config, LongUnaryOperator.identity(), clock).copied();
            if (found.files().isPresent()) {
                BinlogFiles files = found.files().get();
                files.journalFrom(new JournalLog(files.written(), found.tail().cut()).firstNeeded());
            }
            return found;
        } catch (IOException e) {
            throw IoErrors.of(directory.path(), "recover the binlog", e);
        }
    }

    /** Rebuilds the journal's map from the files. */
    private static Recovered journal(BinlogDirectory directory, Recovered found) throws IOException {
        JournalLog log = new JournalLog(found.files().written(), found.cut());
        found.files().journalFrom(log.rebuild(directory.journal()));
        return found;
    }

    /** Names of the valid files, and the verifier of the last one, which ends at its last cut or its ROTATE event. */
    private record ValidFiles(List<String> names, FileVerifier tail) {}

    private Recovered run() throws IOException {
        Optional<ValidFiles> found = keepValid(false);
        if (found.isEmpty()) {
            return begin();
        }
        FileVerifier tail = found.get().tail();
        List<String> names = found.get().names();
        return tail.isFinished() ? rotate(names, tail) : recovered(names, tail);
    }

    private CopiedFiles copied() throws IOException {
        Optional<ValidFiles> found = keepValid(true);
        if (found.isEmpty()) {
            return CopiedFiles.NOTHING;
        }
        List<String> names = found.get().names();
        FileVerifier tail = found.get().tail();
        if (!tail.isFinished()) {
            return new CopiedFiles(Optional.of(recovered(names, tail).files()), tail);
        }
        long cut = tail.cut().number();
        BinlogFiles files = new BinlogFiles(directory, config.serverId(), finished(names), tail.gno(), cut);
        return new CopiedFiles(Optional.of(files), tail);
    }

    private Optional<ValidFiles> keepValid(boolean isCopy) throws IOException {
        boolean hasIndex = index.exists();
        boolean hasBegun = hasIndex && !index.read().isEmpty();
        List<String> names = new ArrayList<>(listed());
        removeUnlisted(names, isCopy);
        int before = names.size();
        while (!names.isEmpty()) {
            Path path = directory.path().resolve(names.get(names.size() - 1));
            FileVerifier tail = scan(path);
            if (tail.hasCut()) {
                if (!tail.isFinished()) {
                    truncate(path, tail);
                }
                if (names.size() < before || !hasIndex) {
                    index.write(names);
                    removeUnlisted(names, false);
                }
                return Optional.of(new ValidFiles(names, tail));
            }
            LOG.error(
                    "file has no valid cut: path={} problem=\"{}\" effect=\"the file before it is used\"",
                    path,
                    tail.problem());
            names.remove(names.size() - 1);
        }
        if (hasBegun && !isCopy) {
            throw lost();
        }
        if (before > 0) {
            removeUnlisted(List.of(), false); // the index stays: a leader must not begin again
        }
        return Optional.empty();
    }

    /** The first file is complete before the index names it, so a binlog without any file is not a new one. */
    private TributaryException lost() {
        return new TributaryException(
                ErrorCode.BINLOG_CORRUPT,
                directory.path() + ": expected one of the files that "
                        + directory.indexPath().getFileName()
                        + " names, with a valid cut, found none. A new binlog here would give the GTIDs of "
                        + directory.serverUuid() + " to other transactions, and replicas would skip them."
                        + " Restore the folder from a backup. To begin again without it, move the folder away,"
                        + " change cluster.uuid if it is set, and make all replicas again");
    }

    /** The names that the index lists and that exist; without an index, all that exist. */
    private List<String> listed() throws IOException {
        List<String> present = directory.fileNames();
        if (!index.exists()) {
            if (!present.isEmpty()) {
                LOG.warn(
                        "index missing: path={} files={} effect=\"index is rebuilt\"",
                        directory.indexPath(),
                        present.size());
            }
            return present;
        }
        List<String> listed = new ArrayList<>(index.read());
        while (!listed.isEmpty() && !present.contains(listed.get(0))) {
            LOG.warn(
                    "file missing: path={} effect=\"counts as purged\"",
                    directory.path().resolve(listed.get(0)));
            listed.remove(0);
        }
        for (String name : listed) {
            if (!present.contains(name)) {
                throw new TributaryException(
                        ErrorCode.BINLOG_CORRUPT,
                        directory.path().resolve(name) + ": expected the file that "
                                + directory.indexPath().getFileName() + " names, found none");
            }
        }
        return listed;
    }

    /**
     * Removes what an interrupted purge or rotation left. A file with transactions is kept under another name.
     *
     * @param isCopy whether the files are a follower's: nobody acknowledged the file that it began after the last one, and the leader has that
     *     file
     */
    private void removeUnlisted(List<String> listed, boolean isCopy) throws IOException {
        int first = listed.isEmpty() ? 0 : BinlogDirectory.number(listed.get(0));
        int last = listed.isEmpty() ? 0 : BinlogDirectory.number(listed.get(listed.size() - 1));
        for (String name : directory.fileNames()) {
            if (listed.contains(name)) {
                continue;
            }
            Path path = directory.path().resolve(name);
            int number = BinlogDirectory.number(name);
            boolean isNeeded = number >= first && !(isCopy && number > last);
            if (!isNeeded || Files.size(path) == 0 || holdsOnlyAHead(path)) {
                LOG.info("file removed: path={} reason=\"not in the index\"", path);
                Files.delete(path);
            } else {
                Path aside = path.resolveSibling(name + ".damaged");
                LOG.error("file renamed: path={} new.name={} reason=\"not in the index\"", path, aside.getFileName());
                Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.deleteIfExists(path.resolveSibling(name + ".idx"));
        }
        DirectorySync.force(directory.path());
    }

    private boolean holdsOnlyAHead(Path path) throws IOException {
        FileVerifier tail = scan(path);
        return tail.hasCut() && tail.problem() == null && tail.gno() == tail.gnoBefore();
    }

    private FileVerifier scan(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return FileVerifier.scan(ReadableBytes.of(channel), directory.serverUuid());
        }
    }

    private static void truncate(Path path, FileVerifier tail) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size > tail.end()) {
                LOG.warn(
                        "file truncated: path={} from={} to={} cut={} gno={} problem=\"{}\"",
                        path,
                        size,
                        tail.end(),
                        tail.cut().number(),
                        tail.gno(),
                        tail.problem() == null ? "no cut after the following bytes" : tail.problem());
                channel.truncate(tail.end());
            }
            channel.force(true);
        }
    }

    /** Continues in the last file. */
    private Recovered recovered(List<String> names, FileVerifier tail) throws IOException {
        List<BinlogFile> files = finished(names.subList(0, names.size() - 1));
        Path path = directory.path().resolve(names.get(names.size() - 1));
        BinlogFile last = new BinlogFile(path, tail.end(), false, tail.previousGtids());
        files.add(last);
        SparseIndex.write(last.indexPath(), tail.entries(), null);
        BinlogFiles all = new BinlogFiles(
                directory, config.serverId(), files, tail.gno(), tail.cut().number());
        return new Recovered(all, tail.cut(), tail.gnoBefore(), tail.nextMark());
    }

    private List<BinlogFile> finished(List<String> names) throws IOException {
        List<BinlogFile> files = new ArrayList<>();
        for (String name : names) {
            Path path = directory.path().resolve(name);
            files.add(new BinlogFile(path, Files.size(path), true, null));
        }
        return files;
    }

    /** Continues after a ROTATE event at the end of the last file: creates the file that it names. */
    private Recovered rotate(List<String> names, FileVerifier tail) throws IOException {
        GtidSet previous = tail.previousGtids();
        if (tail.gno() > tail.gnoBefore()) {
            Sid sid = new Sid(directory.serverUuid());
            previous = previous.toBuilder()
                    .addRange(sid, tail.gnoBefore() + 1, tail.gno())
                    .build();
        }
        int number = BinlogDirectory.number(names.get(names.size() - 1)) + 1;
        List<BinlogFile> files = finished(names);
        Cut cut = headCut(tail.cut());
        files.add(create(number, previous, cut));
        index.write(files.stream().map(BinlogFile::name).toList());
        BinlogFiles all = new BinlogFiles(directory, config.serverId(), files, tail.gno(), cut.number());
        return new Recovered(all, cut, tail.gno(), 0);
    }

    private Recovered begin() throws IOException {
        Cut cut = headCut(Recovered.BEGINNING);
        BinlogFile file = create(1, GtidSet.EMPTY, cut);
        index.write(List.of(file.name()));
        return new Recovered(new BinlogFiles(directory, config.serverId(), List.of(file), 0, 0), cut, 0, 0);
    }

    /** The cut at the beginning of a new file. */
    private Cut headCut(Cut last) {
        hasCreatedFile = true;
        return last.under(epochAfter.applyAsLong(last.epoch()));
    }

    private BinlogFile create(int number, GtidSet previousGtids, Cut cut) throws IOException {
        Path path = directory.path().resolve(directory.fileName(number));
        long timestamp = TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros());
        ByteBuffer head =
                FileHead.bytes(new EventOrigin(timestamp, config.serverId()), config.version(), previousGtids, cut);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (head.hasRemaining()) {
                channel.write(head);
            }
            channel.force(true);
        }
        DirectorySync.force(directory.path());
        return new BinlogFile(path, head.limit(), false, previousGtids);
    }
}
