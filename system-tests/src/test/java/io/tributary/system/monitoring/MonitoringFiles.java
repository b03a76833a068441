package io.tributary.system.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files in monitoring/ of the archive, and what they refer to. */
final class MonitoringFiles {
    static final Path SOURCE = Path.of("").toAbsolutePath().getParent();
    static final Path RULES = SOURCE.resolve("distribution/src/monitoring/prometheus/tributary.rules.yml");
    private static final Path DASHBOARDS = SOURCE.resolve("distribution/src/monitoring/grafana");

    private static final Pattern ALERT = Pattern.compile("(?m)^ {6}- alert: (\\w+)\\n {8}expr: '(.*)'$");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:tributary|jvm|process|system)_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*(?:=|!=|=~|!~)\\s*\"");
    private static final Pattern BY = Pattern.compile("(?:by|on)\\s*\\(([^)]*)\\)");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*\\}\\}");

    private MonitoringFiles() {}

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The expression of each alert, by name. */
    static Map<String, String> alerts() {
        Map<String, String> alerts = new TreeMap<>();
        Matcher matcher = ALERT.matcher(text(RULES));
        while (matcher.find()) {
            alerts.put(matcher.group(1), matcher.group(2).replace("''", "'"));
        }
        return alerts;
    }

    static List<Path> dashboards() {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(Path file) {
        try {
            return new ObjectMapper().readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The expression of each target of a dashboard, with its legend. */
    static List<String[]> targets(JsonNode dashboard) {
        List<String[]> targets = new ArrayList<>();
        dashboard
                .get("panels")
                .forEach(panel -> panel.get("targets")
                        .forEach(target -> targets.add(new String[] {
                            target.get("expr").asText(),
                            target.path("legendFormat").asText()
                        })));
        return targets;
    }

    /** The metrics that rules and dashboards name, each with the labels that are used with it, without those that Prometheus adds. */
    static Map<String, Set<String>> used() {
        Map<String, Set<String>> used = new TreeMap<>();
        alerts().values().forEach(expression -> addTo(used, expression, ""));
        dashboards().forEach(file -> targets(json(file)).forEach(target -> addTo(used, target[0], target[1])));
        used.values().forEach(labels -> labels.removeAll(Set.of("job", "instance", "le")));
        return used;
    }

    private static void addTo(Map<String, Set<String>> used, String expression, String legend) {
        Set<String> common = new TreeSet<>();
        Matcher by = BY.matcher(expression);
        while (by.find()) {
            Stream.of(by.group(1).split(",")).map(String::strip).forEach(common::add);
        }
        Matcher shown = LEGEND.matcher(legend);
        while (shown.find()) {
            common.add(shown.group(1));
        }
        Matcher metric = METRIC.matcher(expression);
        while (metric.find()) {
            Set<String> labels = used.computeIfAbsent(metric.group(1), absent -> new TreeSet<>());
            labels.addAll(common);
            if (metric.group(2) != null) {
                Matcher label = LABEL.matcher(metric.group(2));
                while (label.find()) {
                    labels.add(label.group(1));
                }
            }
        }
    }
}
