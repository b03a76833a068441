package io.tributary.bench.write;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.EqualStart;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.TimedCommand;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.testkit.server.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of the stages that write, with input from memory: with and without force to disk, with one and two workers, and on one thread. */
@Command(
        name = WriteBench.NAME,
        description = "Transactions of 5 events of 200 bytes to binlog files, compared with dd of the same bytes.")
public final class WriteBench implements Benchmark {
    static final String NAME = "write";

    private static final int RUNS = 5;
    private static final int WARM_UPS = 1;

    @Option(names = "--mib", defaultValue = "1024", description = "MiB of a run; default ${DEFAULT-VALUE}.")
    private int mib;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        Path folder = BenchFolder.of(NAME);
        WriteRun write = new WriteRun(folder.resolve("binlog"), ((long) mib << 20) / BatchFeed.TRANSACTION);
        List<WriteRun.Setup> setups = new ArrayList<>();
        for (BinlogSync sync : List.of(BinlogSync.NEVER, BinlogSync.ALWAYS)) {
            setups.add(new WriteRun.Setup(sync, 1, true));
            setups.add(new WriteRun.Setup(sync, 1, false));
            setups.add(new WriteRun.Setup(sync, 2, false));
        }
        Map<WriteRun.Setup, List<WriteRun.Outcome>> ours = new LinkedHashMap<>();
        Map<WriteRun.Setup, List<TimedCommand>> dd = new LinkedHashMap<>();
        try {
            for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
                for (WriteRun.Setup setup : setups) {
                    write.run(setup);
                }
            }
            for (int run = 0; run < options.runs(RUNS); run++) {
                for (WriteRun.Setup setup : setups) {
                    Folders.delete(folder);
                    EqualStart.await();
                    WriteRun.Outcome outcome = write.run(setup);
                    EqualStart.await();
                    TimedCommand peer = write.dd(setup.sync() == BinlogSync.ALWAYS);
                    ours.computeIfAbsent(setup, any -> new ArrayList<>()).add(outcome);
                    dd.computeIfAbsent(setup, any -> new ArrayList<>()).add(peer);
                    print(setup, outcome, peer);
                }
            }
        } finally {
            Folders.delete(folder);
        }
        List<Figure> figures = new ArrayList<>();
        ours.forEach((setup, outcomes) -> figures.addAll(figures(setup, outcomes, dd.get(setup))));
        return figures;
    }

    private static void print(WriteRun.Setup setup, WriteRun.Outcome outcome, TimedCommand dd) {
        String threads = outcome.usage().cpuNanos().entrySet().stream()
                .map(thread -> String.format(
                        Locale.ROOT, "%s %.0f", thread.getKey(), (double) thread.getValue() / outcome.events()))
                .collect(Collectors.joining(", "));
        System.out.printf(
                Locale.ROOT,
                "%s: %.0f MiB/s, dd %.0f MiB/s (CPU %.0f ns per event); ns of CPU per event: %s%n",
                setup,
                outcome.mib() / outcome.seconds(),
                outcome.mib() / dd.seconds(),
                dd.cpuSeconds() * 1e9 / outcome.events(),
                threads);
    }

    private static List<Figure> figures(
            WriteRun.Setup setup, List<WriteRun.Outcome> outcomes, List<TimedCommand> peers) {
        List<Double> throughput = new ArrayList<>();
        List<Double> events = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        List<Double> ownCpu = new ArrayList<>();
        List<Double> allocated = new ArrayList<>();
        List<Double> dd = new ArrayList<>();
        List<Double> ddCpu = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            WriteRun.Outcome one = outcomes.get(i);
            throughput.add(one.mib() / one.seconds());
            events.add(one.events() / one.seconds());
            cpu.add(one.cpuSeconds() * 1e6 / one.events());
            ownCpu.add(one.ownCpuSeconds() * 1e6 / one.events());
            allocated.add(one.usage().allocated("write") / one.events());
            dd.add(one.mib() / peers.get(i).seconds());
            ddCpu.add(peers.get(i).cpuSeconds() * 1e6 / one.events());
        }
        String peer = setup.sync() == BinlogSync.ALWAYS ? "dd conv=fdatasync" : "dd";
        return List.of(
                Figure.of(NAME, "throughput, " + setup, "MiB/s", throughput)
                        .beside(peer, dd)
                        .aiming(Target.atLeastOfPeer(0.7)),
                Figure.of(NAME, "events, " + setup, "1/s", events),
                Figure.of(NAME, "CPU per event, " + setup, "us", cpu)
                        .beside(peer, ddCpu)
                        .aiming(Target.atMost(0.25)),
                Figure.of(NAME, "CPU per event of layout and workers, " + setup, "us", ownCpu),
                Figure.of(NAME, "heap per event, " + setup, "B", allocated));
    }
}
