package io.tributary.node.command.top;

import io.tributary.node.command.output.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One reading of a node's page /status.
 *
 * @param nanos when it was read, for rates
 * @param heading version, role and state
 * @param isHealthy whether the node works
 * @param shards the names of the shards
 * @param facts texts by name
 * @param values of metrics, by metric and then by the values of its labels with spaces between them; "" for a metric without labels
 */
record TopSample(
        long nanos,
        String heading,
        boolean isHealthy,
        List<String> shards,
        Map<String, String> facts,
        Map<String, Map<String, Double>> values) {
    /** @param json the page /status */
    static TopSample of(String json, long nanos) {
        Map<?, ?> page = (Map<?, ?>) YamlText.parse(json);
        Map<String, String> facts = new LinkedHashMap<>();
        ((Map<?, ?>) page.get("facts")).forEach((name, value) -> facts.put(name.toString(), String.valueOf(value)));
        Map<String, Map<String, Double>> values = new LinkedHashMap<>();
        for (Object each : (List<?>) page.get("metrics")) {
            Map<?, ?> metric = (Map<?, ?>) each;
            Object value = metric.get("value");
            if (value instanceof Number number) {
                Map<?, ?> tags = (Map<?, ?>) metric.get("tags");
                String label = new TreeMap<>(tags)
                        .values().stream().map(Object::toString).collect(Collectors.joining(" "));
                values.computeIfAbsent(metric.get("name").toString(), absent -> new LinkedHashMap<>())
                        .merge(label, number.doubleValue(), Double::sum);
            }
        }
        List<String> shards = new ArrayList<>();
        ((List<?>) page.get("shards")).forEach(shard -> shards.add(shard.toString()));
        return new TopSample(
                nanos,
                "tributary " + page.get("version") + "  " + page.get("role") + "  " + page.get("state"),
                Boolean.TRUE.equals(page.get("healthy")),
                shards,
                facts,
                values);
    }

    /** The value of a metric with a label; empty if there is none. */
    Optional<Double> value(String metric, String label) {
        return Optional.ofNullable(values.getOrDefault(metric, Map.of()).get(label));
    }

    /** The labels of a metric, in their order. */
    List<String> labels(String metric) {
        return List.copyOf(values.getOrDefault(metric, Map.of()).keySet());
    }
}
