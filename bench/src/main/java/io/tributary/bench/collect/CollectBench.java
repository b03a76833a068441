package io.tributary.bench.collect;

import io.tributary.bench.Benchmark;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.collector.BinlogParallel;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of the collector: order, encoding and sending of local and distributed transactions, small ones and longer ones. */
@Command(
        name = CollectBench.NAME,
        description = "From tokens to encoded transactions in order: 0 %%, 30 %% and 100 %% of them with two branches.")
public final class CollectBench implements Benchmark {
    static final String NAME = "collect";

    private static final int RUNS = 5;
    private static final int WARM_UPS = 3;
    /** Rows events of a branch: with the table map and others, a local transaction has 5 or 20 events. */
    private static final List<Integer> ROWS = List.of(1, 16);

    private static final double TARGET_TRANSACTION_MICROS = 1.5;
    private static final double TARGET_EVENT_MICROS = 0.1;
    private static final double TARGET_KEY_MICROS = 0.15;

    @Option(
            names = "--transactions",
            defaultValue = "400000",
            description = "Transactions of a run; default ${DEFAULT-VALUE}.")
    private int transactions;

    @Option(
            names = "--distributed",
            split = ",",
            defaultValue = "0,30,100",
            description = "Percentages of distributed transactions; default ${DEFAULT-VALUE}.")
    private List<Integer> distributedPercents;

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        List<CollectLoop> loops = new ArrayList<>();
        List<Mix> mixes = new ArrayList<>();
        for (int rows : ROWS) {
            for (int percent : distributedPercents) {
                mixes.add(new Mix(percent, rows, BinlogParallel.SHARDS));
                mixes.add(new Mix(percent, rows, BinlogParallel.WRITESET));
            }
        }
        mixes.forEach(mix -> loops.add(new CollectLoop(mix)));
        for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
            for (CollectLoop loop : loops) {
                loop.collect(transactions);
            }
        }
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < mixes.size(); i++) {
            figures.addAll(measure(mixes.get(i), loops.get(i), options.runs(RUNS)));
        }
        loops.forEach(CollectLoop::close);
        return figures;
    }

    private List<Figure> measure(Mix mix, CollectLoop loop, int runs) throws Exception {
        List<Double> micros = new ArrayList<>();
        List<Double> perSecond = new ArrayList<>();
        List<Double> heap = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            CollectLoop.Cost cost = loop.collect(transactions);
            micros.add(cost.cpuNanos() / 1e3);
            perSecond.add(1e9 / cost.cpuNanos());
            heap.add(cost.heapBytes());
        }
        double keys = mix.parallel() == BinlogParallel.WRITESET ? TARGET_KEY_MICROS * mix.keys() : 0;
        double target = TARGET_TRANSACTION_MICROS + TARGET_EVENT_MICROS * mix.eventsPerTransaction() + keys;
        return List.of(
                Figure.of(NAME, "CPU per transaction, " + mix, "us", micros).aiming(Target.atMost(target)),
                Figure.of(NAME, "transactions on a core, " + mix, "1/s", perSecond),
                Figure.of(NAME, "heap per transaction, " + mix, "B", heap));
    }
}
