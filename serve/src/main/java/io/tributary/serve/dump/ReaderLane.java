package io.tributary.serve.dump;

import io.netty.util.concurrent.EventExecutor;
import io.tributary.common.metric.Count;
import io.tributary.common.metric.Histogram;
import io.tributary.mysql.protocol.server.SharedFrames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The readers of one event loop. They share the block into which files are read, and one wake-up when the durable end has moved: the
 * writer's cost does not grow with the number of readers. Everything except {@link #wake()} runs on the loop.
 */
public final class ReaderLane {
    private final EventExecutor loop;
    private final ReadBlock block = new ReadBlock();
    private final SharedFrames frames = new SharedFrames();
    private final Set<DumpSession> all = new LinkedHashSet<>();
    private final Set<DumpSession> waiting = new LinkedHashSet<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Count readers = new Count();
    private final Count bytes = new Count();
    private final Count waitingBytes = new Count();
    private final Histogram turns = Histogram.ofNanos();

    public ReaderLane(EventExecutor loop) {
        this.loop = loop;
    }

    public EventExecutor loop() {
        return loop;
    }

    /** The shared block. A reader may use its content until it returns to the loop. */
    ReadBlock block() {
        return block;
    }

    /** The frames that readers have made from the block, for the other readers. */
    SharedFrames frames() {
        return frames;
    }

    /** Whether the loop has several readers. */
    boolean isShared() {
        return all.size() > 1;
    }

    /** Notifies that waiting readers may continue: the durable end has moved, or a file has arrived; any thread, returns at once. */
    public void wake() {
        if (woken.compareAndSet(false, true)) {
            try {
                loop.execute(this::pumpWaiting);
            } catch (RejectedExecutionException e) {
                woken.set(true); // the loop is shutting down, and its readers with it
            }
        }
    }

    private void pumpWaiting() {
        woken.set(false);
        if (waiting.isEmpty()) {
            return;
        }
        List<DumpSession> now = new ArrayList<>(waiting);
        waiting.clear();
        now.forEach(DumpSession::pump);
    }

    /** Registers a reader that has everything; it is pumped when there is more. */
    void await(DumpSession reader) {
        waiting.add(reader);
    }

    void joined(DumpSession reader) {
        all.add(reader);
        readers.set(all.size());
    }

    void left(DumpSession reader) {
        waiting.remove(reader);
        all.remove(reader);
        if (all.isEmpty()) {
            frames.close();
        }
        readers.set(all.size());
    }

    /** Checks for readers that receive nothing; must be called periodically, on the loop. */
    public void watch() {
        long sum = 0;
        for (DumpSession reader : List.copyOf(all)) {
            sum += reader.watch();
        }
        waitingBytes.set(sum);
    }

    void sent(long count) {
        bytes.add(count);
    }

    /** Records the duration of a turn of a reader, ns. */
    void took(long nanos) {
        turns.record(nanos);
    }

    /** Durations of the turns in which something was sent to a reader. */
    public Histogram turns() {
        return turns;
    }

    public long readers() {
        return readers.value();
    }

    public long bytes() {
        return bytes.value();
    }

    /** Bytes that wait to be sent, as of the last {@link #watch()}. */
    public long waitingBytes() {
        return waitingBytes.value();
    }
}
