package io.tributary.dumper;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
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
 * Makes a folder ready to be written on: cuts the last file off behind its last valid cut, sets aside what has no cut at all,
 * removes what an interrupted purge or rotation left, and creates the first file in an empty folder. Done twice it does nothing more.
 */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final BinlogDirectory directory;
    private final BinlogConfig config;
    private final Clock clock;
    private final BinlogIndex index;
    private final LongUnaryOperator epochAfter;
    private boolean hasBegunFile;

    private Recovery(BinlogDirectory directory, BinlogConfig config, LongUnaryOperator epochAfter, Clock clock) {
        this.directory = directory;
        this.config = config;
        this.clock = clock;
        this.index = new BinlogIndex(directory.indexPath());
        this.epochAfter = epochAfter;
    }

    /**
     * No damage of the last file makes it fail.
     *
     * @throws TributaryException BINLOG_CORRUPT when a file that the index names is missing between others; IO_FAILED, DISK_FULL
     */
    public static Recovered run(BinlogDirectory directory, BinlogConfig config, Clock clock) {
        try {
            return journal(directory, new Recovery(directory, config, LongUnaryOperator.identity(), clock).run());
        } catch (IOException e) {
            throw DiskTrouble.of(directory.path(), "recover the binlog", e);
        }
    }

    /**
     * The same for a new leader: the first cut that is its own says its epoch, be it the last file's next one or that of a file that is begun.
     *
     * @param epochAfter the epoch of the leader's cuts, by that of the last one before
     */
    public static Recovered runForLeader(
            BinlogDirectory directory, BinlogConfig config, LongUnaryOperator epochAfter, Clock clock) {
        try {
            Recovery recovery = new Recovery(directory, config, epochAfter, clock);
            Recovered found = recovery.run();
            if (recovery.hasBegunFile) {
                return journal(directory, found);
            }
            Cut own = found.cut().under(epochAfter.applyAsLong(found.cut().epoch()));
            CutAppender.append(directory, config, found, own, clock);
        } catch (IOException e) {
            throw DiskTrouble.of(directory.path(), "recover the binlog", e);
        }
        return run(directory, config, clock);
    }

    /**
     * The same for a folder whose files another Dumper's are copied to: nothing is made, neither a first file nor the one that a ROTATE event
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
            throw DiskTrouble.of(directory.path(), "recover the binlog", e);
        }
    }

    /** Makes the journal's map of what the files say. */
    private static Recovered journal(BinlogDirectory directory, Recovered found) throws IOException {
        JournalLog log = new JournalLog(found.files().written(), found.cut());
        found.files().journalFrom(log.rebuild(directory.journal()));
        return found;
    }

    /** Names of the files, and what the last one holds, which ends at its last cut or its ROTATE event. */
    private record Settled(List<String> names, FileTail tail) {}

    private Recovered run() throws IOException {
        Optional<Settled> found = settle(false);
        if (found.isEmpty()) {
            return begin();
        }
        FileTail tail = found.get().tail();
        List<String> names = found.get().names();
        return tail.isFinished() ? rotate(names, tail) : recovered(names, tail);
    }

    private CopiedFiles copied() throws IOException {
        Optional<Settled> found = settle(true);
        if (found.isEmpty()) {
            return CopiedFiles.NOTHING;
        }
        List<String> names = found.get().names();
        FileTail tail = found.get().tail();
        if (!tail.isFinished()) {
            return new CopiedFiles(Optional.of(recovered(names, tail).files()), tail);
        }
        long cut = tail.cut().number();
        BinlogFiles files = new BinlogFiles(directory, config.serverId(), finished(names), tail.gno(), cut);
        return new CopiedFiles(Optional.of(files), tail);
    }

    private Optional<Settled> settle(boolean isCopy) throws IOException {
        List<String> names = new ArrayList<>(listed());
        removeUnlisted(names, isCopy);
        int before = names.size();
        while (!names.isEmpty()) {
            Path path = directory.path().resolve(names.get(names.size() - 1));
            FileTail tail = scan(path);
            if (tail.hasCut()) {
                if (!tail.isFinished()) {
                    truncate(path, tail);
                }
                if (names.size() < before) {
                    index.write(names);
                    removeUnlisted(names, false);
                }
                return Optional.of(new Settled(names, tail));
            }
            LOG.error("{} holds no valid cut ({}); going on with the file before it", path, tail.problem());
            names.remove(names.size() - 1);
        }
        if (before > 0) {
            index.write(List.of());
            removeUnlisted(List.of(), false);
        }
        return Optional.empty();
    }

    /** What the index names and is there; without an index, what is there. */
    private List<String> listed() throws IOException {
        List<String> present = directory.fileNames();
        if (!index.exists()) {
            if (!present.isEmpty()) {
                LOG.warn("{} is missing; it is made anew of {} files", directory.indexPath(), present.size());
                index.write(present);
            }
            return present;
        }
        List<String> listed = new ArrayList<>(index.read());
        while (!listed.isEmpty() && !present.contains(listed.get(0))) {
            LOG.warn("{} is missing; it counts as purged", directory.path().resolve(listed.get(0)));
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
     * What an interrupted purge or rotation left; what holds transactions is kept under another name.
     *
     * @param isCopy of what a follower had begun behind the last nobody acknowledged anything, and the leader has it
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
                LOG.info("{} is not in the index; removed", path);
                Files.delete(path);
            } else {
                Path aside = path.resolveSibling(name + ".damaged");
                LOG.error("{} is set aside as {}", path, aside.getFileName());
                Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.deleteIfExists(path.resolveSibling(name + ".idx"));
        }
        DirectorySync.force(directory.path());
    }

    private boolean holdsOnlyAHead(Path path) throws IOException {
        FileTail tail = scan(path);
        return tail.hasCut() && tail.problem() == null && tail.gno() == tail.gnoBefore();
    }

    private FileTail scan(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return FileTail.scan(ReadableBytes.of(channel), directory.serverUuid());
        }
    }

    private static void truncate(Path path, FileTail tail) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size > tail.end()) {
                LOG.warn(
                        "{}: cut off from {} to {} bytes, behind cut {} and transaction {} ({})",
                        path,
                        size,
                        tail.end(),
                        tail.cut().number(),
                        tail.gno(),
                        tail.problem() == null ? "what follows ends in no cut" : tail.problem());
                channel.truncate(tail.end());
            }
            channel.force(true);
        }
    }

    /** Goes on in the last file. */
    private Recovered recovered(List<String> names, FileTail tail) throws IOException {
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

    /** The last file has its ROTATE event, and the file that it names was not begun: goes on in that. */
    private Recovered rotate(List<String> names, FileTail tail) throws IOException {
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

    /** The cut with which a file is begun. */
    private Cut headCut(Cut last) {
        hasBegunFile = true;
        return last.under(epochAfter.applyAsLong(last.epoch()));
    }

    private BinlogFile create(int number, GtidSet previousGtids, Cut cut) throws IOException {
        Path path = directory.path().resolve(directory.fileName(number));
        long timestamp = TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros());
        ByteBuffer head = FileHead.bytes(timestamp, config.serverId(), config.version(), previousGtids, cut);
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
