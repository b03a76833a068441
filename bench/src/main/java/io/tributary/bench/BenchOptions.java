package io.tributary.bench;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the command line of {@code bin/bench} says.
 *
 * @param bench the name of the bench
 * @param json where to write the figures for programs
 * @param more a bench's own options by their names without the dashes
 */
public record BenchOptions(String bench, Optional<Path> json, Map<String, String> more) {
    private static final Set<String> KNOWN =
            new TreeSet<>(Set.of("json", "runs", "shards", "mib", "laps", "seconds", "rate"));

    public BenchOptions {
        more = Map.copyOf(more);
    }

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException with what is wrong with it
     */
    static BenchOptions parse(String[] arguments) {
        if (arguments.length == 0 || arguments[0].startsWith("-")) {
            throw new IllegalArgumentException("expected the name of a bench first");
        }
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < arguments.length; i += 2) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            if (!KNOWN.contains(name) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "expected an option of " + KNOWN + " and its value, came " + arguments[i]);
            }
            options.put(name, arguments[i + 1]);
        }
        Optional<Path> json = Optional.ofNullable(options.remove("json")).map(Path::of);
        return new BenchOptions(arguments[0], json, options);
    }

    /** A whole number, at least 1. */
    public int number(String name, int otherwise) {
        String text = more.get(name);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new IllegalArgumentException("expected a whole number above 0 for --" + name + ", came " + text);
        }
        return Integer.parseInt(text);
    }
}
