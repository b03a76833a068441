package io.tributary.node.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.CollectorConfig;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderConfig;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.rounds.HeartbeatConfig;
import io.tributary.node.admin.ShardRequests.Progress;
import io.tributary.node.dumper.ChunkLink;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.process.PipelineConfig;
import io.tributary.node.process.StopSignal;
import io.tributary.node.process.ThreadPlan;
import io.tributary.store.JournalMap;
import io.tributary.store.StoreConfig;
import io.tributary.testkit.Await;
import io.tributary.transmitter.TransmitConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of changes of shards that a relay reads: the shards of the next pipeline decide. The shards and the relay do not answer. */
class ShardCommandsTest {
    private static final List<String> SHARDS = List.of("s1", "s2", "s3");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String DONE = "shard s3 is read";

    private final HandClock clock = new HandClock();
    private final ShardClient client = new ShardClient();
    private final List<TaskPipeline> pipelines = new ArrayList<>();
    private final List<TributaryException> failures = new CopyOnWriteArrayList<>(); // reported by stages

    @TempDir
    private Path folder;

    private static final class HandClock implements Clock {
        private volatile long aheadNanos;

        @Override
        public long nanoTime() {
            return Clock.SYSTEM.nanoTime() + aheadNanos;
        }

        @Override
        public long epochMicros() {
            return Clock.SYSTEM.epochMicros();
        }
    }

    private Config config() {
        List<String> lines = new ArrayList<>(List.of(
                "store.directory = " + folder.resolve("store" + pipelines.size()),
                "relay.r.address = 127.0.0.1:1",
                "relay.r.shards = s2,s3"));
        for (String shard : SHARDS) {
            lines.add("shard." + shard + ".host = 127.0.0.1");
            lines.add("shard." + shard + ".port = 1");
            lines.add("shard." + shard + ".user = u");
            lines.add("shard." + shard + ".password = p");
        }
        return new ConfigReader(List.of(
                        ExtractorConfig.class,
                        RelaysConfig.class,
                        TransmitConfig.class,
                        ClusterConfig.class,
                        HeartbeatConfig.class,
                        OrderConfig.class,
                        StoreConfig.class,
                        CollectorConfig.class,
                        PipelineConfig.class,
                        OriginConfig.class))
                .read("test", lines, Map.of());
    }

    private TaskPipeline pipeline(String... shards) {
        return pipeline(TaskSettings.of(config()), shards);
    }

    private TaskPipeline pipeline(TaskSettings settings, String... shards) {
        List<Cut.ShardCut> cuts = new ArrayList<>();
        for (String shard : shards) {
            cuts.add(Cut.ShardCut.unread(shard, "", GtidSet.EMPTY, GtidSet.EMPTY));
        }
        Link<Chunk> sink = ChunkLink.of(1 << 20, new Metrics(), clock);
        TaskPipeline pipeline = TaskPipeline.start(
                settings,
                new PipelineEnvironment(new UUID(1, 2), new UUID(1, 2), client.client(), new Metrics(), clock),
                new PipelineStart(
                        new StartCut.Found(
                                new Cut(
                                        1,
                                        7,
                                        new Cut.Sources(cuts, Set.of()),
                                        new Cut.OutputPoint(0, 0, 0),
                                        new Cut.SchemaPoint(SchemaState.NONE, 0)),
                                "8.0.31",
                                TaskSettings.of(config()).extract()),
                        JournalMap.onHeap()),
                new ChunkSink(sink, new ThreadPlan(ThreadPlan.Policy.SHARED, 1), failures::add));
        pipelines.add(pipeline);
        return pipeline;
    }

    private ShardCommands commands(TaskPipeline first) {
        ShardCommands commands =
                new ShardCommands(new ConfigSource(config(), this::config), new StopSignal(), clock, client);
        commands.pipelineStarted(first, () -> 7);
        return commands;
    }

    @AfterEach
    void end() {
        pipelines.forEach(TaskPipeline::close);
        client.close();
    }

