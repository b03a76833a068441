package io.tributary.binlog.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.BinlogSettings;
import io.tributary.binlog.ManualClock;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.TaskStream;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.cluster.Lease;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.testkit.WakeupOnly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A Dumper on one thread: it is recovered, gets chunks, and runs until it has no more work. */
public final class Dumper implements AutoCloseable {
    public final ManualClock clock = new ManualClock();
    public final BinlogDirectory directory;
    public final Recovered recovered;
    private final Link<Chunk> link = new Link<>("chunks", 1 << 16, clock);
    private final Metrics metrics = new Metrics();
    private final BinlogPipeline pipeline;

    public Dumper(BinlogSettings settings) {
        this(settings, FailPoint.NONE, FileOpener.SYSTEM);
    }

    /**
     * Four files of 100 transactions each, and an empty one.
     *
     * @param apart the clock advances by this after each file
     */
    public static Dumper ofFiveFiles(Path folder, Duration apart) throws Exception {
        Dumper dumper = new Dumper(BinlogSettings.in(folder).fileSize(1024));
        TaskStream task = new TaskStream(1, Optional.empty());
        for (int i = 0; i < 4; i++) {
            dumper.put(task.batch(100));
            dumper.put(task.cut());
            dumper.clock.advanceMillis(apart.toMillis());
            dumper.run();
        }
        assertEquals(5, dumper.files().list().size());
        return dumper;
    }

    public Dumper(BinlogSettings settings, FailPoint failPoint, FileOpener opener) {
        BinlogConfig config = settings.config();
        directory = BinlogDirectory.open(config, clock);
        recovered = Recovery.run(directory, config, clock);
        pipeline = new BinlogPipeline(
                new BinlogStart(new BinlogDisk(directory, config, opener, clock), recovered, Lease.FOREVER, failPoint),
                link,
                metrics);
    }

    public BinlogFiles files() {
        return recovered.files();
    }

    public void put(Chunk chunk) {
        link.put(chunk);
    }

    public void put(List<Chunk> chunks) {
        chunks.forEach(link::put);
    }

    public void run() throws Exception {
        int done = 1;
        while (done > 0) {
            done = 0;
            for (Stage stage : pipeline.stages()) {
                done += stage.doWork();
            }
        }
    }

    /** Runs each stage on its own thread, which sleeps until it is woken up; the runner closes the stages. */
    void start(StageRunner runner) {
        WakeupOnly.all(pipeline.stages()).forEach(runner::onOwnThread);
        runner.start();
    }

    /** One call of one stage, in a random order as threads may do it. */
    void step(Random random) throws Exception {
        List<Stage> stages = pipeline.stages();
        stages.get(random.nextInt(stages.size())).doWork();
    }

    long diskNanos() {
        return pipeline.diskNanos();
    }

    public String metrics() {
        return metrics.scrape();
    }

    @Override
    public void close() {
        pipeline.stages().forEach(Stage::close);
        pipeline.close();
        directory.close();
        metrics.close();
    }
}
