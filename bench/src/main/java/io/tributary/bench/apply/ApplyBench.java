package io.tributary.bench.apply;

import io.tributary.apply.ApplyBackend;
import io.tributary.apply.ApplyOrder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.mysql.protocol.client.TlsMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Bench of the applier: from a real server to another one, compared with one session that applies statement by statement, with and without a round trip
 * of 20 ms; its CPU; more workers; and what a reader of the target sees in each order.
 */
@Command(
        name = ApplyBench.NAME,
        description =
                "The applier compared with one session that applies statement by statement, also over a slow network.")
public final class ApplyBench implements Benchmark {
    static final String NAME = "apply";

    private static final Duration NEAR = Duration.ZERO;
    private static final Duration FAR = Duration.ofMillis(20);
    private static final int[] WORKERS = {2, 4, 8, 16, 32, 64};
    private static final int BATCH = 8;
    private static final int ROUNDS_BEFORE = 3;
    private static final double TARGET_CPU = 90;
    private static final double TARGET_READER = 0.25;
    private static final double TARGET_MORE_WORKERS = 0.9;
    private static final int READERS_TIME = 120;

    /** Parts of the bench. */
    enum Part {
        RATIOS,
        WORKERS,
        ORDER
    }

    @Option(
            names = "--transactions",
            defaultValue = "40000",
            description = "Transactions of the load; default ${DEFAULT-VALUE}.")
    private int transactions;

    @Option(
            names = "--seconds",
            defaultValue = "5",
            description = "Maximum time of each measurement; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--backends",
            split = ",",
            defaultValue = "EVENTS,SQL",
            description = "How rows are sent; default ${DEFAULT-VALUE}.")
    private List<ApplyBackend> backends;

    @Option(
            names = "--parts",
            split = ",",
            defaultValue = "RATIOS,WORKERS,ORDER",
            description = "What is measured; default ${DEFAULT-VALUE}.")
    private List<Part> parts;

    @Option(names = "--unsynced", description = "The target does not wait for its disk at commits.")
    private boolean isUnsynced;

    @Option(
            names = "--tls",
            defaultValue = "DISABLED",
            description =
                    "TLS between the applier and both servers: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private TlsMode tls;

    private final Map<String, List<Double>> found = new LinkedHashMap<>();

    /** Used by picocli. */
    public ApplyBench() {}

    /**
     * A comparison with one session.
     *
     * @param target the smallest ratio
     */
    private record Comparison(Duration roundTrip, ApplyMode mode, double target) {
        String name() {
            return roundTrip.toMillis() + " ms, " + mode;
        }
    }

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        int runs = options.runs(3);
        List<Figure> figures = new ArrayList<>();
        if (parts.contains(Part.RATIOS) || parts.contains(Part.WORKERS)) {
            try (ApplySite site = new ApplySite(!isUnsynced, tls)) {
                load(site);
                for (int run = 0; run < runs; run++) {
                    measure(site);
                }
            }
            backends.forEach(backend -> addFigures(figures, backend));
        }
        if (parts.contains(Part.ORDER)) {
            try (ApplySite site = new ApplySite(!isUnsynced, tls)) {
                for (ApplyBackend backend : backends) {
                    addOrder(figures, site, backend, runs);
                }
            }
        }
        return figures;
    }

    private void load(ApplySite site) throws Exception {
        System.out.println("target: " + site.settings() + ", TLS " + tls);
        ApplyLoad.prepare(site.source());
        ApplyLoad.write(site.source(), transactions);
        System.out.printf(
                Locale.ROOT,
                "%d transactions of 1 row or 3 rows, %.1f statements each with BEGIN and COMMIT%n",
                transactions,
                2 + ApplyLoad.STATEMENTS_OF_TWO / 2.0);
        for (int round = 0; round < ROUNDS_BEFORE; round++) { // compiles the code
            for (ApplyBackend backend : backends) {
                outcome(site, new ApplyMode(backend, ApplyOrder.NONE, BATCH, 1), NEAR);
                outcome(site, new ApplyMode(backend, ApplyOrder.STRICT, BATCH, BATCH), NEAR);
            }
        }
        outcome(site, ApplyMode.ONE_BY_ONE, NEAR);
    }

    private void measure(ApplySite site) throws Exception {
        if (parts.contains(Part.RATIOS)) {
            for (Duration roundTrip : List.of(NEAR, FAR)) {
                add(
                        "one" + roundTrip,
                        outcome(site, ApplyMode.ONE_BY_ONE, roundTrip).perSecond());
                for (ApplyBackend backend : backends) {
                    for (Comparison each : comparisons(backend)) {
                        if (each.roundTrip().equals(roundTrip)) {
                            compare(site, each);
                        }
                    }
                }
            }
        }
        if (parts.contains(Part.WORKERS)) {
            for (ApplyBackend backend : backends) {
                moreWorkers(site, backend);
            }
        }
    }

    private static List<Comparison> comparisons(ApplyBackend backend) {
        return List.of(
                new Comparison(NEAR, new ApplyMode(backend, ApplyOrder.NONE, 8, BATCH), 2),
                new Comparison(NEAR, new ApplyMode(backend, ApplyOrder.NONE, 8, 1), 2),
                new Comparison(FAR, new ApplyMode(backend, ApplyOrder.NONE, 32, BATCH), 25),
                new Comparison(FAR, new ApplyMode(backend, ApplyOrder.NONE, 32, 1), 60),
                new Comparison(FAR, new ApplyMode(backend, ApplyOrder.STRICT, 32, 1), 45),
                new Comparison(FAR, new ApplyMode(backend, ApplyOrder.STRICT, 32, BATCH), 100));
    }

