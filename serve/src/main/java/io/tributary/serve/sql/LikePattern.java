package io.tributary.serve.sql;

import java.util.regex.Pattern;

/** SQL's LIKE patterns: {@code %}, {@code _}, and a backslash as their escape; case-insensitive. */
public final class LikePattern {
    private LikePattern() {}

    /** A regular expression for the whole text, for {@link Pattern#matcher}. */
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
