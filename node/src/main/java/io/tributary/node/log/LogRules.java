package io.tributary.node.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * Which lines are logged, and how: {@code TRIBUTARY_LOG_LEVEL} sets the level of Tributary's own, {@code TRIBUTARY_LIBRARY_LOG_LEVEL} that of the
 * libraries whose troubles Tributary tells of itself.
 *
 * @param rules the first whose name fits counts
 */
record LogRules(List<Rule> rules) {
    private static final String OWN = "TRIBUTARY_LOG_LEVEL";
    private static final String LIBRARY = "TRIBUTARY_LIBRARY_LOG_LEVEL";
    private static final Rule OTHERS = new Rule("", Level.WARN, false);

    LogRules {
        rules = List.copyOf(rules);
    }

    /**
     * For the loggers of one package and those below it.
     *
     * @param lowest that is logged
     * @param isCalm whether a failure is one line: a peer that dies is said once by Tributary's own line, and the stack of a library tells an
     *     operator nothing more
     */
    record Rule(String name, Level lowest, boolean isCalm) {
        private boolean fits(String logger) {
            return logger.startsWith(name) && (logger.length() == name.length() || logger.charAt(name.length()) == '.');
        }

        boolean logs(Level level) {
            return level.toInt() >= lowest.toInt();
        }
    }

    /** @param environment of the process */
    static LogRules of(Map<String, String> environment) {
        Optional<Level> library = level(environment, LIBRARY);
        return new LogRules(List.of(
                new Rule("io.tributary", level(environment, OWN).orElse(Level.INFO), false),
                new Rule("io.grpc", library.orElse(Level.WARN), true),
                new Rule("io.netty", library.orElse(Level.WARN), true),
                new Rule("org.apache.zookeeper", library.orElse(Level.ERROR), true),
                new Rule("org.apache.curator", library.orElse(Level.ERROR), true)));
    }

    /** Empty for none, and for a word that is no level. */
    private static Optional<Level> level(Map<String, String> environment, String variable) {
        String word = environment.getOrDefault(variable, "").strip().toUpperCase(Locale.ROOT);
        return Arrays.stream(Level.values())
                .filter(level -> level.name().equals(word))
                .findFirst();
    }

    Rule of(String logger) {
        for (Rule rule : rules) {
            if (rule.fits(logger)) {
                return rule;
            }
        }
        return OTHERS;
    }
}
