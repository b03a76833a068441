package io.tributary.node.admin;

import io.tributary.common.metric.Metrics;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.StatusFacts;
import io.tributary.node.text.JsonText;
import io.tributary.node.text.TextTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The page of a node's status, as JSON for programs and as tables for people. */
final class StatusPage {
    private final NodeStatus status;
    private final List<Metrics.Sample> samples;

    StatusPage(NodeStatus status, List<Metrics.Sample> samples) {
        this.status = status;
        this.samples = samples;
    }

    String json() {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("version", status.version());
        page.put("role", status.role());
        page.put("state", status.state());
        page.put("healthy", status.isHealthy());
        page.put("shards", status.shards());
        page.put("facts", StatusFacts.of(status.parts()));
        List<Map<String, Object>> metrics = new ArrayList<>();
        for (Metrics.Sample sample : samples) {
            Map<String, Object> metric = new LinkedHashMap<>();
            metric.put("name", sample.name());
            metric.put("tags", sample.tags());
            metric.put("value", sample.value());
            metrics.add(metric);
        }
        page.put("metrics", metrics);
        return JsonText.of(page) + "\n";
    }

    String text() {
        StringBuilder text = new StringBuilder("tributary " + status.version() + "\n");
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("role", status.role());
        lines.put("state", status.state());
        lines.putAll(StatusFacts.of(status.parts()));
        int width = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
        lines.forEach((name, value) -> text.append("  ")
                .append(name)
                .append(" ".repeat(width + 2 - name.length()))
                .append(value)
                .append('\n'));
        appendTable(text, byTag("shard", "extract.", "shard."));
        appendTable(text, byTag("link", "link."));
        appendTable(text, others());
        return text.toString();
    }

    /** A table of the metrics with a tag: one line for each value of the tag, one column for each metric. */
    private TextTable byTag(String tag, String... prefixes) {
        Set<String> columns = new LinkedHashSet<>();
        Map<String, Map<String, String>> lines = new LinkedHashMap<>();
        if (tag.equals("shard")) {
            status.shards().forEach(shard -> lines.put(shard, new HashMap<>()));
        }
        for (Metrics.Sample sample : samples) {
            String value = sample.tags().get(tag);
            if (value != null) {
                String column = shortName(sample.name(), prefixes);
                columns.add(column);
                lines.computeIfAbsent(value, absent -> new HashMap<>()).put(column, number(sample.value()));
            }
        }
        TextTable table = new TextTable(cells(tag, columns, Function.identity()));
        if (columns.isEmpty()) {
            return table;
        }
        lines.forEach((name, values) -> table.add(cells(name, columns, column -> values.getOrDefault(column, "-"))));
        return table;
    }

    private TextTable others() {
        TextTable table = new TextTable("metric", "value");
        for (Metrics.Sample sample : samples) {
            if (!sample.tags().containsKey("shard") && !sample.tags().containsKey("link")) {
                String tags = sample.tags().isEmpty() ? "" : " " + sample.tags();
                table.add(shortName(sample.name()) + tags, number(sample.value()));
            }
        }
        return table;
    }

    private static String[] cells(String first, Set<String> columns, Function<String, String> cell) {
        return Stream.concat(Stream.of(first), columns.stream().map(cell)).toArray(String[]::new);
    }

    private static String shortName(String metric, String... prefixes) {
        String name = metric.startsWith("tributary.") ? metric.substring("tributary.".length()) : metric;
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                name = name.substring(prefix.length());
                break;
            }
        }
        return name.replace('.', ' ');
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.3f", value);
    }

    private static void appendTable(StringBuilder text, TextTable table) {
        if (!table.isEmpty()) {
            text.append('\n').append(table);
        }
    }
}
