package io.tributary.common.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds plaintext passwords and keys in a file that every user of the machine may read. */
final class ClearSecrets {
    private static final Pattern FILE = Pattern.compile("\\$\\{file:([^}]*)}");

    private ClearSecrets() {}

    /**
     * One line for each file with a problem.
     *
     * @param file the configuration
     * @param secrets the secret keys that the file sets
     */
    static List<String> problems(Path file, List<Setting> secrets) throws IOException {
        List<String> problems = new ArrayList<>();
        List<String> clear = secrets.stream()
                .filter(setting -> !setting.text().isEmpty()
                        && Placeholders.of(setting.text()).isEmpty())
                .map(Setting::where)
                .toList();
        if (!clear.isEmpty() && mayOthersRead(file)) {
            problems.add(file + ": expected no plaintext password in a file that other users can read, found "
                    + String.join(", ", clear) + remedy(file));
        }
        for (Setting setting : secrets) {
            Matcher named = FILE.matcher(setting.text());
            while (named.find()) {
                Path other = path(named.group(1));
                if (other != null && mayOthersRead(other)) {
                    problems.add(setting.where() + ": expected a file that other users cannot read, found " + other
                            + remedy(other));
                }
            }
        }
        return problems;
    }

    private static String remedy(Path file) {
        return " | chmod o-rwx " + file;
    }

    /** Null if the text is not a path: the placeholder then has no value, which is reported elsewhere. */
    private static Path path(String text) {
        try {
            Path path = Path.of(text);
            return Files.exists(path) ? path : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Whether other users may read the file; false if the file system has no such rights. */
    private static boolean mayOthersRead(Path file) throws IOException {
        PosixFileAttributeView rights =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, new LinkOption[0]);
        return rights != null && rights.readAttributes().permissions().contains(PosixFilePermission.OTHERS_READ);
    }
}
