package io.tributary.bench.merge;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of the merge: tokens of 4 to 1024 sources through one merger, and through a tree of mergers. */
@Command(
        name = MergeBench.NAME,
        description = "Tokens of 4 to 1024 sources through one flat merger, and through a tree on two threads.")
public final class MergeBench implements Benchmark {
    static final String NAME = "merge";

    private static final int RUNS = 5;
    private static final List<Integer> SOURCES = List.of(4, 16, 64, 256, 1024);
    private static final Map<Integer, Double> FLAT_TARGETS = Map.of(16, 150.0, 256, 300.0);
    private static final double ROOT_TARGET = 0.5;
    private static final int ROOT_TARGET_FROM = 64;

    @Option(
            names = "--laps",
            defaultValue = "12",
            description = "Laps of 131072 tokens in a run; default ${DEFAULT-VALUE}.")
    private int laps;

    @Option(
            names = "--fan-in",
            defaultValue = "16",
            description = "Largest number of sources of a merger of the tree; default ${DEFAULT-VALUE}.")
    private int fanIn;

    @Override
    public List<Figure> run(RunOptions options) {
        List<Figure> figures = new ArrayList<>();
        Map<Integer, List<MergeRun.Outcome>> flat = new LinkedHashMap<>();
        Map<Integer, List<MergeRun.Outcome>> tree = new LinkedHashMap<>();
        for (int sources : SOURCES) {
            measure(sources, options.runs(RUNS), flat, tree);
            figures.addAll(flat(sources, flat.get(sources)));
            if (tree.containsKey(sources)) {
                figures.addAll(tree(sources, tree.get(sources), flat.get(sources)));
            }
        }
        return figures;
    }

    /** Flat and tree merges run in turns, so that both have the same conditions. */
    private void measure(
            int sources,
            int runs,
            Map<Integer, List<MergeRun.Outcome>> flatOutcomes,
            Map<Integer, List<MergeRun.Outcome>> treeOutcomes) {
        boolean hasTree = sources > fanIn;
        try (MergeRun flat = new MergeRun(sources, sources);
                MergeRun tree = hasTree ? new MergeRun(sources, fanIn) : null) {
            for (int run = -1; run < runs; run++) { // the first one warms up
                keep(sources + " flat", sources, flat.run(laps), run, flatOutcomes);
                if (hasTree) {
                    keep(sources + " tree", sources, tree.run(laps), run, treeOutcomes);
                }
            }
        }
    }

    private static void keep(
            String what, int sources, MergeRun.Outcome outcome, int run, Map<Integer, List<MergeRun.Outcome>> all) {
        if (run < 0) {
            return;
        }
        all.computeIfAbsent(sources, any -> new ArrayList<>()).add(outcome);
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f million tokens/s, CPU per token: root %.0f ns, lower %.0f ns; %.1f bytes per token%n",
                what,
                outcome.tokensPerSecond() / 1e6,
                outcome.root(),
                outcome.lower(),
                outcome.allocated());
    }

    private static List<Figure> flat(int sources, List<MergeRun.Outcome> flat) {
        Figure cpu = Figure.of(NAME, sources + " sources, flat, CPU", "ns/token", values(flat, MergeRun.Outcome::root));
        Double target = FLAT_TARGETS.get(sources);
        return List.of(
                Figure.of(
                        NAME,
                        sources + " sources, flat, throughput",
                        "tokens/s",
                        values(flat, MergeRun.Outcome::tokensPerSecond)),
                target == null ? cpu : cpu.aiming(Target.atMost(target)),
                Figure.of(
                        NAME,
                        sources + " sources, flat, allocated",
                        "bytes/token",
                        values(flat, MergeRun.Outcome::allocated)));
    }

    private static List<Figure> tree(int sources, List<MergeRun.Outcome> tree, List<MergeRun.Outcome> flat) {
        String peer = "flat, CPU";
        List<Double> flatCpu = values(flat, MergeRun.Outcome::root);
        Figure root = Figure.of(
                        NAME,
                        sources + " sources, tree, CPU of the root",
                        "ns/token",
                        values(tree, MergeRun.Outcome::root))
                .beside(peer, flatCpu);
        return List.of(
                Figure.of(
                                NAME,
                                sources + " sources, tree, throughput",
                                "tokens/s",
                                values(tree, MergeRun.Outcome::tokensPerSecond))
                        .beside("flat, throughput", values(flat, MergeRun.Outcome::tokensPerSecond)),
                sources < ROOT_TARGET_FROM ? root : root.aiming(Target.atMostOfPeer(ROOT_TARGET)),
                Figure.of(
                                NAME,
                                sources + " sources, tree, CPU of the busiest thread",
                                "ns/token",
                                values(tree, MergeRun.Outcome::busiest))
                        .beside(peer, flatCpu),
                Figure.of(
                        NAME,
                        sources + " sources, tree, allocated",
                        "bytes/token",
                        values(tree, MergeRun.Outcome::allocated)));
    }

    private static List<Double> values(List<MergeRun.Outcome> outcomes, ToDoubleFunction<MergeRun.Outcome> of) {
        return outcomes.stream().map(of::applyAsDouble).toList();
    }
}
