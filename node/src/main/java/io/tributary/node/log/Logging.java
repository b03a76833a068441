package io.tributary.node.log;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.LogManager;
import org.slf4j.jul.JULServiceProvider;

/**
 * A process's logging: {@code logging.properties} beside this class, with the levels that the environment names ({@code TRIBUTARY_LOG_LEVEL} for
 * Tributary's own lines, {@code TRIBUTARY_LIBRARY_LOG_LEVEL} for those of libraries). Who gives the JVM a configuration of his own
 * ({@code -Djava.util.logging.config.file}) gets that one.
 */
public final class Logging {
    private static final String RESOURCE = "logging.properties";
    private static final String PROVIDER = "slf4j.provider";
    private static final String OWN = "io.tributary.level";
    private static final String LEVEL = ".level"; // alone: of all that is not named
    private static final String HANDLERS = "java.util.logging.";
    private static final Map<String, String> LEVELS =
            Map.of("ERROR", "SEVERE", "WARN", "WARNING", "INFO", "INFO", "DEBUG", "FINE", "TRACE", "FINEST");

    private Logging() {}

    /** Has this process log so; before anything has logged. */
    public static void use() {
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, JULServiceProvider.class.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // else it tells which one was named
        }
        if (System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null) {
            return;
        }
        try {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            settings(System.getenv()).store(text, null);
            LogManager.getLogManager().readConfiguration(new ByteArrayInputStream(text.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param environment of the process; a word in it that is no level changes nothing */
    static Properties settings(Map<String, String> environment) throws IOException {
        Properties settings = new Properties();
        try (InputStream resource = Logging.class.getResourceAsStream(RESOURCE)) {
            settings.load(resource);
        }
        Optional<String> own = level(environment, "TRIBUTARY_LOG_LEVEL");
        Optional<String> libraries = level(environment, "TRIBUTARY_LIBRARY_LOG_LEVEL");
        for (String key : settings.stringPropertyNames()) {
            if (key.equals(OWN)) {
                own.ifPresent(level -> settings.setProperty(key, level));
            } else if (key.endsWith(LEVEL) && !key.equals(LEVEL) && !key.startsWith(HANDLERS)) {
                libraries.ifPresent(level -> settings.setProperty(key, level));
            }
        }
        return settings;
    }

    private static Optional<String> level(Map<String, String> environment, String variable) {
        String word = environment.getOrDefault(variable, "").strip().toUpperCase(Locale.ROOT);
        return Optional.ofNullable(LEVELS.get(word));
    }
}
