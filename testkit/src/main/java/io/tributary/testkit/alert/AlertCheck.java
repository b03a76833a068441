package io.tributary.testkit.alert;

import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.PrometheusServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Evaluates the alert rules of the archive, unchanged, over metrics that real parts have shown: promtool gets the metrics as if they had been
 * scraped every 15 seconds. So a rule that waits for half an hour is tested at once.
 */
public final class AlertCheck {
    private static final String RULES = "distribution/src/monitoring/prometheus/tributary.rules.yml";
    private static final Duration STEP = Duration.ofSeconds(15);
    private static final String NONE = "_";
    private static final Pattern LINE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? (\\S+)$");

    private final Path folder;
    private final Map<String, List<String>> values = new TreeMap<>();
    private final Map<String, Integer> steps = new HashMap<>();
    private String rules;
    private int stepsBefore;

    /** @param folder for the files of promtool */
    public AlertCheck(Path folder) {
        this.folder = folder;
        try {
            this.rules = Files.readString(rules());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rules of the archive in the source tree. */
    public static Path rules() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve(RULES))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("expected " + RULES + " in a parent folder, found none");
        }
        return folder.resolve(RULES);
    }

    /** Replaces a part of an expression, such as a limit that a test cannot reach. */
    public AlertCheck with(String part, String other) {
        if (!rules.contains(part)) {
            throw new IllegalArgumentException("expected rules with " + part + ", found none");
        }
        rules = rules.replace(part, other);
        return this;
    }

    /** The fault begins: what was shown until now must not cause the alert. */
    public AlertCheck fault() {
        stepsBefore = length();
        return this;
    }

    private int length() {
        return steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /**
     * Adds what the only node has shown for some time.
     *
     * @param metrics Prometheus text
     */
    public AlertCheck shows(String metrics, Duration held) {
        return shows("a:8080", metrics, held);
    }

    /** As above, for one of several nodes. */
    public AlertCheck shows(String instance, String metrics, Duration held) {
        int before = steps.getOrDefault(instance, 0);
        int more = (int) (held.toNanos() / STEP.toNanos());
        Matcher line = LINE.matcher(metrics);
        while (line.find()) {
            String labels = "job=\"tributary\",instance=\"" + instance + "\""
                    + (line.group(2) == null || line.group(2).isEmpty() ? "" : "," + line.group(2));
            List<String> series =
                    values.computeIfAbsent(line.group(1) + "{" + labels + "}", absent -> new ArrayList<>());
            fill(series, before);
            String value = number(line.group(3));
            for (int i = 0; i < more; i++) {
                series.add(value);
            }
        }
        steps.put(instance, before + more);
        return this;
    }

    /** A series that was not shown has ended. */
    private static void fill(List<String> series, int length) {
        if (series.size() < length && !series.isEmpty()) {
            series.add("stale");
        }
        while (series.size() < length) {
            series.add(NONE);
        }
    }

    private static String number(String text) {
        return text.equals("NaN") || text.endsWith("Inf") ? NONE : new BigDecimal(text).toPlainString();
    }

    /**
     * Requires that the alert is quiet at the beginning of the fault, and fires at the end.
     *
     * @throws AssertionError if it is not so, with the output of promtool
     */
    public void assertFires(String alert) throws IOException {
        assertFires(alert, true);
    }

    /** Requires that the alert is quiet at the beginning of the fault and at the end. */
    public void assertQuiet(String alert) throws IOException {
        assertFires(alert, false);
    }

    private void assertFires(String alert, boolean fires) throws IOException {
        int all = length();
        if (stepsBefore == 0) {
            throw new IllegalStateException("expected states before the fault, found none");
        }
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("tributary.rules.yml"), rules);
        StringBuilder test = new StringBuilder("""
                rule_files: [tributary.rules.yml]
                evaluation_interval: 15s
                tests:
                  - interval: 15s
                    input_series:
                """);
        values.forEach((series, shown) -> {
            fill(shown, all);
            test.append("      - {series: '")
                    .append(series.replace("'", "''"))
                    .append("', values: '")
                    .append(String.join(" ", shown))
                    .append("'}\n");
        });
        test.append("    promql_expr_test:\n");
        append(test, alert, stepsBefore - 1, false);
        append(test, alert, all - 1, fires);
        Path file = Files.writeString(folder.resolve("alert.test.yml"), test);
        MysqlTools.Outcome outcome = PrometheusServer.promtool("test", "rules", file.toString());
        if (outcome.status() != 0) {
            throw new AssertionError(alert + ": " + outcome.output());
        }
    }

    private static void append(StringBuilder test, String alert, int step, boolean fires) {
        test.append("      - {expr: 'count(ALERTS{alertstate=\"firing\", alertname=\"")
                .append(alert)
                .append("\"}) > bool 0 or vector(0)', eval_time: ")
                .append(step * STEP.toSeconds())
                .append("s, exp_samples: [{labels: '{}', value: ")
                .append(fires ? 1 : 0)
                .append("}]}\n");
    }
}
