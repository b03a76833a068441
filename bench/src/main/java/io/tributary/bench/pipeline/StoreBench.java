package io.tributary.bench.pipeline;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.EqualStart;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.bench.source.CannedBinlogs;
import io.tributary.bench.source.SourceProcess;
import io.tributary.bench.store.StoreLoop;
import io.tributary.testkit.server.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Bench of the payload store: writes and reads in memory and on disk; and the whole node with all payload on disk, compared with memory. */
@Command(
        name = StoreBench.NAME,
        description = "The payload store alone and the whole node: on disk, compared with in memory.")
public final class StoreBench implements Benchmark {
    static final String NAME = "store";

    private static final int RUNS = 3;
    private static final double MOST_LOSS = 0.8;

    @Mixin
    private CannedLoad canned;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        Path work = BenchFolder.of(NAME);
        int runs = options.runs(RUNS);
        List<Figure> figures = new ArrayList<>(alone(work.resolve("spill"), runs));
        figures.addAll(node(work.resolve("node"), runs));
        return figures;
    }

    private List<Figure> alone(Path folder, int runs) throws IOException {
        List<StoreLoop.Outcome> memory = new ArrayList<>();
        List<StoreLoop.Outcome> disk = new ArrayList<>();
        new StoreLoop(folder, "memory", canned.mib(), canned.mib() + 64 + "MiB").run(); // warms up
        for (int run = 0; run < runs; run++) {
            memory.add(new StoreLoop(folder, "memory", canned.mib(), canned.mib() + 64 + "MiB").run());
            disk.add(new StoreLoop(folder, "disk", canned.mib(), "64MiB").run());
        }
        Folders.delete(folder);
        return List.of(
                figure("in, disk", "MiB/s", StoreLoop.Outcome::in, disk, memory),
                figure("out, disk", "MiB/s", StoreLoop.Outcome::out, disk, memory),
                Figure.of(NAME, "read back from disk", "of all", values(StoreLoop.Outcome::readShare, disk)));
    }

    private List<Figure> node(Path folder, int runs) throws IOException {
        Load load = Load.of(CannedBinlogs.of(canned.shards(), canned.mib()), 1);
        List<Outcome> memory = new ArrayList<>();
        List<Outcome> disk = new ArrayList<>();
        try (SourceProcess source = SourceProcess.start(canned.shards(), canned.mib(), 1)) {
            new NodeRun(source, folder, Map.of("store.mode", "memory"))
                    .run(load); // warms up the source and the page cache
            for (int run = 0; run < runs; run++) {
                EqualStart.await();
                memory.add(new NodeRun(source, folder, Map.of("store.mode", "memory")).run(load));
                EqualStart.await();
                disk.add(new NodeRun(source, folder, Map.of("store.mode", "disk")).run(load));
            }
        }
        return List.of(
                figure("whole node, disk", "MiB/s", one -> load.mib() / one.seconds(), disk, memory)
                        .aiming(Target.atLeastOfPeer(MOST_LOSS)),
                figure("whole node's CPU, disk", "s", Outcome::cpuSeconds, disk, memory));
    }

    private static <T> Figure figure(String name, String unit, ToDoubleFunction<T> part, List<T> disk, List<T> memory) {
        return Figure.of(NAME, name, unit, values(part, disk)).beside("in memory", values(part, memory));
    }

    private static <T> List<Double> values(ToDoubleFunction<T> part, List<T> outcomes) {
        return outcomes.stream().mapToDouble(part).boxed().toList();
    }
}
