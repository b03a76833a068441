package io.tributary.bench.reshape;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.schema.rows.AddedValue;
import io.tributary.schema.rows.Columns;
import io.tributary.schema.rows.ReshapePlan;
import io.tributary.schema.rows.RowReshaper;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of rewriting the rows of a shard that has not executed an ALTER TABLE yet. */
@Command(name = ReshapeBench.NAME, description = "Rows of 10 columns: one column added; five of them converted.")
public final class ReshapeBench implements Benchmark {
    static final String NAME = "reshape";

    private static final int RUNS = 5;
    private static final int WARM_UPS = 3;
    private static final double TARGET_ROW_MICROS = 1.0;

    @Option(names = "--rows", defaultValue = "2000000", description = "Rows of a run; default ${DEFAULT-VALUE}.")
    private int rows;

    @Override
    public List<Figure> run(RunOptions options) {
        return List.of(
                measure("one column added", TableEvents.LONGER, options.runs(RUNS)),
                measure("five columns converted", TableEvents.CONVERTED, options.runs(RUNS)));
    }

    private Figure measure(String name, List<TableEvents.Column> target, int runs) {
        Columns columns = Columns.of(Map.of(), Map.of("added", new AddedValue.Stored(new byte[] {1, 0, 0, 0})));
        ReshapePlan plan = ReshapePlan.of(TableEvents.shape(TableEvents.SOURCE), TableEvents.shape(target), columns);
        if (!(plan instanceof ReshapePlan.Total total)) {
            throw new IllegalStateException("expected a plan for " + name + ", found " + plan);
        }
        List<Double> micros = new ArrayList<>();
        for (int run = -WARM_UPS; run < runs; run++) {
            double found = microsOfRow(total);
            if (run >= 0) {
                micros.add(found);
            }
        }
        return Figure.of(NAME, "CPU per row of 10 columns, " + name, "us", micros)
                .aiming(Target.atMost(TARGET_ROW_MICROS));
    }

    private double microsOfRow(ReshapePlan.Total plan) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        RowReshaper reshaper = new RowReshaper();
        ByteBuffer event = TableEvents.rows();
        long[] bytes = {0};
        int events = Math.max(1, rows / TableEvents.ROWS);
        long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < events; i++) {
            reshaper.reshape(event, plan, 7, (view, from, to) -> bytes[0] += to - from);
        }
        long spent = threads.getCurrentThreadCpuTime() - before;
        if (bytes[0] < (long) events * event.limit()) {
            throw new IllegalStateException("expected longer events, found " + bytes[0] + " bytes");
        }
        return spent / 1e3 / events / TableEvents.ROWS;
    }
}
