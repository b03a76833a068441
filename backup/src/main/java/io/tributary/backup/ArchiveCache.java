package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a backup that are in a folder or are being copied there, the readers that wait for them, and the files that may be deleted. Any
 * thread.
 */
final class ArchiveCache {
    private static final Logger LOG = LoggerFactory.getLogger(ArchiveCache.class);

    private final Path folder;
    private final long mostBytes;
    private final Map<String, Volume> volumes = new LinkedHashMap<>(); // in the order in which they were requested
    private boolean aheadFailed; // until the next file is requested

    /** One file; its fields are guarded by its cache. */
    static final class Volume {
        private final Manifest.Entry file;
        private final List<Runnable> borrowers = new ArrayList<>();
        private boolean wasRead;
        private boolean begun;
        private boolean there;
        private TributaryException failure;

        private Volume(Manifest.Entry file) {
            this.file = file;
        }

        Manifest.Entry file() {
            return file;
        }
    }

    /** @throws TributaryException DIRECTORY_UNUSABLE */
    ArchiveCache(Path folder, long mostBytes) {
        this.folder = folder;
        this.mostBytes = mostBytes;
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
                for (Path path : left) {
                    Files.delete(path);
                }
            }
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, folder + ": expected a folder to empty and use, found " + e, e);
        }
    }

    /** The path of a file, also before it is there. */
    Path place(Volume volume) {
        return folder.resolve(volume.file.name());
    }

    synchronized Volume borrow(Manifest.Entry file, Runnable callback) {
        Volume volume = volumes.get(file.name());
        if (volume == null) {
            volume = new Volume(file);
            volumes.put(file.name(), volume);
        }
        volume.borrowers.add(callback);
        volume.wasRead = true;
        aheadFailed = false;
        if (volume.there) {
            callback.run();
        }
        return volume;
    }

    /** A reader that waits for a failed file gets the failure from {@link #path}; the next request starts another attempt. */
    synchronized void giveBack(Volume volume, Runnable callback) {
        volume.borrowers.remove(callback);
        if (volume.borrowers.isEmpty() && !volume.there && !volume.begun) {
            volumes.remove(volume.file.name(), volume); // no reader waits for it any more
        }
    }

    synchronized Optional<Path> path(Volume volume) {
        if (volume.failure != null) {
            throw new TributaryException(volume.failure.code(), volume.failure.getMessage(), volume.failure);
        }
        return volume.there ? Optional.of(place(volume)) : Optional.empty();
    }

    /** The next file to copy, if there is room for it: a file that a reader waits for, else the file after one that is being read. */
    synchronized Optional<Volume> next(Optional<Manifest> manifest) {
        Optional<Volume> wanted = volumes.values().stream()
                .filter(volume -> !volume.begun && !volume.borrowers.isEmpty())
                .findFirst();
        if (wanted.isEmpty() && !aheadFailed) {
            wanted = manifest.flatMap(this::ahead);
        }
        wanted = wanted.filter(this::hasRoom);
        wanted.ifPresent(volume -> {
            volumes.putIfAbsent(volume.file.name(), volume);
            volume.begun = true;
        });
        return wanted;
    }

    private Optional<Volume> ahead(Manifest manifest) {
        return volumes.values().stream()
                .filter(volume -> volume.there && !volume.borrowers.isEmpty())
                .flatMap(volume -> manifest.files().stream()
                        .filter(file -> file.number() > volume.file.number())
                        .limit(1))
                .filter(file -> !volumes.containsKey(file.name()))
                .findFirst()
                .map(Volume::new);
    }

    /**
     * Makes room by deleting files that no reader reads, the oldest first; a single file always has room. A file that was copied ahead and not read
     * yet is deleted only for a file that a reader waits for.
     */
    private boolean hasRoom(Volume wanted) {
        long used = volumes.values().stream()
                .filter(volume -> volume.begun)
                .mapToLong(volume -> volume.file.size())
                .sum();
        Iterator<Volume> all = volumes.values().iterator();
        while (used > 0 && used + wanted.file.size() > mostBytes && all.hasNext()) {
            Volume volume = all.next();
            if (volume.there && volume.borrowers.isEmpty() && (volume.wasRead || wanted.wasRead)) {
                used -= volume.file.size();
                all.remove();
                delete(volume);
            }
        }
        return used == 0 || used + wanted.file.size() <= mostBytes;
    }

    synchronized void isThere(Volume volume) {
        volume.there = true;
        List.copyOf(volume.borrowers).forEach(Runnable::run);
    }

    synchronized void failed(Volume volume, TributaryException cause) {
        volume.failure = cause;
        aheadFailed |= volume.borrowers.isEmpty();
        volumes.remove(volume.file.name(), volume);
        delete(volume);
        List.copyOf(volume.borrowers).forEach(Runnable::run);
    }

    private void delete(Volume volume) {
        try {
            Files.deleteIfExists(place(volume));
            Files.deleteIfExists(place(volume).resolveSibling(volume.file.name() + ".idx"));
        } catch (IOException e) {
            LOG.warn("file not deleted: path={}", place(volume), e);
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
