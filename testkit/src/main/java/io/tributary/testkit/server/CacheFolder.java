package io.tributary.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A cache of files that are created once per machine and shared by all builds: unpacked servers, template data folders.
 *
 * <p>An entry is created in a temporary folder and renamed when it is complete, so a reader never sees an incomplete entry, and two builds
 * may create the same entry at the same time. The location is the system property {@code tributary.cache}, else
 * {@code $XDG_CACHE_HOME/tributary}, else {@code ~/.cache/tributary}. It may be deleted when nothing runs.
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
        String configured = System.getProperty("tributary.cache");
        if (configured != null) {
            return new CacheFolder(Path.of(configured));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path caches = xdg == null || xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return new CacheFolder(caches.resolve("tributary"));
    }

    /** The folder with this name; the filler creates it if it does not exist. */
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
            throw new UncheckedIOException("cannot create " + entry + ": " + e.getMessage(), e);
        }
        return entry;
    }

    private static void publish(Path beside, Path entry) throws IOException {
        try {
            Files.move(beside, entry, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(entry)) { // otherwise another build was faster, and its entry is used
                throw e;
            }
        }
    }
}
