package io.tributary.common.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces {@code ${env:NAME}} and {@code ${file:/path}} in values; the last line end of a file is removed. */
final class Placeholders {
    private static final Pattern FORM = Pattern.compile("\\$\\{(env|file):([^}]*)}");

    private final UnaryOperator<String> environment;

    /** @param environment returns the value of a variable, null if it is not set */
    Placeholders(UnaryOperator<String> environment) {
        this.environment = environment;
    }

    /** Whether a text consists of one placeholder only. */
    static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** The placeholders in a text. */
    static List<String> of(String text) {
        return FORM.matcher(text).results().map(MatchResult::group).toList();
    }

    /** @throws IllegalArgumentException with the expectation if a placeholder has no value */
    String replace(String text) {
        Matcher matcher = FORM.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String value =
                    matcher.group(1).equals("env") ? environmentValue(matcher.group(2)) : fileValue(matcher.group(2));
            matcher.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(result).toString();
    }

    private String environmentValue(String name) {
        String value = environment.apply(name);
        if (value == null) {
            throw new IllegalArgumentException("the environment variable " + name + " to be set");
        }
        return value;
    }

    private static String fileValue(String path) {
        try {
            return Files.readString(Path.of(path)).stripTrailing();
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("the file " + path + " to be readable", e);
        }
    }
}
