package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.file.BinlogSync;
import io.tributary.binlog.write.BinlogPipeline;
import io.tributary.binlog.write.BinlogStart;
import io.tributary.collector.Collector;
import io.tributary.collector.CollectorConfig;
import io.tributary.collector.CollectorLinks;
import io.tributary.collector.CollectorResources;
import io.tributary.collector.CollectorStages;
import io.tributary.collector.OrderStart;
import io.tributary.collector.rows.CollectorStore;
import io.tributary.collector.schema.SchemaJournal;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.config.HostPort;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Token;
import io.tributary.node.dumper.ChunkLink;
import io.tributary.node.process.Failures;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.store.HeldTokens;
import io.tributary.store.JournalMap;
import io.tributary.store.TableShapeStore;
import io.tributary.testkit.Await;
import io.tributary.transmitter.RequestedStream;
import io.tributary.transmitter.StreamIdentity;
import io.tributary.transmitter.StreamLimits;
import io.tributary.transmitter.StreamSource;
import io.tributary.transmitter.StreamStart;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.transmitter.TransmitReceiver;
import io.tributary.transmitter.TransmitServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of the journal by a collector survives restarts of the Task and of the Dumper, in any order. */
class JournalRestartTest {
    private static final StreamIdentity IDENTITY = new StreamIdentity("c1", "main");
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final Cut FIRST = Cut.beginning(List.of(Cut.ShardCut.unread("s1", "", GtidSet.EMPTY, GtidSet.EMPTY)))
            .under(1);

    @TempDir
    Path folder;

    private static TransmitConfig transmit(int port) {
        HostPort address = new HostPort("127.0.0.1", port);
        ByteSize size = new ByteSize(4 << 20);
        return new TransmitConfig(
                address,
                address,
                "main",
                new StreamLimits(size, size, size, Duration.ofSeconds(10)),
                GrpcTlsConfig.NONE);
    }

    private BinlogConfig binlog() {
        return new BinlogConfig(
                folder,
                "binlog",
                new ByteSize(1 << 20),
                BinlogSync.ALWAYS,
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                1,
                new ByteSize(4 << 20),
                1000,
                Optional.of(new UUID(1, 2).toString()),
                Optional.of("8.0.36-tributary"));
    }

    /** A Task without input that keeps a journal. */
    private static final class Task implements StreamSource, AutoCloseable {
        private final TransmitServer server =
                new TransmitServer(transmit(0), IDENTITY, this, new Metrics(), Clock.SYSTEM);
        private volatile Collector collector;

        @Override
        public Running open(Optional<Cut> resume, JournalMap journal, Outlet<Chunk> sink, Stage sender, Dumper dumper) {
            CollectorStore store = new CollectorStore(
                    TableShapeStore.onHeap(),
                    shard -> HeldTokens.unbounded(),
                    () -> {
                        throw new IllegalStateException("expected no rows");
                    },
                    (view, at, end, physical) -> {
                        throw new IllegalStateException("expected no tables");
                    },
                    journal);
            CollectorConfig config = new ConfigReader(List.of(CollectorConfig.class))
                    .read("test", List.of(), Map.of())
                    .get(CollectorConfig.class);
            Link<Token> tokens = new Link<>("merged", 16, Clock.SYSTEM);
            CollectorStages stages = CollectorStages.of(
                    config,
                    new CollectorStages.Origin(1, 80036),
                    new OrderStart(OrderMode.XA, resume.orElse(FIRST)),
                    new CollectorLinks(tokens, sink, new RoundRequest(), () -> 1),
                    new CollectorResources(store, new Metrics(), Clock.SYSTEM));
            StageRunner runner = new StageRunner((stage, cause) -> dumper.failed(Failures.of(stage.name(), cause)));
            List<Stage> all = new ArrayList<>(stages.all());
            all.add(sender);
            runner.onOneThread(all);
            runner.start();
            collector = stages.collector();
            return runner::close;
        }

