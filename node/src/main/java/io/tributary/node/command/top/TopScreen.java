package io.tributary.node.command.top;

import io.tributary.node.command.output.FactsText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes the lines of the screen from two samples: totals, shards, links between stages, and readers. */
final class TopScreen {
    private static final double NANOS = 1e9;
    private static final double LATE_SECONDS = 10;
    private static final String NONE = "-";
    /** Lines that other parts than the shards need at most. */
    private static final int OTHER_LINES = 8;

    private final TopSample before;
    private final TopSample now;
    private final List<Line> lines = new ArrayList<>();

    /** How a line is shown. */
    enum Style {
        PLAIN,
        TITLE,
        ALERT
    }

    /** One line of the screen. */
    record Line(String text, Style style) {}

    /** @param before an earlier sample, for rates */
    TopScreen(TopSample before, TopSample now) {
        this.before = before;
        this.now = now;
    }

    /** @param height lines of the screen; shards that do not fit are left out, the ones with the least lag first */
    List<Line> lines(int height) {
        add(now.heading(), now.isHealthy() ? Style.TITLE : Style.ALERT);
        facts();
        totals();
        links();
        List<Map<String, Object>> latest = latestReaders(Math.max(2, height / 5));
        int free = height - lines.size() - OTHER_LINES - (latest.isEmpty() ? 0 : latest.size() + 2);
        shards(Math.max(3, free));
        readers();
        table(latest);
        return lines;
    }

    private void add(String text, Style style) {
        lines.add(new Line(text, style));
    }

    private void facts() {
        List<String> shown = new ArrayList<>();
        for (String name :
                List.of("state.in.cluster", "leader", "epoch", "binlog", "serves", "apply.target", "sink.brokers")) {
            Optional.ofNullable(now.facts().get(name)).ifPresent(value -> shown.add(name + " " + value));
        }
        if (!shown.isEmpty()) {
            add(String.join("   ", shown), Style.PLAIN);
        }
        now.facts().forEach((name, value) -> {
            if (name.endsWith(".held") || name.equals("ddl.held") || name.equals("readers.wait")) {
                add(name + ": " + value, Style.ALERT);
            }
        });
    }

    private void totals() {
        Map<String, Object> row = new LinkedHashMap<>();
        put(row, "ordered tx/s", rate("tributary.collect.transactions", ""));
        put(row, "written tx/s", rate("tributary.write.transactions", ""));
        put(row, "written", bytesRate("tributary.write.bytes", ""));
        put(row, "applied tx/s", rate("tributary.apply.transactions", ""));
        put(row, "sent tx/s", rate("tributary.sink.transactions", ""));
        put(row, "waiting", count("tributary.collect.waiting", ""));
        put(row, "in doubt", count("tributary.collect.in.doubt", ""));
        put(row, "held shards", count("tributary.collect.held.shards", ""));
        put(row, "lag s", lag("tributary.apply.lag.seconds"));
        put(row, "lag s of sink", lag("tributary.sink.lag.seconds"));
        put(row, "behind", bytes("tributary.follow.behind.bytes", ""));
        put(row, "to back up", count("tributary.backup.pending", ""));
        table(List.of(row));
    }

    private static void put(Map<String, Object> row, String title, String value) {
        if (!value.equals(NONE)) {
            row.put(title, value);
        }
    }

    private String lag(String metric) {
        return now.value(metric, "").map(value -> decimal(value)).orElse(NONE);
    }

