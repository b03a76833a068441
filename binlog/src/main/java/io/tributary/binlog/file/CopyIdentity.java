package io.tributary.binlog.file;

import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** The UUID of one copy of the binlog, kept in {@code copy.id}. It changes when the files of a folder begin again. */
public final class CopyIdentity {
    static final String FILE = "copy.id";

    private CopyIdentity() {}

    /** The kept UUID; a new one when there is none or it cannot be read. */
    static UUID of(Path folder, Clock clock) throws IOException {
        Optional<UUID> kept = kept(folder);
        return kept.isPresent() ? kept.get() : renew(folder, clock);
    }

    /** The kept UUID, also while a node writes in the folder; empty when there is none or it cannot be read. */
    public static Optional<UUID> kept(Path folder) throws IOException {
        try {
            return Optional.of(UUID.fromString(Files.readString(folder.resolve(FILE), StandardCharsets.UTF_8)
                    .trim()));
        } catch (NoSuchFileException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static UUID renew(Path folder, Clock clock) throws IOException {
        UUID uuid = ServerIdentity.make(folder, clock);
        DirectorySync.replace(folder.resolve(FILE), uuid + "\n");
        return uuid;
    }
}
