package io.tributary.bench.made;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of a transaction far larger than the node's memory: its throughput and the memory of the node. */
@Command(
        name = LargeBench.NAME,
        description = "One transaction of 10 GiB through a node of 1 GiB (heap 256 MiB, off-heap 512 MiB),"
                + " beside two shards with small ones.")
public final class LargeBench implements Benchmark {
    static final String NAME = "large";
    private static final double MIB = 1 << 20;

    @Option(
            names = "--mib",
            defaultValue = "10240",
            description = "MiB of the transaction; default ${DEFAULT-VALUE}. It needs twice this space on disk.")
    private int mib;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        Path folder = BenchFolder.of(NAME);
        List<LargeRun.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < options.runs(1); i++) {
            LargeRun run = new LargeRun(
                    (long) mib << 20,
                    folder,
                    Map.of("store.memory", "256MiB", "binlog.sync", "never"),
                    Map.of("TRIBUTARY_HEAP", "256m", "TRIBUTARY_DIRECT", "512m"),
                    Duration.ofHours(1));
            LargeRun.Outcome outcome = run.run();
            if (outcome.file().rows() != run.rows() || outcome.file().mostRows() != run.largeRows()) {
                throw new IllegalStateException("expected " + run.rows() + " rows events, " + run.largeRows()
                        + " of them in one transaction, found " + outcome.file());
            }
            if (!outcome.othersWereRead()) {
                throw new IllegalStateException("expected reads of other shards during the large one, found none");
            }
            outcomes.add(outcome);
        }
        return List.of(
                figure("throughput", "MiB/s", outcomes, one -> one.file().bytes() / MIB / one.seconds()),
                figure("CPU", "s", outcomes, one -> one.usage().cpuSeconds()),
                figure("peak RSS", "MiB", outcomes, one -> one.usage().peakBytes() / MIB),
                figure("peak of the store's memory", "MiB", outcomes, one -> one.storeMemory() / MIB),
                figure("peak of the spill disk", "MiB", outcomes, one -> one.spilled() / MIB));
    }

    private static Figure figure(
            String name, String unit, List<LargeRun.Outcome> outcomes, ToDoubleFunction<LargeRun.Outcome> part) {
        return Figure.of(
                NAME, name, unit, outcomes.stream().mapToDouble(part).boxed().toList());
    }
}
