package io.tributary.bench.sink;

import io.tributary.bench.BenchFolder;
import io.tributary.bench.Figure;
import io.tributary.bench.ProcessUsage;
import io.tributary.bench.Target;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.kafka.KafkaBrokers;
import io.tributary.testkit.server.Folders;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A sink with a heap of 64 MiB whose broker is killed for some minutes, while the source is written to. Its memory and CPU are read each second; afterwards
 * each row must have arrived once.
 */
final class AwayRun implements AutoCloseable {
    private static final String HEAP = "64m";
    private static final String MEMORY = "16MiB";
    /** So many that the code is compiled, and the heap is used. */
    private static final int FIRST_ROWS = 60_000;

    /** At the first samples the sink still fills its memory. */
    private static final int SETTLED = 10;

    private static final double FLAT = 1.05;
    private static final double IDLE = 0.05;
    private static final double MIB = 1 << 20;
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final MysqlServer server = MysqlServer.start("wide");
    private final KafkaBrokers brokers = SinkSite.broker();
    private final Path folder = BenchFolder.of(SinkBench.NAME).resolve("away");

    /** A sample of the process. */
    private record Sample(double cpuSeconds, double mib) {}

    /** @param seconds without the broker, more than 10 */
    List<Figure> run(int seconds) throws Exception {
        if (seconds <= SETTLED) {
            throw new IllegalArgumentException("--away-seconds: expected more than " + SETTLED + ", found " + seconds);
        }
        Folders.delete(folder);
        Files.createDirectories(folder);
        try (Sql sql = server.sql()) {
            WideRows.insert(sql);
            new RowCopies(sql).upTo(FIRST_ROWS);
        }
        try (RowTopic topic = new RowTopic(brokers.addresses(), "away");
                NodeProcess node = node(topic.name());
                SteadyWriter writer = new SteadyWriter(server)) {
            awaitRows(topic, node.launch(), FIRST_ROWS);
            brokers.first().kill9();
            List<Sample> samples = samples(node.process().pid(), seconds);
            brokers.first().restart();
            long begin = Clock.SYSTEM.nanoTime();
            long rows = writer.stop();
            awaitRows(topic, node, rows);
            double caughtUp = (Clock.SYSTEM.nanoTime() - begin) / 1e9;
            requireEachOnce(topic, rows);
            return figures(samples, caughtUp);
        }
    }

    private NodeProcess node(String topic) {
        Path log = folder.resolve("sink.log");
        return new NodeProcess(
                        NodeProcess.projectHome(),
                        folder.resolve("sink.properties"),
                        PeerSite.config(server, brokers)
                                .set("sink.name", topic)
                                .set("sink.topic", topic)
                                .set("sink.memory", MEMORY),
                        log)
                .with("TRIBUTARY_HEAP", HEAP);
    }

    private static void awaitRows(RowTopic topic, NodeProcess node, long rows) {
        Await.until(
                () -> rows + " rows in Kafka; the sink's last lines:\n" + node.lastLines(),
                LIMIT,
                () -> topic.end() >= rows);
    }

    private static List<Sample> samples(long pid, int seconds) {
        List<Sample> samples = new ArrayList<>();
        long begin = Clock.SYSTEM.nanoTime();
        for (int second = 0; second <= seconds; second++) {
            long left = begin + second * SECOND_NANOS - Clock.SYSTEM.nanoTime();
            while (left > 0) {
                LockSupport.parkNanos(left);
                left = begin + second * SECOND_NANOS - Clock.SYSTEM.nanoTime();
            }
            samples.add(new Sample(ProcessUsage.of(pid).cpuSeconds(), ProcessUsage.residentBytes(pid) / MIB));
        }
        return samples;
    }

    /** A row is known by the headers {@code gtid} and {@code row} of its message. */
    private static void requireEachOnce(RowTopic topic, long rows) throws InterruptedException, ExecutionException {
        Set<String> found = new HashSet<>();
        long messages = topic.read(rows, message -> found.add(header(message, "gtid") + " " + header(message, "row")));
        if (messages != rows || found.size() != rows) {
            throw new IllegalStateException("expected " + rows + " rows in topic " + topic.name()
                    + ", each once, found " + messages + " messages of " + found.size() + " rows");
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static List<Figure> figures(List<Sample> samples, double caughtUp) {
        Sample settled = samples.get(SETTLED);
        Sample last = samples.get(samples.size() - 1);
        double largest = samples.stream().mapToDouble(Sample::mib).max().orElseThrow();
        double cpu = (last.cpuSeconds() - settled.cpuSeconds()) / (samples.size() - 1 - SETTLED);
        return List.of(
                figure("RSS at the end", "MiB", last.mib())
                        .beside("after 10 s", List.of(settled.mib()))
                        .aiming(Target.atMostOfPeer(FLAT)),
                figure("largest RSS", "MiB", largest).beside("after 10 s", List.of(settled.mib())),
                figure("CPU", "cores", cpu).aiming(Target.atMost(IDLE)),
                figure("until all rows are there after it is back", "s", caughtUp));
    }

    private static Figure figure(String what, String unit, double value) {
        return Figure.of(SinkBench.NAME, "broker away, " + what, unit, List.of(value));
    }

    @Override
    public void close() {
        brokers.close();
        server.close();
    }
}
