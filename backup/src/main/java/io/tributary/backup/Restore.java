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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Restores the files of a backup to an empty binlog folder, checks each, and writes the index and the UUID last. While it runs the folder contains a
 * note of it. With this note another run continues where this one ended; as long as the note exists no node starts. A node that is started afterwards
 * continues after the last file.
 */
public final class Restore {
    /** The note, in the binlog folder. */
    static final String NOTE = "RESTORING";

    private static final String PART = ".part";
    private static final int STEP = 4 << 20;

    /** The lock, the folder of users and certificate, and files that are derived from the binlog; none of them is part of the binlog. */
    private static final Set<String> MAY_BE_THERE =
            Set.of("tributary.lock", "serve", "archive", "journal", BackupState.NOTE, NOTE);

    private final Backup backup;
    private final Path target;
    private final Progress progress;

    private Restore(Backup backup, Path target, Progress progress) {
        this.backup = backup;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Restores all files of a cluster.
     *
     * @param target the binlog folder; created if it is missing
     * @return names of the files, oldest first
     * @throws TributaryException DIRECTORY_UNUSABLE if the folder is not empty; BACKUP_FAILED if there is no backup of the cluster;
     *     BACKUP_CORRUPT with the name of the file that is missing or has another checksum than in the manifest
     */
    public static List<String> run(Backup backup, Path target, Progress progress) {
        return new Restore(backup, target, progress).run();
    }

    /** Whether a restore to a folder was started and not finished. */
    public static boolean isUnfinished(Path target) {
        return Files.exists(target.resolve(NOTE));
    }

    /** Whether a folder contains nothing that prevents a restore; a missing folder is empty too. */
    public static boolean isEmpty(Path target) throws IOException {
        if (!Files.exists(target)) {
            return true;
        }
        try (Stream<Path> entries = Files.list(target)) {
            return entries.allMatch(
                    entry -> MAY_BE_THERE.contains(entry.getFileName().toString()));
        }
    }

    private List<String> run() {
        Manifest manifest = backup.manifest();
        try {
            Files.createDirectories(target);
            requireRoom(manifest);
            write(NOTE, manifest.cluster() + "\n");
            for (Manifest.Entry entry : manifest.files()) {
                restore(entry);
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
            Files.delete(target.resolve(NOTE));
            force();
            return names;
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.IO_FAILED, target + ": expected to restore a backup to it, found " + e, e);
        }
    }

    /** Ensures that the folder contains only files of an earlier run that restored the same backup. */
    private void requireRoom(Manifest manifest) throws IOException {
        Set<String> allowed = new HashSet<>(MAY_BE_THERE);
        Path note = target.resolve(NOTE);
        if (Files.exists(note) && Files.readString(note).strip().equals(manifest.cluster())) {
            manifest.files().forEach(file -> allowed.addAll(List.of(file.name(), file.name() + PART)));
            allowed.addAll(List.of("auto.cnf", "auto.cnf" + PART, NOTE + PART));
        }
        try (Stream<Path> entries = Files.list(target)) {
            List<String> present = entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !allowed.contains(name))
                    .limit(3)
                    .toList();
            if (!present.isEmpty()) {
                throw new TributaryException(
                        ErrorCode.DIRECTORY_UNUSABLE, target + ": expected an empty folder, found " + present);
            }
        }
    }

    private void restore(Manifest.Entry entry) throws IOException {
        Path file = target.resolve(entry.name());
        Path part = target.resolve(entry.name() + PART);
        progress.begins(entry);
        if (Files.exists(file)) {
            Files.move(file, part, StandardCopyOption.ATOMIC_MOVE); // checked like an incomplete file
        }
        try (Download download = backup.download(entry);
                FileChannel channel = FileChannel.open(
                        part, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            keepExisting(channel, download, entry);
            for (var bytes = download.next(); bytes.isPresent(); bytes = download.next()) {
                int count = bytes.get().remaining();
                write(channel, bytes.get());
                progress.moved(count);
            }
            channel.force(true);
        } catch (TributaryException e) {
            if (e.code() == ErrorCode.BACKUP_CORRUPT) {
                Files.deleteIfExists(part);
            }
            throw e;
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        progress.ended(entry, entry.size() + " bytes");
    }

    /** Keeps the data of an earlier run, in whole ranges; all of it is checked at the end. */
    private void keepExisting(FileChannel channel, Download download, Manifest.Entry entry) throws IOException {
        long size = channel.size();
        long keep = size == entry.size() ? size : Math.min(size, entry.size()) / Download.RANGE * Download.RANGE;
        channel.truncate(keep);
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(STEP, keep));
        while (channel.position() < keep) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), keep - channel.position()));
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
            download.skip(buffer.flip());
            progress.moved(buffer.remaining());
        }
    }

    private void write(String name, String text) throws IOException {
        Path part = target.resolve(name + PART);
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            write(channel, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
        Files.move(part, target.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        force();
    }

    private void force() throws IOException {
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