    private void compare(ApplySite site, Comparison comparison) throws Exception {
        ApplyOutcome outcome = outcome(site, comparison.mode(), comparison.roundTrip());
        add(comparison.name(), outcome.perSecond());
        add(comparison.name() + " cpu", outcome.cpu().own());
    }

    private void moreWorkers(ApplySite site, ApplyBackend backend) throws Exception {
        double reader = 0;
        for (int workers : WORKERS) {
            ApplyOutcome outcome = outcome(site, new ApplyMode(backend, ApplyOrder.NONE, workers, BATCH), NEAR);
            reader = Math.max(reader, outcome.readerShare());
            add(backend + " workers " + workers, outcome.perSecond());
        }
        add(backend + " reader", reader);
    }

    /** The smallest ratio of a median to the largest median with fewer workers. */
    private static double change(List<Figure> byWorkers) {
        double best = byWorkers.get(0).median();
        double smallest = Double.MAX_VALUE;
        for (Figure more : byWorkers.subList(1, byWorkers.size())) {
            smallest = Math.min(smallest, more.median() / best);
            best = Math.max(best, more.median());
        }
        return smallest;
    }

    /** Makes the target new, and does a job. */
    private ApplyOutcome outcome(ApplySite site, ApplyMode mode, Duration roundTrip) throws Exception {
        ApplyLoad.prepare(site.target());
        ApplyOutcome outcome = site.run(mode, roundTrip, transactions, seconds);
        System.out.printf(
                Locale.ROOT,
                "%d ms, %s: %.0f transactions/s, CPU %.1f us each, network %.1f, compiler %.1f, reader %.3f of a core, %d repeated%n",
                roundTrip.toMillis(),
                mode,
                outcome.perSecond(),
                outcome.cpu().own(),
                outcome.cpu().network(),
                outcome.cpu().compiler(),
                outcome.readerShare(),
                outcome.retries());
        return outcome;
    }

    private void add(String name, double value) {
        found.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
    }

    private void addFigures(List<Figure> figures, ApplyBackend backend) {
        for (Comparison each : comparisons(backend)) {
            if (found.containsKey(each.name())) {
                figures.add(Figure.of(NAME, each.name(), "transactions/s", found.get(each.name()))
                        .beside(ApplyMode.ONE_BY_ONE.toString(), found.get("one" + each.roundTrip()))
                        .aiming(Target.atLeastOfPeer(each.target())));
                if (each.roundTrip().isZero()) {
                    figures.add(
                            Figure.of(NAME, each.name() + ", CPU", "us/transaction", found.get(each.name() + " cpu"))
                                    .aiming(Target.atMost(TARGET_CPU)));
                }
            }
        }
        if (found.containsKey(backend + " reader")) {
            String name = "0 ms, " + backend.name().toLowerCase(Locale.ROOT) + ", ";
            List<Figure> byWorkers = IntStream.of(WORKERS)
                    .mapToObj(workers -> Figure.of(
                            NAME,
                            name + workers + " workers",
                            "transactions/s",
                            found.get(backend + " workers " + workers)))
                    .toList();
            figures.addAll(byWorkers);
            figures.add(Figure.of(NAME, name + "more workers, by the medians", "ratio", List.of(change(byWorkers)))
                    .aiming(Target.atLeast(TARGET_MORE_WORKERS)));
            figures.add(Figure.of(NAME, name + "reading thread", "cores", found.get(backend + " reader"))
                    .aiming(Target.atMost(TARGET_READER)));
        }
    }

    // ---- what a reader of the target sees

    private void addOrder(List<Figure> figures, ApplySite site, ApplyBackend backend, int runs) throws Exception {
        int counts = transactions / 4;
        CounterLoad.prepare(site.source());
        CounterLoad.write(site.source(), 2 * counts);
        for (int batch : new int[] {1, BATCH}) {
            for (ApplyOrder order : List.of(ApplyOrder.STRICT, ApplyOrder.NONE)) {
                ApplyMode mode = new ApplyMode(backend, order, 8, batch);
                List<Double> unordered = new ArrayList<>();
                for (int run = 0; run < runs; run++) {
                    CounterReader.Seen seen = seen(site, mode, counts);
                    System.out.printf(
                            Locale.ROOT, "%s: %d of %d states without order%n", mode, seen.unordered(), seen.states());
                    unordered.add((double) seen.unordered());
                }
                Target target = order == ApplyOrder.STRICT ? Target.atMost(0) : Target.atLeast(1);
                figures.add(Figure.of(NAME, mode + ", later without earlier", "states", unordered)
                        .aiming(target));
            }
        }
    }

    private CounterReader.Seen seen(ApplySite site, ApplyMode mode, int counts) throws Exception {
        CounterLoad.prepare(site.target());
        CounterReader reader = new CounterReader(site.target(), counts);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<CounterReader.Seen> seen = thread.submit(reader);
            site.run(mode, NEAR, 2 * counts, READERS_TIME);
            return seen.get(READERS_TIME, TimeUnit.SECONDS);
        } finally {
            reader.stop();
            thread.shutdownNow();
        }
    }
}
