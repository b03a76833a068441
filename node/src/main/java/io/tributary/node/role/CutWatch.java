package io.tributary.node.role;

import io.tributary.common.metric.Count;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Looks at the cuts on their way to the writer, to tell the newest one whose transactions are all durable. What it knows is
 * for people and tests; recovery reads the files.
 */
final class CutWatch implements Inlet<Chunk> {
    private final Inlet<Chunk> inlet;
    private final Queue<Cut> onTheirWay = new ConcurrentLinkedQueue<>();
    private final Count taken = new Count();
    private volatile Optional<Cut> durable;

    /** @param durable the cut from which the pipeline goes on */
    CutWatch(Inlet<Chunk> inlet, Optional<Cut> durable) {
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
            taken.add(1);
        }
        if (chunk instanceof Chunk.CutMark mark) {
            onTheirWay.add(mark.cut());
        }
        return chunk;
    }

    /** All transactions up to this one are durable. Any thread: the syncer, the writer at a new file and whoever counts acknowledgements. */
    synchronized void durableUpTo(long gno) {
        for (Cut cut = onTheirWay.peek(); cut != null && cut.transactions() <= gno; cut = onTheirWay.peek()) {
            durable = Optional.of(cut);
            onTheirWay.remove();
        }
    }

    /** How many chunks have gone through; any thread. */
    long taken() {
        return taken.value();
    }

    /** The newest durable cut, empty for a new stream; any thread. */
    Optional<Cut> durable() {
        return durable;
    }
}
