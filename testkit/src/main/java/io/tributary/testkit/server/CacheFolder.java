package io.tributary.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Things that are made once per machine and then shared by every build: unpacked servers, template data folders.
 *
 * <p>An entry is made in a folder beside and renamed when complete, so a reader never sees half of one and two builds
 * may make the same entry at the same time. The place is the system property {@code tributary.cache}, else
 * {@code $XDG_CACHE_HOME/tributary}, else {@code ~/.cache/tributary}. It may be deleted whenever nothing runs.
 */
public final class CacheFolder {
    private final Path root;

    CacheFolder(Path root) {
        this.root = root;
    }

    /** Fills an entry's folder. */
    @FunctionalInterface
    public interface Filler {
        void fill(Path folder) throws IOException;
    }

    /** The cache of the user who runs this JVM. */
    public static CacheFolder ofUser() {
        String told = System.getProperty("tributary.cache");
        if (told != null) {
            return new CacheFolder(Path.of(told));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path caches = xdg == null || xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return new CacheFolder(caches.resolve("tributary"));
    }

    /** The folder of that name, made by the filler if it is not there yet. */
    public Path entry(String name, Filler filler) {
        Path entry = root.resolve(name);
        if (Files.isDirectory(entry)) {
            return entry;
        }
        try {
            Files.createDirectories(root);
            Path beside = Files.createTempDirectory(root, name + ".making-");
            try {
                filler.fill(beside);
                publish(beside, entry);
            } finally {
                Folders.delete(beside);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + entry + ": " + e.getMessage(), e);
        }
        return entry;
    }

    private static void publish(Path beside, Path entry) throws IOException {
        try {
            Files.move(beside, entry, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(entry)) { // otherwise another build was faster, and its entry serves as well
                throw e;
            }
        }
    }
}
