package io.tributary.bench.pipeline;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.WholeNumber;
import io.tributary.bench.source.CannedBinlogs;
import io.tributary.bench.source.SourceProcess;
import io.tributary.local.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** All six stages over canned binlogs, with binlog.sync as it is by default and without, and the peer in turns with them. */
@Command(
        name = PipelineBench.NAME,
        description = "The whole standalone node over canned binlogs, beside mysqlbinlog --raw.")
public final class PipelineBench implements Benchmark {
    static final String NAME = "pipeline";

    private static final String PEER = "mysqlbinlog --raw";
    private static final int RUNS = 3;

    @Option(
            names = "--shards",
            defaultValue = "4",
            converter = WholeNumber.class,
            description = "How many shards; default ${DEFAULT-VALUE}.")
    private int shards;

    @Option(
            names = "--mib",
            defaultValue = "256",
            converter = WholeNumber.class,
            description = "MiB of each shard's binlog; default ${DEFAULT-VALUE}.")
    private int mib;

    @Option(
            names = "--laps",
            defaultValue = "1",
            converter = WholeNumber.class,
            description = "How often it is told; default ${DEFAULT-VALUE}.")
    private int laps;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        int runs = options.runs(RUNS);
        Load load = Load.of(CannedBinlogs.of(shards, mib), laps);
        say(
                "%d shards, %.0f MiB, %d transactions, %d events of %.0f bytes; heap %s",
                shards,
                load.mib(),
                load.transactions(),
                load.events(),
                (double) load.bytes() / load.events(),
                System.getenv().getOrDefault("TRIBUTARY_HEAP", "512m"));
        Path work = NodeProcess.projectHome().resolve("bench/target/work");
        List<Outcome> peer = new ArrayList<>();
        List<Outcome> synced = new ArrayList<>();
        List<Outcome> unsynced = new ArrayList<>();
        try (SourceProcess source = SourceProcess.start(shards, mib, laps)) {
            MysqlbinlogRun mysqlbinlog = new MysqlbinlogRun(source, work.resolve("mysqlbinlog"));
            mysqlbinlog.run(load); // warms the source and the page cache
            for (int run = 1; run <= runs; run++) {
                say("run %d of %d", run, runs);
                peer.add(told(load, PEER, mysqlbinlog.run(load)));
                synced.add(told(load, "node", new NodeRun(source, work.resolve("node"), "always").run(load)));
                unsynced.add(told(
                        load, "node, binlog.sync=never", new NodeRun(source, work.resolve("node"), "never").run(load)));
            }
        }
        return figures(load, peer, synced, unsynced);
    }

    private static Outcome told(Load load, String who, Outcome outcome) {
        say(
                "  %s: %.1f MiB/s, %.1f s, CPU %.2f s (source %.2f s), %.0f forces to disk",
                who,
                load.mib() / outcome.seconds(),
                outcome.seconds(),
                outcome.cpuSeconds(),
                outcome.sourceCpuSeconds(),
                outcome.syncs());
        Outcome.Part warm = outcome.warm();
        if (!warm.usage().threadSeconds().isEmpty()) {
            say(
                    "    threads in the later half, ns of CPU per event: %s",
                    warm.usage().busiestThreads(16).entrySet().stream()
                            .map(thread -> String.format(
                                    Locale.ROOT,
                                    "%s %.0f",
                                    thread.getKey(),
                                    thread.getValue() * 1e9 / (load.events() * warm.share())))
                            .collect(Collectors.joining(", ")));
        }
        return outcome;
    }

    private List<Figure> figures(Load load, List<Outcome> peer, List<Outcome> synced, List<Outcome> unsynced) {
        ToDoubleFunction<Outcome> mibPerSecond = one -> load.mib() / one.seconds();
        ToDoubleFunction<Outcome> eventsPerSecond = one -> load.events() / one.seconds();
        ToDoubleFunction<Outcome> transactionsPerSecond = one -> load.transactions() / one.seconds();
        ToDoubleFunction<Outcome> microsPerEvent = one -> one.cpuSeconds() * 1e6 / load.events();
        ToDoubleFunction<Outcome> warmMib =
                one -> load.mib() * one.warm().share() / one.warm().seconds();
        ToDoubleFunction<Outcome> warmMicros = one -> one.warm().usage().cpuSeconds()
                * 1e6
                / (load.events() * one.warm().share());
        return List.of(
                figure("throughput", "MiB/s", mibPerSecond, synced, peer),
                figure("throughput, binlog.sync=never", "MiB/s", mibPerSecond, unsynced, peer),
                figure("events", "1/s", eventsPerSecond, synced, peer),
                figure("transactions", "1/s", transactionsPerSecond, synced, peer),
                figure("CPU", "s", Outcome::cpuSeconds, synced, peer),
                figure("CPU per event", "us", microsPerEvent, synced, peer),
                figure("CPU per event, later half", "us", warmMicros, synced, peer),
                figure("CPU per event, binlog.sync=never", "us", microsPerEvent, unsynced, peer),
                figure("throughput, later half", "MiB/s", warmMib, synced, peer),
                Figure.of(NAME, "CPU before the first event", "s", values(Outcome::startCpuSeconds, synced)),
                Figure.of(NAME, "peak RSS", "MiB", values(one -> one.usage().peakBytes() / 1048576.0, synced)));
    }

    private Figure figure(
            String figure, String unit, ToDoubleFunction<Outcome> part, List<Outcome> ours, List<Outcome> peers) {
        return Figure.of(NAME, figure, unit, values(part, ours)).beside(PEER, values(part, peers));
    }

    private static List<Double> values(ToDoubleFunction<Outcome> part, List<Outcome> outcomes) {
        return outcomes.stream().mapToDouble(part).boxed().toList();
    }

    private static void say(String format, Object... arguments) {
        System.out.printf(Locale.ROOT, format + "%n", arguments);
    }
}
