package io.tributary.node.log;

import io.tributary.common.pipeline.Clock;
import java.io.PrintStream;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** A node's logging as SLF4J finds it. It is no service of its jar: whoever embeds a part of Tributary logs as he likes. */
public final class LineLogs implements SLF4JServiceProvider, ILoggerFactory {
    /** SLF4J's system property that names the provider, where it does not look for one. */
    private static final String PROVIDER = "slf4j.provider";

    private static final String API = "2.0.99";

    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();
    private final LogRules rules;
    private final PrintStream out;
    private final Clock clock;
    private final ZoneId zone;

    /** Made by SLF4J: logs to stderr, as the environment says. */
    public LineLogs() {
        this(LogRules.of(System.getenv()), System.err, Clock.SYSTEM, ZoneId.systemDefault());
    }

    LineLogs(LogRules rules, PrintStream out, Clock clock, ZoneId zone) {
        this.rules = rules;
        this.out = out;
        this.clock = clock;
        this.zone = zone;
    }

    /** Has this process log so, unless it was told otherwise; before anything has logged. */
    public static void use() {
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, LineLogs.class.getName());
        }
    }

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(name, each -> new LineLogger(each, rules.of(each), out, clock, zone));
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return this;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return API;
    }

    @Override
    public void initialize() {}
}
