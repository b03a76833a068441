package io.tributary.dumper.write;

import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.FailPoint;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Chunk;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.Recovered;
import java.util.ArrayList;
import java.util.List;

/** The stages that write the binlog, joined by their ring. Made once for a recovered folder; ended by a failure, never restarted. */
public final class BinlogPipeline implements AutoCloseable {
    private static final int WAITING = 2;

    private final BlockRing ring;
    private final Inlet<Chunk> inlet;
    private final BinlogWriter writer;
    private final List<Stage> stages = new ArrayList<>();

    /** @param inlet chunks, numbered from 1; what comes out of it is released here */
    public BinlogPipeline(BinlogStart start, Inlet<Chunk> inlet, Metrics metrics) {
        BinlogConfig config = start.config();
        BinlogDirectory directory = start.directory();
        Recovered recovered = start.recovered();
        Clock clock = start.clock();
        FailPoint failPoint = start.failPoint();
        this.inlet = inlet;
        this.ring = new BlockRing(config.patchWorkers(), config.ringMemory().bytes());
        stages.add(new BlockLayout(inlet, ring, new FilePlan(config, directory, recovered, clock)));
        for (int i = 0; i < config.patchWorkers(); i++) {
            stages.add(new BlockPatcher(ring, i, directory.serverUuid(), config.serverId()));
        }
        WrittenEnd written = new WrittenEnd();
        this.writer = new BinlogWriter(
                ring, recovered.files(), config, start.opener(), written, start.lease(), metrics, failPoint);
        stages.add(writer);
        stages.add(new BinlogSyncer(written, recovered.files(), config, metrics, clock, failPoint));
    }

    /** Layout, patchers, writer, syncer, in the order of the bytes: each may have its own thread, or several one, or all one. */
    public List<Stage> stages() {
        return List.copyOf(stages);
    }

    /** Those of {@link #stages()} that mostly compute. */
    public List<Stage> computing() {
        return List.copyOf(stages.subList(0, stages.size() - WAITING));
    }

    /** The others, which wait for the disk: the writer and the syncer, each for itself. */
    public List<Stage> waiting() {
        return List.copyOf(stages.subList(stages.size() - WAITING, stages.size()));
    }

    /** Closes the file and releases the chunks that were not written; only after all stages' threads have ended. */
    @Override
    public void close() {
        writer.closeFile();
        ring.releaseAll();
        inlet.drain(Chunk::release);
    }
}
