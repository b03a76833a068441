package io.tributary.bench.pipeline;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.EqualStart;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.WholeNumber;
import io.tributary.bench.source.CannedBinlogs;
import io.tributary.bench.source.SourceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Bench of all six stages over canned binlogs, with the default of binlog.sync and without sync, in turns with the peers. */
@Command(
        name = PipelineBench.NAME,
        description = "The whole standalone node over canned binlogs, compared with other readers of them.")
public final class PipelineBench implements Benchmark {
    static final String NAME = "pipeline";

    private static final int RUNS = 3;

    @Mixin
    private CannedLoad canned;

    @Option(
            names = "--laps",
            defaultValue = "1",
            description = "Laps: how often each binlog is sent; default ${DEFAULT-VALUE}.")
    private int laps;

    @Option(
            names = "--fan-in",
            converter = WholeNumber.class,
            description = "Also run the node with this fan-in of its mergers: a tree if there are more shards.")
    private Integer fanIn;

    @Option(
            names = "--peers",
            split = ",",
            defaultValue = "mysqlbinlog,connector,go",
            description = "Peers to run: some of ${DEFAULT-VALUE}; or none.")
    private List<String> peerNames;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        Load load = Load.of(CannedBinlogs.of(canned.shards(), canned.mib()), laps);
        print(
                "%d shards, %.0f MiB, %d transactions, %d events of %.0f bytes; heap %s",
                canned.shards(),
                load.mib(),
                load.transactions(),
                load.events(),
                (double) load.bytes() / load.events(),
                System.getenv().getOrDefault("TRIBUTARY_HEAP", "512m"));
        Map<String, List<Outcome>> ofNode = new LinkedHashMap<>();
        Map<String, List<Outcome>> ofPeers = new LinkedHashMap<>();
        Path work = BenchFolder.of(NAME);
        try (SourceProcess source = SourceProcess.start(canned.shards(), canned.mib(), laps)) {
            List<Peer> peers = peers(source, work);
            for (int run = 1; run <= options.runs(RUNS); run++) {
                print("run %d of %d", run, options.runs(RUNS));
                List<Turn> turns = new ArrayList<>();
                peers.forEach(peer -> turns.add(new Turn(peer.name(), peer.name(), peer::run, ofPeers)));
                variants()
                        .forEach((variant, keys) -> turns.add(new Turn(
                                variant,
                                "node" + variant,
                                new NodeRun(source, work.resolve("node"), keys)::run,
                                ofNode)));
                if (run % 2 == 0) {
                    Collections.reverse(turns); // so that no program always runs after the same other one
                }
                for (Turn turn : turns) {
                    EqualStart.await();
                    Outcome outcome = turn.contender().run(load);
                    add(turn.outcomes(), turn.name(), printed(load, turn.title(), outcome));
                }
            }
        }
        return figures(load, ofNode, ofPeers);
    }

    /** One program's turn in a run; its outcome is added to the outcomes of its name. */
    private record Turn(String name, String title, Contender contender, Map<String, List<Outcome>> outcomes) {}

    /** The node, or a peer. */
    private interface Contender {
        Outcome run(Load load) throws IOException;
    }

    /** The configuration keys of each variant of the node, by the suffix of its figures' names. */
    private Map<String, Map<String, String>> variants() {
        Map<String, Map<String, String>> variants = new LinkedHashMap<>();
        variants.put("", Map.of());
        variants.put(", binlog.sync=never", Map.of("binlog.sync", "never"));
        if (fanIn != null) {
            String value = fanIn.toString();
            variants.put(", " + NodeRun.FAN_IN + "=" + value, Map.of(NodeRun.FAN_IN, value));
        }
        return variants;
    }

    private List<Peer> peers(SourceProcess source, Path work) {
        Map<String, Peer> known = new LinkedHashMap<>();
        known.put("mysqlbinlog", new MysqlbinlogRun(source, work.resolve("mysqlbinlog")));
        known.put("connector", new ConnectorRun(source));
        known.put("go", new GoMysqlRun(source, work.resolve("gomysql")));
        List<Peer> peers = new ArrayList<>();
        for (String name : peerNames) {
            Peer peer = known.get(name);
            Optional<String> missing = peer == null ? Optional.of("expected one of " + known.keySet()) : peer.missing();
            missing.ifPresentOrElse(why -> print("skipped %s: %s", name, why), () -> peers.add(peer));
        }
        return peers;
    }

    private static void add(Map<String, List<Outcome>> outcomes, String name, Outcome outcome) {
        outcomes.computeIfAbsent(name, any -> new ArrayList<>()).add(outcome);
    }

    private static Outcome printed(Load load, String name, Outcome outcome) {
        print(
                "  %s: %.1f MiB/s, %.1f s, CPU %.2f s (source %.2f s), %.0f forces to disk",
                name,
                load.mib() / outcome.seconds(),
                outcome.seconds(),
                outcome.cpuSeconds(),
                outcome.sourceCpuSeconds(),
                outcome.syncs());
        if (!outcome.warm().isTooShort()
                && !outcome.warm().usage().threadSeconds().isEmpty()) {
            print("    threads in the later half, ns of CPU per event: %s", outcome.threads(load));
        }
        return outcome;
    }

    private static List<Figure> figures(
            Load load, Map<String, List<Outcome>> ofNode, Map<String, List<Outcome>> ofPeers) {
        List<Figure> figures = new ArrayList<>();
        ofNode.forEach((variant, outcomes) -> {
            for (Measure measure : Measure.ALL) {
                List<Double> values = measure.of(outcomes, load);
                if (values.isEmpty()) {
                    print("skipped %s%s: the runs were too short for a later half", measure.title(), variant);
                    continue;
                }
                Figure figure = Figure.of(NAME, measure.title() + variant, measure.unit(), values);
                List<Figure> beside = new ArrayList<>();
                ofPeers.forEach((peer, itsOutcomes) ->
                        measure.beside(figure, peer, itsOutcomes, load).ifPresent(beside::add));
                figures.addAll(beside.isEmpty() ? List.of(figure) : beside);
            }
        });
        return figures.stream().map(PipelineBench::aimed).toList();
    }

    private static Figure aimed(Figure figure) {
        if (!figure.peer().equals("mysqlbinlog --raw")) {
            return figure;
        }
        if (isOf(figure, Measure.THROUGHPUT) || isOf(figure, Measure.LATER_THROUGHPUT)) {
            return figure.aiming(Target.atLeastOfPeer(1.5));
        }
        return isOf(figure, Measure.CPU_PER_EVENT) || isOf(figure, Measure.LATER_CPU_PER_EVENT)
                ? figure.aiming(Target.atMostOfPeer(1))
                : figure;
    }

    /** Of any variant. */
    private static boolean isOf(Figure figure, Measure measure) {
        return figure.name().startsWith(measure.title());
    }

    private static void print(String format, Object... arguments) {
        System.out.printf(Locale.ROOT, format + "%n", arguments);
    }
}
