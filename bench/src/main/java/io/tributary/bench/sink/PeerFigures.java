package io.tributary.bench.sink;

import io.tributary.bench.EqualStart;
import io.tributary.bench.Figure;
import io.tributary.bench.Target;
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Our sink, Debezium and Maxwell in turns with the same binlog and the same broker. */
final class PeerFigures {
    private static final double OF_DEBEZIUM = 5;
    private static final double OF_MAXWELL = 3;

    private final List<Figure> figures = new ArrayList<>();

    private PeerFigures() {}

    /** A sender of rows. */
    @FunctionalInterface
    private interface Sender {
        SendCost send() throws Exception;
    }

    static List<Figure> of(PeerSite site, int runs) throws Exception {
        List<SendCost> envelopes = new ArrayList<>();
        List<SendCost> debezium = new ArrayList<>();
        List<SendCost> flat = new ArrayList<>();
        List<SendCost> maxwell = new ArrayList<>();
        MessageFormat envelope = new DebeziumFormat(new FormatOptions(false, false, false, false, false, "bench"));
        MessageFormat canal = new CanalFormat(FormatOptions.of("bench"));
        List<Double> envelopesAlone = new ArrayList<>();
        List<Double> flatAlone = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            envelopesAlone.add(site.producer(envelope).perCpuSecond());
            flatAlone.add(site.producer(canal).perCpuSecond());
            envelopes.add(send(
                    () -> site.tributary(Map.of("sink.protocol", "debezium-json", "sink.debezium.schemas", "false"))));
            debezium.add(send(site::debezium));
            flat.add(send(() -> site.tributary(Map.of("sink.protocol", "canal-json"))));
            maxwell.add(send(site::maxwell));
        }
        PeerFigures all = new PeerFigures();
        all.add("debezium-json", envelopes, new Compared("Debezium", debezium, OF_DEBEZIUM));
        all.add("canal-json", flat, new Compared("Maxwell", maxwell, OF_MAXWELL));
        all.figures.add(Figure.of(SinkBench.NAME, "debezium-json, the producer alone", "rows/CPU s", envelopesAlone));
        all.figures.add(Figure.of(SinkBench.NAME, "canal-json, the producer alone", "rows/CPU s", flatAlone));
        return all.figures;
    }

    private static SendCost send(Sender sender) throws Exception {
        EqualStart.await();
        return sender.send();
    }

    /** A peer, and how many times its rows ours are to be. */
    private record Compared(String name, List<SendCost> costs, double least) {}

    private void add(String protocol, List<SendCost> ours, Compared peer) {
        Target target = Target.atLeastOfPeer(peer.least());
        figures.add(figure(
                        protocol + ", all",
                        "rows/CPU s",
                        ours,
                        peer,
                        cost -> cost.all().perCpuSecond())
                .aiming(target));
        figures.add(figure(
                        protocol + ", later half",
                        "rows/CPU s",
                        ours,
                        peer,
                        cost -> cost.later().perCpuSecond())
                .aiming(target));
        figures.add(figure(
                protocol + ", later half",
                "rows/s",
                ours,
                peer,
                cost -> cost.later().perSecond()));
        figures.add(figure(protocol + ", peak RSS", "MiB", ours, peer, cost -> cost.peakBytes() / (double) (1 << 20)));
    }

    private static Figure figure(
            String name, String unit, List<SendCost> ours, Compared peer, Function<SendCost, Double> value) {
        return Figure.of(SinkBench.NAME, name, unit, ours.stream().map(value).toList())
                .beside(peer.name(), peer.costs().stream().map(value).toList());
    }
}