    private void assertEnds(Progress progress, String part, ShardCommands commands) {
        assertEquals(progress, commands.state().progress(), commands.state().message());
        assertTrue(commands.state().message().contains(part), commands.state().message());
    }

    /** No process listens at the address of the relay. */
    @Test
    void aLostRelayBreaksTheStreamUnlessItWasFoundAmongTheMembers() {
        pipeline("s1", "s2");
        Await.until("the pipeline to fail", LIMIT, () -> !failures.isEmpty());
        assertEquals(ErrorCode.STREAM_BROKEN, failures.get(0).code());

        failures.clear();
        TaskSettings other = TaskSettings.of(config()); // another store
        TaskSettings found = other.with(other.extract(), new RelaysConfig(Map.of()), other.relays());
        pipeline(found, "s1", "s2");
        Await.until("the pipeline to fail", LIMIT, () -> !failures.isEmpty());
        assertEquals(ErrorCode.STREAM_RENEWED, failures.get(0).code());
        assertTrue(failures.get(0).line().contains("relay r"), failures.get(0).line());
    }

    @Test
    void aChangeIsDoneWhenTheNextPipelineReadsTheNewShards() {
        TaskPipeline first = pipeline("s1", "s2");
        ShardCommands commands = commands(first);
        commands.renew("relay r reads shard s3 from now on", first, "s3", true, DONE);
        assertFalse(first.isRunning());
        assertTrue(failures.stream()
                .anyMatch(each -> each.code() == ErrorCode.STREAM_RENEWED || each.code() == ErrorCode.STREAM_BROKEN));
        assertEnds(Progress.RUNNING, "waits until the streams are opened again", commands);
        commands.pipelineStarted(pipeline("s1", "s2", "s3"), () -> 7);
        assertEnds(Progress.DONE, DONE, commands);
    }

    @Test
    void aChangeThatIsNotInTheCutOfTheNextPipelineFails() {
        TaskPipeline first = pipeline("s1", "s2");
        ShardCommands commands = commands(first);
        commands.renew("relay r reads shard s3 from now on", first, "s3", true, DONE);
        commands.pipelineStarted(pipeline("s1", "s2"), () -> 6);
        assertEnds(
                Progress.FAILED,
                "expected shard s3 to be read, found no change: the Dumper had not written the change",
                commands);

        TaskPipeline second = pipeline("s1", "s2", "s3");
        commands.pipelineStarted(second, () -> 7);
        commands.renew("no relay reads shard s3 any more", second, "s3", false, "gone");
        commands.pipelineStarted(pipeline("s1", "s2", "s3"), () -> 7);
        assertEnds(Progress.FAILED, "expected shard s3 not to be read, found no change: ", commands);
    }

    @Test
    void theNextPipelineMayRunBeforeTheChangeIsAwaited() {
        TaskPipeline first = pipeline("s1", "s2");
        ShardCommands commands = commands(first);
        commands.pipelineStarted(pipeline("s1", "s2", "s3"), () -> 7);
        commands.renew("relay r reads shard s3 from now on", first, "s3", true, DONE);
        assertEnds(Progress.DONE, DONE, commands);
    }

    @Test
    void aChangeFailsWhenNoStreamIsOpenedForAMinute() {
        TaskPipeline first = pipeline("s1", "s2");
        ShardCommands commands = commands(first);
        commands.renew("relay r reads shard s3 from now on", first, "s3", true, DONE);
        clock.aheadNanos = Duration.ofSeconds(59).toNanos();
        assertEnds(Progress.RUNNING, "waits until the streams are opened again", commands);
        clock.aheadNanos = Duration.ofSeconds(61).toNanos();
        assertEnds(Progress.FAILED, "expected the streams to be opened again within 60 s", commands);
        commands.pipelineStarted(pipeline("s1", "s2", "s3"), () -> 7);
        assertEnds(Progress.FAILED, "found that they are not", commands);
    }
}
