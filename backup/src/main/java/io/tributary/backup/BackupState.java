package io.tributary.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is known to be in a cluster's backup, for those who do not ask the store. Any thread. */
public final class BackedUp {
    /** The note in the binlog folder of where its files are backed up: outlives the process. */
    static final String NOTE = "backup.place";

    private static final Logger LOG = LoggerFactory.getLogger(BackedUp.class);

    private final Path note;
    private volatile Manifest manifest;

    /** @param folder the binlog files', where it is noted that there is a backup of them */
    public BackedUp(Path folder) {
        this.note = folder.resolve(NOTE);
    }

    /** The manifest as it was last read or written; empty while it never was. */
    public Optional<Manifest> manifest() {
        return Optional.ofNullable(manifest);
    }

    public void know(Manifest now) {
        manifest = now;
    }

    /** Where the files of this folder were last seen to have a backup; empty when they never had one, or it cannot be read. */
    public Optional<String> place() {
        try {
            return Optional.of(Files.readString(note).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            LOG.warn("{}: expected to read it, found {}", note, e.toString());
            return Optional.empty();
        }
    }

    /** Notes where there is a backup. A full disk must not keep files from being backed up: it is noted the next time then. */
    void isAt(String place) {
        if (place().filter(place::equals).isPresent()) {
            return;
        }
        try {
            Files.writeString(note, place + "\n");
        } catch (IOException e) {
            LOG.warn("{}: expected to note there that {} is the backup, found {}", note, place, e.toString());
        }
    }

    /** What to do where a backup that was there is not seen any more. */
    public String remedy() {
        return "mount or mend the store; where that backup was given up on purpose, delete " + note;
    }
}
