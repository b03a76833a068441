package io.tributary.bench.sink;

import com.sun.management.ThreadMXBean;
import io.tributary.bench.Benchmark;
import io.tributary.bench.Distribution;
import io.tributary.bench.Figure;
import io.tributary.bench.RunOptions;
import io.tributary.bench.Target;
import io.tributary.sink.Guarantee;
import io.tributary.sink.avro.AvroFormat;
import io.tributary.sink.avro.AvroOptions;
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.open.OpenFormat;
import io.tributary.sink.simple.SimpleFormat;
import io.tributary.testkit.server.MysqlServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Bench of the sink. */
@Command(
        name = SinkBench.NAME,
        description = "Decoding of rows of 60 columns, encoding of messages, and the way to a Kafka broker.")
public final class SinkBench implements Benchmark {
    static final String NAME = "sink";

    private static final int RUNS = 3;
    private static final int WARM_UPS = 3;
    /** So that a run of one worker takes about half a second. */
    private static final int PARALLEL_ROUNDS = 10;

    /** 2 / 1.7: with this, two idle cores are 1.7 times as fast as one. */
    private static final double SHARED_CPU = 1.18;

    private static final double DECODE_MICROS = 1.5;
    private static final double CANAL_MICROS = 5.5;
    private static final double AVRO_MICROS = 2.5;
    private static final double CANAL_GARBAGE = 5000;

    /** What is measured. */
    private enum Part {
        DECODE,
        FORMATS,
        WHOLE,
        PEERS,
        AWAY
    }

    @Option(
            names = "--parts",
            split = ",",
            description =
                    "What is measured: ${COMPLETION-CANDIDATES}; default DECODE,FORMATS,WHOLE, and PEERS if it was built before."
                            + " PEERS builds Debezium and Maxwell with Maven.")
    private Set<Part> parts;

    @Option(
            names = "--rounds",
            defaultValue = "40",
            description = "Times that 2,000 rows are decoded or encoded in a run; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--rows",
            defaultValue = "60000",
            description = "Rows that are sent to the broker in a run; default ${DEFAULT-VALUE}.")
    private int rows;

    @Option(
            names = "--old-rows",
            defaultValue = "4000",
            description = "Rows that the peer sends in a run; default ${DEFAULT-VALUE}.")
    private int oldRows;

    @Option(
            names = "--peer-rows",
            defaultValue = "400000",
            description = "Rows of a run of PEERS, a multiple of 100; default ${DEFAULT-VALUE}.")
    private int peerRows;

    @Option(
            names = "--away-seconds",
            defaultValue = "300",
            description = "Time without a broker in AWAY, which runs once, more than 10; default ${DEFAULT-VALUE}.")
    private int awaySeconds;

    @Override
    public List<Figure> run(RunOptions options) throws Exception {
        int runs = options.runs(RUNS);
        Set<Part> chosen = parts == null ? standard() : parts;
        List<Figure> figures = new ArrayList<>();
        if (chosen.contains(Part.DECODE) || chosen.contains(Part.FORMATS)) {
            List<WideRows.Event> events;
            try (MysqlServer server = MysqlServer.start("wide")) {
                events = WideRows.of(server);
            }
            if (chosen.contains(Part.DECODE)) {
                figures.addAll(decode(events, runs));
            }
            if (chosen.contains(Part.FORMATS)) {
                figures.addAll(formats(events, runs));
            }
        }
        if (chosen.contains(Part.WHOLE)) {
            try (SinkSite site = new SinkSite(rows)) {
                figures.addAll(whole(site, runs));
            }
        }
        if (chosen.contains(Part.PEERS)) {
            PeerPrograms.build();
            try (PeerSite site = new PeerSite(peerRows)) {
                figures.addAll(PeerFigures.of(site, runs));
            }
        }
        if (chosen.contains(Part.AWAY)) {
            try (AwayRun run = new AwayRun()) {
                figures.addAll(run.run(awaySeconds));
            }
        }
        return figures;
    }

    private static Set<Part> standard() {
        Set<Part> standard = EnumSet.of(Part.DECODE, Part.FORMATS, Part.WHOLE);
        if (PeerPrograms.areBuilt()) {
            standard.add(Part.PEERS);
        }
        return standard;
    }

    private List<Figure> decode(List<WideRows.Event> events, int runs) throws Exception {
        List<Figure> figures = new ArrayList<>();
        for (boolean asText : new boolean[] {false, true}) {
            DecodeLoop loop = new DecodeLoop(asText);
            List<Double> micros = new ArrayList<>();
            List<Double> garbage = new ArrayList<>();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            for (int run = -WARM_UPS; run < runs; run++) {
                long bytes =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                long cpu = threads.getCurrentThreadCpuTime();
                double done = rounds(loop, events, 0, 1);
                if (run >= 0) {
                    micros.add((threads.getCurrentThreadCpuTime() - cpu) / 1e3 / done);
                    garbage.add((threads.getThreadAllocatedBytes(
                                            Thread.currentThread().getId())
                                    - bytes)
                            / done);
                }
            }
            String what = asText ? "all values as text" : "decode alone";
            Figure cpu = Figure.of(NAME, what + ", CPU per row", "us", micros);
            figures.add(asText ? cpu : cpu.aiming(Target.atMost(DECODE_MICROS)));
            figures.add(Figure.of(NAME, what + ", garbage per row", "B", garbage));
        }
        figures.addAll(twoWorkers(events, runs));
        return figures;
    }

    private double rounds(DecodeLoop loop, List<WideRows.Event> events, int from, int step) {
        long done = 0;
        for (int i = 0; i < rounds; i++) {
            done += loop.decode(events, from, step);
        }
        return done;
    }

