package io.tributary.node.command.client;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The password of an account on another server: from a file, an environment variable, or the prompt. It is never an argument, which others could see. */
public final class ServerPassword {
    private ServerPassword() {}

    /**
     * Reads a password.
     *
     * @param file its first line is the password
     * @param variable an environment variable, used if there is no file
     * @throws TributaryException CONFIG_INVALID if the file cannot be read
     */
    public static String of(Optional<Path> file, String variable, String account) {
        if (file.isPresent()) {
            return firstLine(file.get());
        }
        String value = System.getenv(variable);
        return value != null ? value : Password.known(account);
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    file + ": expected a file with a password in its first line, found " + e,
                    e);
        }
    }
}
