package io.tributary.bench;

import io.tributary.bench.latency.LatencyBench;
import io.tributary.bench.pipeline.PipelineBench;
import java.io.PrintStream;
import java.util.List;

/** The command line of {@code bin/bench}. */
public final class Bench {
    private static final List<Benchmark> ALL = List.of(new PipelineBench(), new LatencyBench());

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments, System.out, System.err));
    }

    private static int run(String[] arguments, PrintStream out, PrintStream err) throws Exception {
        try {
            BenchOptions options = BenchOptions.parse(arguments);
            Benchmark bench = ALL.stream()
                    .filter(one -> one.name().equals(options.bench()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no bench " + options.bench()));
            out.println(bench.name() + ": " + bench.about());
            out.println(MachineFacts.line());
            List<Figure> figures = bench.run(options);
            out.println();
            out.print(FigureTable.of(figures));
            if (options.json().isPresent()) {
                FigureLines.write(options.json().get(), figures);
            }
            return 0;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println("usage: bin/bench NAME [--json FILE] [--runs N] [options of the bench]");
            ALL.forEach(bench -> err.println("  " + bench.name() + "  " + bench.about()));
            return 2;
        }
    }
}