    private List<Figure> twoWorkers(List<WideRows.Event> events, int runs) throws Exception {
        List<DecodeSpeed> one = new ArrayList<>();
        List<DecodeSpeed> two = new ArrayList<>();
        for (int run = -1; run < runs; run++) {
            DecodeSpeed single = DecodeSpeed.of(events, 1, rounds * PARALLEL_ROUNDS);
            DecodeSpeed both = DecodeSpeed.of(events, 2, rounds * PARALLEL_ROUNDS);
            if (run >= 0) {
                one.add(single);
                two.add(both);
            }
        }
        return List.of(
                workers("rows/s", one, two, DecodeSpeed::perSecond).aiming(Target.atLeastOfPeer(1.7)),
                workers("us of CPU per row", one, two, DecodeSpeed::cpuMicros).aiming(Target.atMostOfPeer(SHARED_CPU)));
    }

    private static Figure workers(
            String unit, List<DecodeSpeed> one, List<DecodeSpeed> two, Function<DecodeSpeed, Double> value) {
        return Figure.of(
                        NAME,
                        "decode alone, 2 workers",
                        unit,
                        two.stream().map(value).toList())
                .beside("1 worker", one.stream().map(value).toList());
    }

    private List<Figure> formats(List<WideRows.Event> events, int runs) {
        FormatOptions options = FormatOptions.of("bench");
        FormatOptions withoutSchemas = new FormatOptions(false, false, false, false, false, "bench");
        Map<String, MessageFormat> formats = new LinkedHashMap<>();
        formats.put("canal-json", new CanalFormat(options));
        formats.put("debezium-json", new DebeziumFormat(withoutSchemas));
        formats.put("avro", new AvroFormat(options, AvroOptions.standard(), (subject, schema) -> 1));
        formats.put("open-protocol", new OpenFormat());
        formats.put("simple", new SimpleFormat());
        List<Figure> figures = new ArrayList<>();
        formats.forEach((name, format) -> {
            List<Double> micros = new ArrayList<>();
            List<Double> garbage = new ArrayList<>();
            List<Double> bytes = new ArrayList<>();
            for (int run = -1; run < runs; run++) {
                FormatCost cost = FormatCost.of(format, events, rounds);
                if (run >= 0) {
                    micros.add(cost.micros());
                    garbage.add(cost.garbage());
                    bytes.add(cost.bytes());
                }
            }
            Figure cpu = Figure.of(NAME, name + ", CPU per row", "us", micros);
            Figure heap = Figure.of(NAME, name + ", garbage per row", "B", garbage);
            boolean isCanal = name.equals("canal-json");
            figures.add(
                    isCanal
                            ? cpu.aiming(Target.atMost(CANAL_MICROS))
                            : name.equals("avro") ? cpu.aiming(Target.atMost(AVRO_MICROS)) : cpu);
            figures.add(isCanal ? heap.aiming(Target.atMost(CANAL_GARBAGE)) : heap);
            figures.add(Figure.of(NAME, name + ", bytes of a value", "B", bytes));
        });
        return figures;
    }

    private List<Figure> whole(SinkSite site, int runs) throws Exception {
        List<SinkSite.Cost> exact = new ArrayList<>();
        List<SinkSite.Cost> atLeast = new ArrayList<>();
        List<SinkSite.Cost> old = new ArrayList<>();
        for (int run = -1; run < runs; run++) {
            SinkSite.Cost once = send(site, Guarantee.EXACTLY_ONCE);
            SinkSite.Cost more = send(site, Guarantee.AT_LEAST_ONCE);
            SinkSite.Cost slow = SinkSite.measure(oldRows, () -> OldStyle.send(site, oldRows));
            if (run >= 0) {
                exact.add(once);
                atLeast.add(more);
                old.add(slow);
            }
        }
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of(NAME, "to the broker, canal-json, exactly once", "rows/s", perSecond(exact))
                .beside("old style", perSecond(old))
                .aiming(Target.atLeastOfPeer(7)));
        figures.add(Figure.of(NAME, "to the broker, canal-json, exactly once", "rows/CPU s", perCpuSecond(exact))
                .beside("old style", perCpuSecond(old)));
        figures.add(Figure.of(NAME, "to the broker, exactly once of at least once", "rows/s", perSecond(exact))
                .beside("at least once", perSecond(atLeast))
                .aiming(Target.atLeastOfPeer(0.8)));
        figures.addAll(latency(site, runs));
        return figures;
    }

    private SinkSite.Cost send(SinkSite site, Guarantee guarantee) throws Exception {
        return SinkSite.measure(rows, () -> {
            try (SinkSite.Running sink = site.start(new CanalFormat(FormatOptions.of("bench")), guarantee, "orders")) {
                sink.awaitRows(rows);
            }
        });
    }

    private static List<Double> perSecond(List<SinkSite.Cost> costs) {
        return costs.stream().map(SinkSite.Cost::perSecond).toList();
    }

    private static List<Double> perCpuSecond(List<SinkSite.Cost> costs) {
        return costs.stream().map(SinkSite.Cost::perCpuSecond).toList();
    }

    private static List<Figure> latency(SinkSite site, int runs) throws Exception {
        List<Double> middle = new ArrayList<>();
        List<Double> late = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            Distribution millis = TickLatency.measure(site, new CanalFormat(FormatOptions.of("bench")), 500);
            middle.add(millis.quantile(0.5));
            late.add(millis.quantile(0.99));
        }
        return List.of(
                Figure.of(NAME, "commit to consumer, p50", "ms", middle).aiming(Target.atMost(200)),
                Figure.of(NAME, "commit to consumer, p99", "ms", late).aiming(Target.atMost(400)));
    }
}
