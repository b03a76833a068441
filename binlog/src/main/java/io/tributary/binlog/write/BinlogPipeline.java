package io.tributary.binlog.write;

import io.tributary.binlog.CommitTimes;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.SlotRing;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import java.util.ArrayList;
import java.util.List;

/** The stages that write the binlog, joined by their ring. Created once for a recovered folder; a failure ends it, it is never restarted. */
public final class BinlogPipeline implements AutoCloseable {
    private static final int WAITING = 2;
    private static final int BLOCKS = 256;

    private final BlockRing blocks;
    private final Inlet<Chunk> inlet;
    private final BinlogWriter writer;
    private final DiskStallMonitor writing;
    private final DiskStallMonitor forcing;
    private final List<Stage> stages = new ArrayList<>();

    /**
     * Creates the stages.
     *
     * @param inlet chunks, numbered from 1; the pipeline releases those that it polls
     */
    public BinlogPipeline(BinlogStart start, Inlet<Chunk> inlet, Metrics metrics) {
        BinlogDisk disk = start.disk();
        BinlogConfig config = disk.config();
        BinlogDirectory directory = disk.directory();
        this.inlet = inlet;
        SlotRing<Block> ring = new SlotRing<>(Block::new, BLOCKS, config.patchWorkers());
        this.blocks = new BlockRing(ring, config.ringMemory().bytes());
        stages.add(new BlockLayout(inlet, blocks, new FileLayout(config, directory, start.recovered(), disk.clock())));
        for (int i = 0; i < config.patchWorkers(); i++) {
            stages.add(new BlockPatcher(ring, i, directory.serverUuid(), config.serverId()));
        }
        start.files().measure(new CommitTimes(disk.clock(), metrics));
        SyncQueue written = new SyncQueue();
        this.writing = new DiskStallMonitor(disk.clock());
        this.forcing = new DiskStallMonitor(disk.clock());
        this.writer = new BinlogWriter(start, ring, written, writing, metrics);
        stages.add(writer);
        stages.add(new BinlogSyncer(start, written, forcing, metrics));
    }

    /** How long the disk has not answered the oldest call in progress, ns; 0 when no call is in progress. Any thread. */
    public long diskNanos() {
        return Math.max(writing.nanos(), forcing.nanos());
    }

    /** Layout, patchers, writer and syncer, in the order in which the bytes pass them. Each may have its own thread; several or all may share one. */
    public List<Stage> stages() {
        return List.copyOf(stages);
    }

    /** The stages of {@link #stages()} that mostly compute. */
    public List<Stage> computing() {
        return List.copyOf(stages.subList(0, stages.size() - WAITING));
    }

    /** The other stages, which wait for the disk: the writer and the syncer. Each needs its own thread. */
    public List<Stage> waiting() {
        return List.copyOf(stages.subList(stages.size() - WAITING, stages.size()));
    }

    /** Closes the file and releases the chunks that were not written. Call it only after the threads of all stages have ended. */
    @Override
    public void close() {
        writer.closeFile();
        blocks.releaseAll();
        inlet.drain(Chunk::release);
    }
}
