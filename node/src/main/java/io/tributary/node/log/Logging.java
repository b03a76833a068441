package io.tributary.node.log;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;
import org.slf4j.jul.JULServiceProvider;

/**
 * Sets up logging for the process: {@code logging.properties} beside this class, with the levels of the environment ({@code TRIBUTARY_LOG_LEVEL}
 * for Tributary's own lines, {@code TRIBUTARY_LIBRARY_LOG_LEVEL} for those of libraries). A configuration that is passed to the JVM
 * ({@code -Djava.util.logging.config.file}) replaces all of this.
 */
public final class Logging {
    private static final String RESOURCE = "logging.properties";
    private static final String PROVIDER = "slf4j.provider";
    private static final String MANAGER = "java.util.logging.manager";
    private static final String OWN = "io.tributary.level";
    private static final String LEVEL = ".level"; // alone: the level of all loggers that are not named
    private static final Map<String, String> LEVELS =
            Map.of("ERROR", "SEVERE", "WARN", "WARNING", "INFO", "INFO", "DEBUG", "FINE", "TRACE", "FINEST");

    private Logging() {}

    /** Configures logging for this process. Call it before the first line is logged. */
    public static void use() {
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, JULServiceProvider.class.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // otherwise SLF4J prints the provider's name
        }
        if (System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null) {
            return;
        }
        if (System.getProperty(MANAGER) == null) {
            System.setProperty(MANAGER, NodeLogs.class.getName());
        }
        try {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            settings(System.getenv()).store(text, null);
            LogManager manager = LogManager.getLogManager();
            manager.readConfiguration(new ByteArrayInputStream(text.toByteArray()));
            if (manager instanceof NodeLogs logs) {
                logs.configured();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Continues the log as the configuration says. If the JVM has a logging configuration of its own, that one stays.
     *
     * @throws TributaryException CONFIG_INVALID when the file cannot be written
     */
    public static void configure(LogConfig config) {
        Optional<LogOutput> output = output();
        if (output.isEmpty()) {
            return;
        }
        config.file()
                .ifPresent(file -> LoggerFactory.getLogger(Logging.class) // not a constant: use() selects the provider
                        .info("log continues in file: file={}", file.toAbsolutePath()));
        try {
            output.get().configure(config);
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID,
                    "log.file: expected a file that can be written, found "
                            + config.file().orElseThrow() + ": " + e);
        }
    }

    /** The numbers of errors and warnings that were logged, as metrics; none if the JVM has a logging configuration of its own. */
    public static List<Metrics.Point> points() {
        return output().map(LogOutput::points).orElse(List.of());
    }

    /** Logs how often messages were suppressed that were repeated; for the end of the process. */
    public static void end() {
        output().ifPresent(LogOutput::end);
    }

    private static Optional<LogOutput> output() {
        return Arrays.stream(LogManager.getLogManager().getLogger("").getHandlers())
                .filter(LogOutput.class::isInstance)
                .map(LogOutput.class::cast)
                .findFirst();
    }

    /** @param environment of the process; a value that is not a level is ignored */
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
            } else if (key.endsWith(LEVEL) && !key.equals(LEVEL)) {
                libraries.ifPresent(level -> settings.setProperty(key, level));
            }
        }
        return settings;
    }

    private static Optional<String> level(Map<String, String> environment, String variable) {
        String name = environment.getOrDefault(variable, "").strip().toUpperCase(Locale.ROOT);
        return Optional.ofNullable(LEVELS.get(name));
    }
}
