package io.tributary.serve.users;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.PrivateFile;
import io.tributary.mysql.protocol.auth.Grant;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The file of users in a node's folder: only its owner may read it, and it is replaced as a whole. */
public final class UsersFile {
    /** Name of the file. */
    public static final String NAME = "users";

    private UsersFile() {}

    /**
     * The users of a file by name, in the file's order; none when there is no file.
     *
     * @throws TributaryException USERS_UNUSABLE
     */
    public static Map<String, UserEntry> read(Path file) {
        try {
            return UsersText.parse(file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            return Map.of();
        } catch (IOException e) {
            throw unusable(file, "to read it", e);
        }
    }

    /**
     * Changes the users and writes the file. Concurrent changes are done one after the other.
     *
     * @param change receives the users by name and may change them
     * @throws TributaryException USERS_UNUSABLE
     */
    public static void change(Path file, UnaryOperator<Map<String, UserEntry>> change) {
        try {
            PrivateFile.createFolder(file.toAbsolutePath().getParent());
            Path lock = file.resolveSibling(file.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var held = channel.lock()) {
                Map<String, UserEntry> users = change.apply(new LinkedHashMap<>(read(file)));
                if (held.isValid()) {
                    PrivateFile.replace(file, UsersText.of(users.values()));
                }
            }
        } catch (IOException e) {
            throw unusable(file, "to replace it", e);
        }
    }

    /** The rights of a user in the file's format: {@code replication, monitor}. */
    public static String rights(Grant grant) {
        return UsersText.rights(grant);
    }

    /** The networks of a user in the file's format. */
    public static String networks(Grant grant) {
        return UsersText.networks(grant);
    }

    private static TributaryException unusable(Path file, String action, IOException cause) {
        return new TributaryException(
                ErrorCode.USERS_UNUSABLE, file + ": expected " + action + ", found " + cause, cause);
    }
}
