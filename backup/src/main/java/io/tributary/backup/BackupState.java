package io.tributary.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The known content of a cluster's backup, for classes that do not read the store. Any thread. */
public final class BackupState {
    /** The file in the binlog folder that contains where its files are backed up; it outlives the process. */
    static final String NOTE = "backup.place";

    private static final Logger LOG = LoggerFactory.getLogger(BackupState.class);

    private final Path note;
    private volatile Manifest manifest;

    /** @param folder the folder of the binlog files; it gets a note that they have a backup */
    public BackupState(Path folder) {
        this.note = folder.resolve(NOTE);
    }

    /** The manifest as it was last read or written; empty if it never was. */
    public Optional<Manifest> manifest() {
        return Optional.ofNullable(manifest);
    }

    void update(Manifest now) {
        manifest = now;
    }

    /** Where the files of this folder were last known to have a backup; empty if they never had one, or if the note cannot be read. */
    public Optional<String> place() {
        try {
            return Optional.of(Files.readString(note).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            LOG.warn("note of the backup not read: path={} error=\"{}\"", note, e.toString());
            return Optional.empty();
        }
    }

    /** Notes where there is a backup. A full disk must not prevent the backup of files: then the note is written the next time. */
    void recordPlace(String place) {
        if (place().filter(place::equals).isPresent()) {
            return;
        }
        try {
            Files.writeString(note, place + "\n");
        } catch (IOException e) {
            LOG.warn("note of the backup not written: path={} backup={} error=\"{}\"", note, place, e.toString());
        }
    }

    /** The action if a backup that existed is not found any more. */
    public String remedy() {
        return "mount or repair the store; if that backup was given up on purpose, delete " + note;
    }
}
