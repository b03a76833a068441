package io.tributary.dumper.sql;

import java.util.regex.Pattern;

/** How LIKE compares: {@code %}, {@code _}, a backslash before them, case does not count. */
public final class LikePattern {
    private LikePattern() {}

    /** As {@link Pattern#matcher}, for the whole text. */
    public static Pattern of(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\' && i + 1 < pattern.length()) {
                regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
            } else if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }
}
