package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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

/**
 * Objects as files below a folder. What is being written has the suffix {@code .part}; metadata stands beside an object in a file
 * with the suffix {@code .meta}; both suffixes are no names of objects.
 */
public final class DirectoryObjectStore implements ObjectStore {
    private static final String PART = ".part";
    private static final String META = ".meta";

    private final Path root;

    /** @param root made when the first object is */
    public DirectoryObjectStore(Path root) {
        this.root = root;
    }

    @Override
    public Upload begin(String name, Map<String, String> metadata) {
        Path path = path(name);
        try {
            Files.createDirectories(path.getParent());
            return new FileUpload(path, text(metadata));
        } catch (IOException e) {
            throw failed(path, "begin it", e);
        }
    }

    @Override
    public void replace(String name, byte[] content) {
        try (Upload upload = begin(name, Map.of())) {
            upload.write(ByteBuffer.wrap(content));
            upload.finish();
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
            throw failed(path, "see its size", e);
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
    public int read(String name, long offset, ByteBuffer into) {
        Path path = path(name);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return channel.read(into, offset);
        } catch (IOException e) {
            throw failed(path, "read it at " + offset, e);
        }
    }

    @Override
    public List<String> list(String prefix) {
        List<String> names = new ArrayList<>();
        if (!Files.isDirectory(root)) {
            return names;
        }
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = root.relativize(file).toString().replace('\\', '/');
                    if (name.startsWith(prefix) && !name.endsWith(PART) && !name.endsWith(META)) {
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
    public void close() {
        // a folder needs no end
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private Path path(String name) {
        Path path = root.resolve(name).normalize();
        if (name.isEmpty() || !path.startsWith(root.normalize()) || name.endsWith(PART) || name.endsWith(META)) {
            throw new IllegalArgumentException("expected a name of an object below " + root + ", found '" + name + "'");
        }
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

    private static TributaryException failed(Path path, String action, IOException cause) {
        return new TributaryException(
                ErrorCode.BACKUP_FAILED, path + ": expected to " + action + ", found " + cause, cause);
    }

    /** A file that gets its name when it is whole and on disk. */
    private static final class FileUpload implements Upload {
        private final Path path;
        private final Path part;
        private final String metadata;
        private final FileChannel channel;

        FileUpload(Path path, String metadata) throws IOException {
            this.path = path;
            this.part = suffixed(path, PART);
            this.metadata = metadata;
            this.channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        }

        @Override
        public void write(ByteBuffer bytes) {
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                throw failed(part, "write it", e);
            }
        }

        @Override
        public void finish() {
            try {
                channel.force(true);
                if (!metadata.isEmpty()) {
                    Files.writeString(suffixed(path, META), metadata, StandardCharsets.UTF_8);
                }
                Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
                    folder.force(true);
                }
            } catch (IOException e) {
                throw failed(path, "finish it", e);
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
                Files.deleteIfExists(part);
            } catch (IOException e) {
                throw failed(part, "remove it", e);
            }
        }
    }
}