    private void shards(int most) {
        List<String> names = new ArrayList<>(now.shards());
        names.sort(Comparator.comparingDouble(this::shardLag).reversed());
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String shard : names.subList(0, Math.min(most, names.size()))) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("shard", shard);
            row.put("tx/s", rate("tributary.extract.transactions", shard));
            row.put("read", bytesRate("tributary.extract.bytes", shard));
            row.put(
                    "read lag s",
                    now.value("tributary.extract.lag.seconds", shard)
                            .map(TopScreen::decimal)
                            .orElse(NONE));
            row.put(
                    "written lag s",
                    now.value("tributary.shard.lag.seconds", shard)
                            .map(TopScreen::decimal)
                            .orElse(NONE));
            row.put("connects", count("tributary.extract.connects", shard));
            row.put("state", state(shard));
            rows.add(row);
        }
        table(rows);
        if (names.size() > most) {
            add("and " + (names.size() - most) + " shards with less lag", Style.PLAIN);
        }
    }

    private String state(String shard) {
        return now.facts().containsKey("shard." + shard + ".held")
                ? "held"
                : shardLag(shard) > LATE_SECONDS ? "late" : "";
    }

    private double shardLag(String shard) {
        return now.value("tributary.shard.lag.seconds", shard).orElse(-1.0);
    }

    private void links() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String link : now.labels("tributary.link.passed")) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("link", link);
            row.put("items/s", rate("tributary.link.passed", link));
            row.put("waiting", count("tributary.link.depth", link));
            row.put("bytes waiting", bytes("tributary.link.depth.bytes", link));
            row.put("full", percent("tributary.link.no.room.seconds", link));
            rows.add(row);
        }
        table(rows);
    }

    private void readers() {
        Map<String, Object> row = new LinkedHashMap<>();
        put(row, "readers", count("tributary.serve.readers", ""));
        put(row, "sent", bytesRate("tributary.serve.bytes", ""));
        put(row, "waiting for slow ones", bytes("tributary.serve.waiting.bytes", ""));
        put(row, "followers", count("tributary.lead.followers", ""));
        put(row, "not acknowledged", bytes("tributary.lead.waiting.bytes", ""));
        table(List.of(row));
    }

    /** The readers that are the furthest behind. */
    private List<Map<String, Object>> latestReaders(int most) {
        String lag = "tributary.serve.reader.lag.seconds";
        return now.labels(lag).stream()
                .sorted(Comparator.comparingDouble(
                                (String reader) -> now.value(lag, reader).orElse(0.0))
                        .reversed())
                .limit(most)
                .map(reader -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("reader and user", reader);
                    row.put("behind tx", count("tributary.serve.reader.lag.transactions", reader));
                    row.put("behind", bytes("tributary.serve.reader.lag.bytes", reader));
                    row.put(
                            "lag s",
                            now.value(lag, reader).map(TopScreen::decimal).orElse(NONE));
                    return row;
                })
                .toList();
    }

    private void table(List<Map<String, Object>> rows) {
        if (rows.isEmpty() || rows.get(0).isEmpty()) {
            return;
        }
        add("", Style.PLAIN);
        String[] titles = rows.get(0).keySet().toArray(String[]::new);
        List<String> text = FactsText.table(rows, titles).lines().toList();
        add(text.get(0), Style.TITLE);
        for (String line : text.subList(1, text.size())) {
            boolean isBad = line.endsWith("  held") || line.endsWith("  late");
            add(line, isBad ? Style.ALERT : Style.PLAIN);
        }
    }

    /** Of a counter, per second. */
    private Optional<Double> perSecond(String metric, String label) {
        double seconds = (now.nanos() - before.nanos()) / NANOS;
        Optional<Double> first = before.value(metric, label);
        return seconds <= 0 || first.isEmpty()
                ? Optional.empty()
                : now.value(metric, label).map(value -> Math.max(0, value - first.get()) / seconds);
    }

    private String rate(String metric, String label) {
        return perSecond(metric, label)
                .map(value -> String.format(Locale.ROOT, value < 10 ? "%.1f" : "%,.0f", value))
                .orElse(NONE);
    }

    private String bytesRate(String metric, String label) {
        return perSecond(metric, label).map(value -> size(value) + "/s").orElse(NONE);
    }

    private String percent(String metric, String label) {
        return perSecond(metric, label)
                .map(value -> String.format(Locale.ROOT, "%.0f %%", Math.min(1, value) * 100))
                .orElse(NONE);
    }

    private String count(String metric, String label) {
        return now.value(metric, label)
                .map(value -> String.format(Locale.ROOT, "%,.0f", value))
                .orElse(NONE);
    }

    private String bytes(String metric, String label) {
        return now.value(metric, label).map(TopScreen::size).orElse(NONE);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    private static String size(double bytes) {
        double left = bytes;
        int unit = 0;
        while (left >= 1000 && unit < 4) {
            left /= 1024;
            unit++;
        }
        return String.format(
                Locale.ROOT,
                unit == 0 || left >= 100 ? "%.0f %s" : "%.1f %s",
                left,
                unit == 0 ? "B" : "KMGT".charAt(unit - 1) + "iB");
    }
}
