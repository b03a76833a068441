package io.tributary.backup;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of a backup: the first one encrypts new files, each decrypts the files that it has encrypted. */
public final class BackupKeys {
    /** No keys: files are not encrypted, and encrypted files cannot be read. */
    public static final BackupKeys NONE = new BackupKeys("backup.key.file", List.of());

    private static final Logger LOG = LoggerFactory.getLogger(BackupKeys.class);
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{" + 2 * BackupKey.LENGTH + "}");

    private final String from;
    private final List<BackupKey> keys;

    private BackupKeys(String from, List<BackupKey> keys) {
        this.from = from;
        this.keys = keys;
    }

    /**
     * Reads the file of keys in the configuration: one key per line, as 64 hex digits, the newest first.
     *
     * @throws TributaryException CONFIG_INVALID if it cannot be read, contains no key, or contains a line that is no key
     */
    public static BackupKeys of(BackupConfig config) {
        return config.keyFile().map(BackupKeys::read).orElse(NONE);
    }

    private static BackupKeys read(Path file) {
        try {
            if (PrivateFile.isOpenToOthers(file)) {
                LOG.warn("backup keys are readable by others than the owner: file={}", file);
            }
            List<String> lines = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
            if (lines.isEmpty()
                    || !lines.stream().allMatch(line -> HEX.matcher(line).matches())) {
                throw invalid(file, "found none, or a line that is no key; `openssl rand -hex 32` creates one", null);
            }
            return new BackupKeys(
                    file.toString(),
                    lines.stream()
                            .map(line -> new BackupKey(java.util.HexFormat.of().parseHex(line)))
                            .toList());
        } catch (IOException e) {
            throw invalid(file, "found " + e, e);
        }
    }

    private static TributaryException invalid(Path file, String found, Throwable cause) {
        return new TributaryException(
                ErrorCode.CONFIG_INVALID,
                "backup.key.file " + file + ": expected a key of 64 hex digits a line, " + found,
                cause);
    }

    /** The id of the key that new files get; empty if they are not encrypted. */
    Optional<String> newest() {
        return keys.stream().findFirst().map(BackupKey::id);
    }

    /**
     * The encryption of a file; empty if it is not encrypted.
     *
     * @throws TributaryException BACKUP_REFUSED if its key is not among these
     */
    Optional<FileEncryption> of(String cluster, Manifest.Entry file) {
        return file.key().map(id -> new FileEncryption(find(id, file.name()), cluster, file));
    }

    private BackupKey find(String id, String name) {
        return keys.stream()
                .filter(key -> key.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.BACKUP_REFUSED,
                        name + ": expected the key " + id + ", with which it is encrypted, in " + from + ", found "
                                + (keys.isEmpty()
                                        ? "no key"
                                        : keys.stream().map(BackupKey::id).toList())));
    }
}
