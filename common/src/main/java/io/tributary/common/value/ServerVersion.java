package io.tributary.common.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The product and version of a server, which determine how it parses statements.
 *
 * @param mariadb whether it is MariaDB
 * @param number such as 80031 for MySQL 8.0.31 and 101118 for MariaDB 10.11.18
 */
public record ServerVersion(boolean mariadb, int number) {
    /** MySQL 8.0.31, which is assumed for an unknown server. */
    public static final ServerVersion STANDARD = new ServerVersion(false, 80031);

    /** MariaDB may put the version of an old MySQL before its own. */
    private static final Pattern TEXT =
            Pattern.compile("(?:5\\.5\\.5-(?=\\d))?(\\d{1,2})\\.(\\d{1,2})\\.(\\d{1,2})(?!\\d).*");

    private static final int MYSQL_8 = 80000;

    /** Parses a server's version string, such as {@code 8.0.31-log} and {@code 10.11.18-MariaDB}; STANDARD if it is not a version. */
    public static ServerVersion of(String text) {
        Matcher version = TEXT.matcher(text);
        return version.matches()
                ? new ServerVersion(
                        text.contains("MariaDB"),
                        Integer.parseInt(version.group(1)) * 10_000
                                + Integer.parseInt(version.group(2)) * 100
                                + Integer.parseInt(version.group(3)))
                : STANDARD;
    }

    /** Whether {@code utf8mb4} alone means {@code utf8mb4_general_ci} on that server, unless a session sets it otherwise. */
    public boolean isUtf8mb4General() {
        return mariadb || number < MYSQL_8;
    }
}
