package io.tributary.backup.store;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * An object store whose objects are files below a folder. A file that is being written has the suffix {@code .part}. Metadata is in a file beside the
 * object with the suffix {@code .meta}. A conditional replace locks a file with the suffix {@code .lock}. These suffixes are not allowed in names of
 * objects. A file that a crash left incomplete is written again.
 */
public final class DirectoryObjectStore implements ObjectStore {
    private static final String PART = ".part";
    private static final String META = ".meta";
    private static final String LOCK = ".lock";
    private static final List<String> SUFFIXES = List.of(PART, META, LOCK);

    private final Path root;

    /** @param root never created here: if it is missing, every call fails */
    public DirectoryObjectStore(Path root) {
        this.root = root;
    }

    /**
     * A store in an existing folder. A missing folder may be on a disk that is not mounted.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE
     */
    public static DirectoryObjectStore at(Path root) {
        if (!Files.isDirectory(root)) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE,
                    root + ": expected the folder of the backup, found " + (Files.exists(root) ? "a file" : "none")
                            + ": mount its disk, or create it once with mkdir -p " + root + " (a node never creates"
                            + " it)");
        }
        return new DirectoryObjectStore(root);
    }

    @Override
    public Upload begin(String name, Map<String, String> metadata) {
        Path path = path(name);
        try {
            Files.createDirectories(path.getParent());
            return new FileUpload(
                    path,
                    path.resolveSibling("UPLOAD" + LOCK),
                    suffixed(path, PART),
                    suffixed(path, META),
                    text(metadata));
        } catch (IOException e) {
            throw failed(path, "begin it", e);
        }
    }

    @Override
    public void replace(String name, byte[] content) {
        Path path = path(name);
        Path part = suffixed(path, PART);
        try {
            Files.createDirectories(path.getParent());
            write(part, content);
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            force(path.getParent());
        } catch (IOException e) {
            throw failed(path, "replace it", e);
        }
    }

    /** Writes a file from its beginning, and forces it to disk. */
    static void write(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileUpload.open(file)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    @Override
    public String replace(String name, byte[] content, Optional<String> tag) {
        Path path = path(name);
        Path lock = suffixed(path, LOCK);
        try {
            Files.createDirectories(path.getParent());
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.tryLock()) {
                Optional<String> now = held == null
                        ? Optional.of("locked by another")
                        : small(name).map(Tagged::tag);
                if (!now.equals(tag)) {
                    throw new TributaryException(
                            ErrorCode.BACKUP_CONFLICT,
                            path + ": expected it unchanged since it was read, found that it was replaced");
                }
                replace(name, content);
            }
            return Sha256.of(content);
        } catch (IOException | OverlappingFileLockException e) {
            throw failed(path, "replace it", e);
        }
    }

    @Override
    public Optional<Tagged> small(String name) {
        Path path = path(name);
        try {
            byte[] bytes = Files.readAllBytes(path);
            return Optional.of(new Tagged(bytes, Sha256.of(bytes)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed(path, "read it", e);
        }
    }

    @Override
    public Optional<Long> size(String name) {
        Path path = path(name);
        try {
            return Files.isRegularFile(path) ? Optional.of(Files.size(path)) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed(path, "read its size", e);
        }
    }

    @Override
    public Map<String, String> metadata(String name) {
        Path path = suffixed(path(name), META);
        try {
            Properties properties = new Properties();
            if (Files.exists(path)) {
                properties.load(new StringReader(Files.readString(path, StandardCharsets.UTF_8)));
            }
            Map<String, String> metadata = new TreeMap<>();
            properties.stringPropertyNames().forEach(key -> metadata.put(key, properties.getProperty(key)));
            return metadata;
        } catch (IOException e) {
            throw failed(path, "read it", e);
        }
    }

    @Override
    public Future<ByteBuffer> fetch(String name, long offset, int length) {
        Path path = path(name);
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new TributaryException(
                            ErrorCode.BACKUP_CORRUPT,
                            path + ": expected " + (offset + length) + " bytes, found an earlier end");
                }
            }
            return CompletableFuture.completedFuture(bytes.flip());
        } catch (NoSuchFileException e) {
            throw new TributaryException(ErrorCode.BACKUP_CORRUPT, path + ": expected an object, found none", e);
        } catch (IOException e) {
            throw failed(path, "read it at " + offset, e);
        }
    }

    @Override
    public int parallel() {
        return 1;
    }

    @Override
    public List<String> list(String prefix) {
        requireRoot();
        List<String> names = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = root.relativize(file).toString().replace('\\', '/');
                    if (name.startsWith(prefix) && SUFFIXES.stream().noneMatch(name::endsWith)) {
                        names.add(name);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw failed(root, "list it", e);
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public void delete(String name) {
        Path path = path(name);
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(suffixed(path, META));
        } catch (IOException e) {
            throw failed(path, "delete it", e);
        }
    }

    @Override
    public void endUnfinished(String prefix) {
        // an incomplete upload is started again under the same name
    }

    @Override
    public void close() {
        // a folder has nothing to close
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private void requireRoot() {
        if (!Files.isDirectory(root)) {
            throw new TributaryException(
                    ErrorCode.BACKUP_FAILED,
                    root + ": expected the folder of the backup, found none: mount its disk (a node never creates it)");
        }
    }

    /** The path of an object, also of one that does not exist yet. */
    private Path path(String name) {
        Path path = root.resolve(name).normalize();
        if (name.isEmpty()
                || !path.startsWith(root.normalize())
                || SUFFIXES.stream().anyMatch(name::endsWith)) {
            throw new IllegalArgumentException("expected a name of an object below " + root + ", found '" + name + "'");
        }
        requireRoot();
        return path;
    }

    private static Path suffixed(Path path, String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    private static String text(Map<String, String> metadata) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(metadata)
                .forEach((key, value) ->
                        text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }

    static TributaryException failed(Path path, String action, Exception cause) {
        return new TributaryException(
                cause instanceof AccessDeniedException ? ErrorCode.BACKUP_REFUSED : ErrorCode.BACKUP_FAILED,
                path + ": expected to " + action + ", found " + cause,
                cause);
    }

    static void force(Path folder) throws IOException {
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }
}
