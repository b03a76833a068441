package io.tributary.bench.pipeline;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.EqualStart;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.source.CannedBinlogs;
import io.tributary.bench.source.SourceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of the same load from more and more shards: the cost of an event and of a transaction should stay the same. */
@Command(
        name = ScaleBench.NAME,
        description = "The whole standalone node, the same load spread over more and more shards.")
public final class ScaleBench implements Benchmark {
    static final String NAME = "scale";

    private static final int RUNS = 3;
    private static final int LARGEST_MIB = 256;
    private static final double FLAT = 1.2;

    @Option(
            names = "--shards",
            split = ",",
            defaultValue = "1,4,16,64",
            description = "Numbers of shards; default ${DEFAULT-VALUE}. The others are compared with the first.")
    private List<Integer> shards;

    @Option(
            names = "--mib",
            defaultValue = "1024",
            description = "MiB of all shards together, a multiple of 256; default ${DEFAULT-VALUE}.")
    private int mib;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        Map<Integer, List<Double>> perEvent = new LinkedHashMap<>();
        Map<Integer, List<Double>> perTransaction = new LinkedHashMap<>();
        Map<Integer, List<Double>> throughput = new LinkedHashMap<>();
        for (int count : shards) {
            int each = Math.min(LARGEST_MIB, mib / count);
            int laps = mib / count / each;
            Load load = Load.of(CannedBinlogs.of(count, each), laps);
            for (Outcome outcome : outcomes(count, each, laps, load, options.runs(RUNS))) {
                double micros = Measure.LATER_CPU_PER_EVENT.of(outcome, load);
                add(perEvent, count, micros);
                add(perTransaction, count, micros * load.events() / load.transactions());
                add(throughput, count, Measure.LATER_THROUGHPUT.of(outcome, load));
            }
        }
        List<Figure> figures = new ArrayList<>();
        figures.addAll(figures("CPU per event", "us", perEvent));
        figures.addAll(figures("CPU per transaction", "us", perTransaction));
        throughput.forEach(
                (count, values) -> figures.add(Figure.of(NAME, "throughput, " + count + " shards", "MiB/s", values)));
        return figures;
    }

    private static List<Outcome> outcomes(int count, int each, int laps, Load load, int runs) throws IOException {
        Path work = BenchFolder.of(NAME);
        List<Outcome> outcomes = new ArrayList<>();
        try (SourceProcess source = SourceProcess.start(count, each, laps)) {
            for (int run = 0; run < runs; run++) {
                EqualStart.await();
                Outcome outcome = new NodeRun(source, work, Map.of()).run(load);
                outcomes.add(outcome);
                System.out.printf(
                        Locale.ROOT,
                        "%d shards: %.0f MiB, CPU %.2f s; %s%n",
                        count,
                        load.mib(),
                        outcome.cpuSeconds(),
                        outcome.warm().isTooShort()
                                ? "the run is too short for a later half, which is left out: use a larger --mib"
                                : "later half, ns of CPU per event: " + outcome.threads(load));
            }
        }
        return outcomes;
    }

    private static void add(Map<Integer, List<Double>> values, int count, double value) {
        if (Double.isFinite(value)) {
            values.computeIfAbsent(count, any -> new ArrayList<>()).add(value);
        }
    }

    private static List<Figure> figures(String name, String unit, Map<Integer, List<Double>> values) {
        List<Figure> figures = new ArrayList<>();
        if (values.isEmpty()) {
            return figures;
        }
        Map.Entry<Integer, List<Double>> first = values.entrySet().iterator().next();
        values.forEach((count, its) -> {
            Figure figure = Figure.of(NAME, name + ", " + count + " shards", unit, its);
            figures.add(
                    count.equals(first.getKey())
                            ? figure
                            : figure.beside("with " + first.getKey(), first.getValue())
                                    .aiming(Target.atMostOfPeer(FLAT)));
        });
        return figures;
    }
}
