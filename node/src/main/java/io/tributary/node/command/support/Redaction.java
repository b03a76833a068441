package io.tributary.node.command.support;

import io.tributary.common.config.EffectiveSetting;
import io.tributary.common.config.Secret;
import io.tributary.node.text.JsonText;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Replaces passwords in texts: those that are known, and what stands where a password usually is. */
final class Redaction {
    /** Shorter secrets would be found by chance everywhere. */
    private static final int SHORTEST = 4;

    // each pattern begins with a fixed text, so that a long log takes time in proportion to its length
    private static final Pattern LOGIN_OF_URL = Pattern.compile("(://[^\\s/:@]{0,99}:)[^\\s/@]{1,999}(@)");
    private static final Pattern IDENTIFIED =
            Pattern.compile("(?i)(IDENTIFIED\\s+(?:WITH\\s+\\S+\\s+)?(?:BY|AS)\\s+)'(?:[^'\\\\]|\\\\.|'')*'");
    private static final Pattern NAMED = Pattern.compile(
            "(?i)((?:password|passwd|secret|secret-key)\"?\\s{0,9}[=:]\\s{0,9}\"?)(?!\\*\\*\\*)[^\\s\",;]+");

    private final List<String> known;

    /** @param secrets the secrets of the configuration */
    Redaction(Collection<Secret> secrets) {
        this.known = secrets.stream()
                .map(Secret::reveal)
                .flatMap(text -> Stream.of(text, escaped(text)))
                .filter(text -> text.length() >= SHORTEST)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** As it is in JSON. */
    private static String escaped(String text) {
        String json = JsonText.of(text);
        return json.substring(1, json.length() - 1);
    }

    String apply(String text) {
        String hidden = text;
        for (String secret : known) {
            hidden = hidden.replace(secret, EffectiveSetting.HIDDEN);
        }
        String by = Matcher.quoteReplacement(EffectiveSetting.HIDDEN);
        hidden = LOGIN_OF_URL.matcher(hidden).replaceAll("$1" + by + "$2");
        hidden = IDENTIFIED.matcher(hidden).replaceAll("$1'" + by + "'");
        return NAMED.matcher(hidden).replaceAll("$1" + by);
    }
}
