package io.tributary.binlog.file;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The UUID of the global binlog's GTIDs, kept in {@code auto.cnf} as MySQL does it. */
public final class ServerIdentity {
    public static final String FILE = "auto.cnf";
    private static final Path KERNEL_UUIDS = Path.of("/proc/sys/kernel/random/uuid");
    private static final Pattern LINE = Pattern.compile("(?m)^\\s*server-uuid\\s*=\\s*(\\S+)\\s*$");

    private ServerIdentity() {}

    /**
     * The kept UUID, else the configured one, else a new one. In the latter two cases it is kept from now on.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when the kept UUID is not the configured one
     */
    static UUID of(Path folder, Optional<String> configured, Clock clock) throws IOException {
        Optional<UUID> expected = configured.map(text -> parse(text, "cluster.uuid"));
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            UUID uuid = expected.isPresent() ? expected.get() : make(folder, clock);
            keep(folder, uuid);
            return uuid;
        }
        return kept(folder, configured);
    }

    /**
     * The kept UUID, for a folder that has one.
     *
     * @throws TributaryException DIRECTORY_UNUSABLE when it is not the configured one
     */
    public static UUID kept(Path folder, Optional<String> configured) throws IOException {
        Optional<UUID> expected = configured.map(text -> parse(text, "cluster.uuid"));
        Path file = folder.resolve(FILE);
        Matcher line = LINE.matcher(Files.readString(file, StandardCharsets.UTF_8));
        if (!line.find()) {
            throw unusable(file + ": expected a line server-uuid=..., found none");
        }
        UUID kept = parse(line.group(1), file.toString());
        if (expected.isPresent() && !expected.get().equals(kept)) {
            throw unusable(
                    folder + ": expected the binlog of cluster.uuid " + expected.get() + ", found that of " + kept);
        }
        return kept;
    }

    static void keep(Path folder, UUID uuid) throws IOException {
        DirectorySync.replace(folder.resolve(FILE), "[auto]\nserver-uuid=" + uuid + "\n");
    }

    static UUID make(Path folder, Clock clock) throws IOException {
        if (Files.isReadable(KERNEL_UUIDS)) {
            return parse(
                    Files.readString(KERNEL_UUIDS, StandardCharsets.US_ASCII).trim(), KERNEL_UUIDS.toString());
        }
        String unique = folder.toRealPath() + "|" + ProcessHandle.current().pid() + "|" + clock.epochMicros() + "|"
                + clock.nanoTime();
        return UUID.nameUUIDFromBytes(unique.getBytes(StandardCharsets.UTF_8));
    }

    private static UUID parse(String text, String where) {
        try {
            UUID uuid = UUID.fromString(text);
            if (uuid.getMostSignificantBits() != 0 || uuid.getLeastSignificantBits() != 0) {
                return uuid;
            }
        } catch (IllegalArgumentException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE, where + ": expected a UUID, found '" + text + "'", e);
        }
        throw unusable(where + ": expected a UUID other than 0, found '" + text + "'");
    }

    private static TributaryException unusable(String message) {
        return new TributaryException(ErrorCode.DIRECTORY_UNUSABLE, message);
    }
}
