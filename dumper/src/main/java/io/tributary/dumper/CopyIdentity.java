package io.tributary.dumper;

import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;

/** The UUID of one copy of the binlog, kept in {@code copy.id}: another one wherever a folder's files begin anew. */
final class CopyIdentity {
    static final String FILE = "copy.id";

    private CopyIdentity() {}

    /** The kept one; a new one where there is none, or none that can be read. */
    static UUID of(Path folder, Clock clock) throws IOException {
        try {
            return UUID.fromString(Files.readString(folder.resolve(FILE), StandardCharsets.UTF_8)
                    .trim());
        } catch (NoSuchFileException | IllegalArgumentException e) {
            return renew(folder, clock);
        }
    }

    static UUID renew(Path folder, Clock clock) throws IOException {
        UUID uuid = ServerIdentity.make(folder, clock);
        DirectorySync.replace(folder.resolve(FILE), uuid + "\n");
        return uuid;
    }
}
