package io.tributary.bench.extract;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.source.CannedBinlog;
import io.tributary.bench.source.CannedBinlogs;
import io.tributary.bench.source.SourceProcess;
import io.tributary.common.order.OrderMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of one extractor with its network thread; the source is a separate process. */
@Command(name = ExtractBench.NAME, description = "One shard's stream from a loopback source to tokens.")
public final class ExtractBench implements Benchmark {
    static final String NAME = "extract";

    private static final int RUNS = 5;
    private static final int WARM_UPS = 2;
    private static final int SORTED = 200_000;
    private static final int SORT_WARM_UPS = 20;
    private static final double TARGET_EVENTS = 1.5e6;

    @Option(names = "--mib", defaultValue = "256", description = "MiB of the shard's binlog; default ${DEFAULT-VALUE}.")
    private int mib;

    @Option(
            names = "--laps",
            defaultValue = "4",
            description = "Laps: how often the binlog is sent; default ${DEFAULT-VALUE}.")
    private int laps;

    @Option(
            names = "--order",
            defaultValue = "XA",
            description = "Order of its tokens, ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private OrderMode order;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        CannedBinlog canned = CannedBinlogs.of(1, mib).get(0);
        long events = canned.events(laps);
        List<ExtractRun.Outcome> outcomes = new ArrayList<>();
        try (SourceProcess source = SourceProcess.start(1, mib, laps)) {
            ExtractRun extract = new ExtractRun(source, canned.uuid(), canned.transactions(laps), order);
            for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
                extract.run();
            }
            for (int run = 0; run < options.runs(RUNS); run++) {
                ExtractRun.Outcome one = extract.run();
                outcomes.add(one);
                System.out.printf(
                        Locale.ROOT,
                        "%.0f events/s; ns of CPU per event: extractor %.0f, network %.0f%n",
                        events / one.seconds(),
                        one.extractSeconds() * 1e9 / events,
                        one.networkSeconds() * 1e9 / events);
            }
        }
        List<Figure> figures = new ArrayList<>(List.of(
                figure("events on a core, extractor and network", "1/s", outcomes, one -> events / both(one))
                        .aiming(Target.atLeast(TARGET_EVENTS)),
                figure("events on a core, extractor alone", "1/s", outcomes, one -> events / one.extractSeconds()),
                figure("events, elapsed", "1/s", outcomes, one -> events / one.seconds()),
                figure("throughput", "MiB/s", outcomes, one -> canned.bytes(laps) / 1048576.0 / one.seconds()),
                figure("CPU per event", "us", outcomes, one -> both(one) * 1e6 / events),
                figure(
                        "heap per transaction",
                        "B",
                        outcomes,
                        one -> one.usage().allocated("extract") / canned.transactions(laps))));
        figures.add(sort("sort by TSO, CPU per local transaction", 0, options.runs(RUNS)));
        figures.add(sort("sort by TSO, CPU per branch, 1 undecided", 1, options.runs(RUNS)));
        figures.add(sort("sort by TSO, CPU per branch, 64 undecided", 64, options.runs(RUNS)));
        return figures;
    }

    /** The cost of the sort, without the cost of its tokens. */
    private static Figure sort(String name, int undecided, int runs) {
        SortLoop loop = new SortLoop(SORTED, undecided);
        List<Double> nanos = new ArrayList<>();
        for (int warmUp = 0; warmUp < SORT_WARM_UPS; warmUp++) {
            loop.sorted();
            loop.unsorted();
        }
        for (int run = 0; run < runs; run++) {
            nanos.add(loop.sorted() - loop.unsorted());
        }
        return Figure.of(NAME, name, "ns", nanos);
    }

    private static double both(ExtractRun.Outcome one) {
        return one.extractSeconds() + one.networkSeconds();
    }

    private static Figure figure(
            String name, String unit, List<ExtractRun.Outcome> outcomes, ToDoubleFunction<ExtractRun.Outcome> part) {
        return Figure.of(
                NAME, name, unit, outcomes.stream().mapToDouble(part).boxed().toList());
    }
}
