package io.tributary.bench.made;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.source.MadeSource;
import io.tributary.bench.source.ManyTables;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of very many tables that occur once each: the heap that they need. */
@Command(
        name = TablesBench.NAME,
        description = "480,000 tables over 4 shards that occur once each: the heap that they need.")
public final class TablesBench implements Benchmark {
    static final String NAME = "tables";
    private static final int SHARDS = 4;
    private static final double MIB = 1 << 20;

    @Option(names = "--tables", defaultValue = "480000", description = "Number of tables; default ${DEFAULT-VALUE}.")
    private int tables;

    @Override
    public List<Figure> run(RunOptions options) throws IOException {
        Path folder = BenchFolder.of(NAME);
        List<Double> rates = new ArrayList<>();
        List<Double> heaps = new ArrayList<>();
        List<Double> peaks = new ArrayList<>();
        for (int i = 0; i < options.runs(1); i++) {
            List<ManyTables> shards = new ArrayList<>();
            for (int shard = 1; shard <= SHARDS; shard++) {
                shards.add(new ManyTables("schema_of_s" + shard, tables / SHARDS));
            }
            try (MadeSource source = MadeSource.start(shards);
                    MadeRun run = new MadeRun(
                            source,
                            folder,
                            Map.of("store.memory", "128MiB", "binlog.sync", "never"),
                            Map.of("TRIBUTARY_HEAP", "256m"))) {
                double seconds = run.run(Duration.ofMinutes(30), node -> {});
                rates.add(tables / seconds);
                heaps.add(LiveHeap.bytes(run.node().process().pid()) / MIB);
                peaks.add(run.usage().peakBytes() / MIB);
            }
        }
        return List.of(
                Figure.of(NAME, "live heap afterwards", "MiB", heaps),
                Figure.of(NAME, "tables", "1/s", rates),
                Figure.of(NAME, "peak RSS", "MiB", peaks));
    }
}
