package io.tributary.faults.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The report: collects the lines, and writes report.md and report.json again after each line. */
public final class FaultReport {
    private static final double MEDIAN = 0.5;
    private static final double ALMOST_ALL = 0.99;

    private final Path folder;
    private final long seed;
    private final String network;
    private final double loadAtStart = load();
    private final List<FaultLine> lines = new ArrayList<>();

    /** @param network a text that states whether network namespaces can be created here */
    public FaultReport(Path folder, long seed, String network) {
        this.folder = folder;
        this.seed = seed;
        this.network = network;
    }

    /** Adds a line and writes both files. */
    public void add(FaultLine line) throws IOException {
        lines.add(line);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("report.md"), markdown());
        Files.writeString(folder.resolve("report.json"), json());
    }

    public Path folder() {
        return folder;
    }

    public List<FaultLine> lines() {
        return List.copyOf(lines);
    }

    /** Whether all injected faults passed. */
    public boolean passed() {
        return lines.stream().allMatch(FaultLine::passed);
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private String markdown() {
        StringBuilder text = new StringBuilder("# Faults\n\n");
        text.append("Seed ")
                .append(seed)
                .append("; ")
                .append(machine())
                .append("; ")
                .append(network)
                .append(". RTO: from the fault to the first new transaction");
        text.append(
                " that a reader receives, in ms; p99 by nearest rank, so with fewer than 100 times it is the longest.");
        text.append(" Lasted: from the fault to its end, in ms, p50. Lost, duplicated, torn: transactions.\n\n");
        text.append(
                "| topology | fault | times | transactions | lost | duplicated | torn | invariants broken | RTO p50 | RTO p99 | lasted |\n");
        text.append("|---|---|---|---|---|---|---|---|---|---|---|\n");
        lines.forEach(line -> text.append(row(line)).append('\n'));
        text.append("\n## Faults\n\n");
        lines.forEach(line -> text.append("- `")
                .append(line.fault())
                .append("`: ")
                .append(line.words())
                .append('\n'));
        if (!passed()) {
            text.append("\n## Violations\n");
            lines.stream().filter(line -> !line.passed()).forEach(line -> {
                text.append("\n### ")
                        .append(line.topology())
                        .append(", ")
                        .append(line.fault())
                        .append("\n\n");
                line.wrong().forEach(words -> text.append("```\n").append(words).append("\n```\n"));
            });
        }
        return text.toString();
    }

    private String machine() {
        return String.format(
                Locale.ROOT,
                "%d cores, load average %.1f at the start and %.1f at the end",
                Runtime.getRuntime().availableProcessors(),
                loadAtStart,
                load());
    }

    private static String row(FaultLine line) {
        StringJoiner row = new StringJoiner(" | ", "| ", " |");
        row.add(line.topology()).add(line.fault());
        if (line.skipped().isPresent()) {
            return row.add("skipped: " + line.skipped().get())
                    .add(" | | | | | | | ")
                    .toString();
        }
        row.add(Integer.toString(line.served().size())).add(Long.toString(line.transactions()));
        row.add(Long.toString(line.lost()))
                .add(Long.toString(line.duplicated()))
                .add(Long.toString(line.torn()));
        row.add(line.wrong().size() + " of " + line.invariants());
        row.add(millis(line.served(), MEDIAN)).add(millis(line.served(), ALMOST_ALL));
        return row.add(millis(line.lasted(), MEDIAN)).toString();
    }

    private static String millis(List<Duration> durations, double share) {
        return durations.isEmpty() ? "-" : Long.toString(FaultLine.percentile(durations, share));
    }

    private String json() {
        StringJoiner all = new StringJoiner(",\n    ", "[\n    ", "\n  ]");
        lines.forEach(line -> all.add(json(line)));
        return "{\n  \"seed\": " + seed + ",\n  \"machine\": " + quoted(machine()) + ",\n  \"network\": "
                + quoted(network) + ",\n  \"faults\": " + all
                + "\n}\n";
    }

    private static String json(FaultLine line) {
        StringJoiner object = new StringJoiner(", ", "{", "}");
        object.add("\"topology\": " + quoted(line.topology()));
        object.add("\"fault\": " + quoted(line.fault()));
        object.add("\"words\": " + quoted(line.words()));
        line.skipped().ifPresent(why -> object.add("\"skipped\": " + quoted(why)));
        object.add("\"times\": " + line.served().size());
        object.add("\"transactions\": " + line.transactions());
        object.add("\"lost\": " + line.lost());
        object.add("\"duplicated\": " + line.duplicated());
        object.add("\"torn\": " + line.torn());
        object.add("\"invariants\": " + line.invariants());
        object.add("\"rto_p50_ms\": " + FaultLine.percentile(line.served(), MEDIAN));
        object.add("\"rto_p99_ms\": " + FaultLine.percentile(line.served(), ALMOST_ALL));
        object.add("\"rto_ms\": " + millis(line.served()));
        object.add("\"lasted_ms\": " + millis(line.lasted()));
        StringJoiner wrong = new StringJoiner(", ", "[", "]");
        line.wrong().forEach(words -> wrong.add(quoted(words)));
        return object.add("\"wrong\": " + wrong).toString();
    }

    private static String millis(List<Duration> durations) {
        return durations.stream().map(Duration::toMillis).toList().toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