        <T> T journal(Function<SchemaJournal, T> use) {
            Await.until("a stream", LIMIT, () -> collector != null);
            return collector.journal(use).join();
        }

        Map<String, String> shown() {
            return journal(journal -> {
                Map<String, String> shown = new TreeMap<>();
                journal.forEach("", (key, value) -> shown.put(key, Arrays.toString(value)));
                return shown;
            });
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Finds the first cut after a change. */
    private static final class CutOfChange implements Inlet<Chunk> {
        private final Inlet<Chunk> inlet;
        private final Map<Long, Long> cuts = new ConcurrentHashMap<>(); // number of a change, number of the cut

        CutOfChange(Inlet<Chunk> inlet) {
            this.inlet = inlet;
        }

        @Override
        public Chunk peek() {
            return inlet.peek();
        }

        @Override
        public Chunk poll() {
            Chunk chunk = inlet.poll();
            if (chunk instanceof Chunk.CutMark mark) {
                cuts.putIfAbsent(mark.cut().schemaNumber(), mark.cut().number());
            }
            return chunk;
        }
    }

    /** A Dumper that writes what a Task sends. */
    private final class DumperNode implements AutoCloseable {
        private final BinlogDirectory directory = BinlogDirectory.open(binlog(), Clock.SYSTEM);
        private final Recovered recovered = Recovery.run(directory, binlog(), Clock.SYSTEM);
        private final StageRunner runner = new StageRunner((stage, cause) -> {});
        private final BinlogPipeline pipeline;
        private final CutOfChange cuts;

        DumperNode(Task task) {
            Link<Chunk> chunks = ChunkLink.of(1 << 20, new Metrics(), Clock.SYSTEM);
            cuts = new CutOfChange(chunks);
            pipeline = new BinlogPipeline(BinlogStart.of(binlog(), directory, recovered), cuts, new Metrics());
            List<Stage> all = new ArrayList<>(pipeline.stages());
            all.add(new TransmitReceiver(
                    transmit(task.server.port()),
                    new RequestedStream(
                            IDENTITY,
                            0,
                            new StreamStart(
                                    recovered.resume(),
                                    () -> directory.journal().snapshot())),
                    chunks,
                    () -> 0));
            runner.onOneThread(all);
            runner.start();
        }

        void awaitDurable(long change) {
            Await.until(
                    "change " + change,
                    LIMIT,
                    () -> cuts.cuts.getOrDefault(change, Long.MAX_VALUE)
                            <= recovered.files().durableEnd().cut());
        }

        @Override
        public void close() {
            runner.close();
            pipeline.close();
            directory.close();
        }
    }

    @Test
    void aChangeSurvivesRestartsOfTheTaskAndOfTheDumper() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<String, String> expected = new TreeMap<>();
        Task task = new Task();
        DumperNode dumper = new DumperNode(task);
        for (int turn = 0; turn < 12; turn++) {
            assertEquals(expected, task.shown(), "seed " + seed);
            Map<String, byte[]> puts = new TreeMap<>();
            for (int i = 0; i < 5; i++) {
                byte[] value = new byte[random.nextInt(400)];
                random.nextBytes(value);
                puts.put("d\0shop\0t" + random.nextInt(20), value);
            }
            String gone = "d\0shop\0t" + random.nextInt(20);
            puts.forEach((key, value) -> expected.put(key, Arrays.toString(value)));
            expected.remove(gone);
            task.journal(journal -> {
                puts.forEach(journal::put);
                journal.remove(gone);
                return null;
            });
            dumper.awaitDurable(turn + 1);
            dumper.close();
            if (random.nextBoolean()) {
                task.close();
                task = new Task();
            }
            task.collector = null;
            dumper = new DumperNode(task);
        }
        assertEquals(expected, task.shown(), "seed " + seed);
        dumper.close();
        task.close();
    }
}
