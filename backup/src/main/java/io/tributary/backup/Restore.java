package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings the files of a backup back into an empty binlog folder, checks each, and writes the index and the kept UUID last: a folder
 * without an index was not restored to the end. A node that is then started goes on behind the last file.
 */
public final class Restore {
    /** The lock, and the folder of users and certificate, which are no part of the binlog. */
    private static final Set<String> MAY_BE_THERE = Set.of("tributary.lock", "serve");

    private final Backup backup;
    private final Path target;
    private final Consumer<Manifest.Entry> progress;

    private Restore(Backup backup, Path target, Consumer<Manifest.Entry> progress) {
        this.backup = backup;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Restores all files of a cluster.
     *
     * @param target the binlog folder; made when it is missing
     * @param progress told of each file that is back
     * @return names of the files, oldest first
     * @throws TributaryException DIRECTORY_UNUSABLE when the folder is not empty; BACKUP_FAILED when there is no backup of the
     *     cluster; BACKUP_CORRUPT naming the file that is missing or has another checksum than the manifest says
     */
    public static List<String> run(Backup backup, Path target, Consumer<Manifest.Entry> progress) {
        return new Restore(backup, target, progress).run();
    }

    private List<String> run() {
        Manifest manifest = backup.manifest();
        try {
            Files.createDirectories(target);
            requireEmpty();
            for (Manifest.Entry entry : manifest.files()) {
                restore(entry);
                progress.accept(entry);
            }
            List<String> names =
                    manifest.files().stream().map(Manifest.Entry::name).toList();
            write("auto.cnf", "[auto]\nserver-uuid=" + manifest.cluster() + "\n");
            if (!names.isEmpty()) {
                String base = names.get(0).substring(0, names.get(0).lastIndexOf('.'));
                write(
                        base + ".index",
                        names.stream().map(name -> "./" + name + "\n").collect(Collectors.joining()));
            }
            return names;
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, target + ": expected to restore a backup to it, found " + e, e);
        }
    }

    private void requireEmpty() throws IOException {
        try (Stream<Path> entries = Files.list(target)) {
            List<String> present = entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !MAY_BE_THERE.contains(name))
                    .limit(3)
                    .toList();
            if (!present.isEmpty()) {
                throw new TributaryException(
                        ErrorCode.DIRECTORY_UNUSABLE, target + ": expected an empty folder, found " + present);
            }
        }
    }

    private void restore(Manifest.Entry entry) throws IOException {
        Path part = target.resolve(entry.name() + ".part");
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            backup.read(entry, bytes -> write(channel, bytes));
            channel.force(true);
        } catch (TributaryException e) {
            Files.deleteIfExists(part);
            throw e;
        }
        Files.move(part, target.resolve(entry.name()), StandardCopyOption.ATOMIC_MOVE);
    }

    private void write(String name, String text) throws IOException {
        Path part = target.resolve(name + ".part");
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            write(channel, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
        Files.move(part, target.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entries = FileChannel.open(target, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
