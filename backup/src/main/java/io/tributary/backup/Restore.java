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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the files of a backup back into an empty binlog folder, checks each, and writes the index and the kept UUID last: a folder
 * without an index was not restored to the end. A node that is then started goes on behind the last file.
 */
public final class Restore {
    private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
    private static final int STEP = 4 << 20;

    /** The lock, and the folder of users and certificate, which are no part of the binlog. */
    private static final Set<String> MAY_BE_THERE = Set.of("tributary.lock", "serve");

    private final ObjectStore store;
    private final String folder;
    private final Path target;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(STEP);

    private Restore(ObjectStore store, String folder, Path target) {
        this.store = store;
        this.folder = folder;
        this.target = target;
    }

    /** The clusters that have a backup below a prefix: the UUIDs of their GTIDs. */
    public static List<String> clusters(ObjectStore store, String prefix) {
        String before = prefix.isEmpty() ? "" : prefix + "/";
        String behind = "/" + Manifest.NAME;
        return store.list(before).stream()
                .filter(name -> name.endsWith(behind))
                .map(name -> name.substring(before.length(), name.length() - behind.length()))
                .toList();
    }

    /**
     * Restores all files of a cluster.
     *
     * @param target the binlog folder; made when it is missing
     * @return names of the files, oldest first
     * @throws TributaryException DIRECTORY_UNUSABLE when the folder is not empty; BACKUP_FAILED when there is no backup of the
     *     cluster; BACKUP_CORRUPT naming the file that is missing or has another checksum than the manifest says
     */
    public static List<String> run(ObjectStore store, String prefix, String cluster, Path target) {
        return new Restore(store, BackupStage.folder(prefix, cluster), target).run();
    }

    private List<String> run() {
        byte[] bytes = StoredObject.read(store, folder + Manifest.NAME)
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.BACKUP_FAILED, folder + Manifest.NAME + ": expected a manifest, found none"));
        Manifest manifest = Manifest.parse(folder + Manifest.NAME, bytes);
        try {
            Files.createDirectories(target);
            requireEmpty();
            for (Manifest.Entry entry : manifest.files()) {
                restore(entry);
                LOG.info("Restored {} with transactions {} to {}", entry.name(), entry.firstGno(), entry.lastGno());
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
        String name = folder + entry.name();
        if (!store.size(name).isPresent()) {
            throw corrupt(name, "a file of " + entry.size() + " bytes", "none");
        }
        Path part = target.resolve(entry.name() + ".part");
        Sha256 sum = new Sha256();
        long size = 0;
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (store.read(name, size, buffer.clear()) > 0) {
                buffer.flip();
                size += buffer.remaining();
                sum.update(buffer);
                write(channel, buffer);
            }
            channel.force(true);
        }
        String found = sum.hex();
        if (size != entry.size() || !found.equals(entry.sha256())) {
            Files.delete(part);
            throw corrupt(
                    name,
                    entry.size() + " bytes with SHA-256 " + entry.sha256(),
                    size + " bytes with SHA-256 " + found);
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

    private static TributaryException corrupt(String name, String expected, String found) {
        return new TributaryException(ErrorCode.BACKUP_CORRUPT, name + ": expected " + expected + ", found " + found);
    }
}
