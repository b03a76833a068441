package io.tributary.node.process;

import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Inlet of the writer that records the cuts that pass, to find the newest one whose transactions are all durable. For the status and for tests
 * only; recovery reads the files.
 */
public final class CutWatch implements Inlet<Chunk> {
    private final Inlet<Chunk> inlet;
    private final Queue<Cut> pending = new ConcurrentLinkedQueue<>();
    private final Count passed = new Count();
    private volatile Optional<Cut> durable;

    /** @param durable the cut from which the pipeline continues */
    public CutWatch(Inlet<Chunk> inlet, Optional<Cut> durable) {
        this.inlet = inlet;
        this.durable = durable;
    }

    @Override
    public Chunk peek() {
        return inlet.peek();
    }

    @Override
    public Chunk poll() {
        Chunk chunk = inlet.poll();
        if (chunk != null) {
            passed.add(1);
        }
        if (chunk instanceof Chunk.CutMark mark) {
            pending.add(mark.cut());
        }
        return chunk;
    }

    /** All transactions up to this one are durable. Any thread: the syncer, the writer at a new file, and the counter of acknowledgements. */
    public synchronized void durableUpTo(long gno) {
        for (Cut cut = pending.peek(); cut != null && cut.transactions() <= gno; cut = pending.peek()) {
            durable = Optional.of(cut);
            pending.remove();
        }
    }

    /** Number of chunks that have passed; any thread. */
    public long passed() {
        return passed.value();
    }

    /** The newest durable cut, empty for a new stream; any thread. */
    public Optional<Cut> durable() {
        return durable;
    }
}
