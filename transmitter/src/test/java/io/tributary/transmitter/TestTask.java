package io.tributary.transmitter;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Chunk;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.store.JournalMap;
import io.tributary.testkit.WakeupOnly;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** A Task whose pipeline makes chunks from their numbers. */
final class TestTask implements StreamSource {
    private final LongFunction<Chunk> maker;
    private final long last;
    private final AtomicLong made = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();
    private volatile Dumper newest;
    private volatile long newestEpoch;
    private volatile boolean isUnreachable;
    private final List<Optional<Cut>> opened = new CopyOnWriteArrayList<>();
    private final List<List<Journal>> journals = new CopyOnWriteArrayList<>();

    /** @param maker makes the chunk for 1, 2 and so on to {@code last}; null fails the pipeline */
    TestTask(long last, LongFunction<Chunk> maker) {
        this.last = last;
        this.maker = maker;
    }

    /** Sets the newest epoch that it knows from now on. */
    TestTask knowing(long epoch) {
        newestEpoch = epoch;
        return this;
    }

    /** Sets whether it cannot read the newest epoch from now on. */
    void unreachable(boolean is) {
        isUnreachable = is;
    }

    @Override
    public long newestEpoch() {
        if (isUnreachable) {
            throw new TributaryException(ErrorCode.CLUSTER_UNREACHABLE, "expected an answer of a test");
        }
        return newestEpoch;
    }

    List<Optional<Cut>> opened() {
        return opened;
    }

    /** The cut that the Dumper of the newest stream has reported as durable. */
    long durableCut() {
        return newest.durableCut();
    }

    /** The journal that the Dumper of each stream has sent. */
    List<List<Journal>> journals() {
        return journals;
    }

    private static List<Journal> recordsOf(JournalMap journal) {
        List<Journal> records = new ArrayList<>();
        journal.snapshot().forEachRemaining(records::add);
        return records;
    }

    int running() {
        return running.get();
    }

    long made() {
        return made.get();
    }

    @Override
    public Running open(Optional<Cut> resume, JournalMap journal, Outlet<Chunk> sink, Stage sender, Dumper dumper) {
        newest = dumper;
        opened.add(resume);
        journals.add(List.copyOf(recordsOf(journal)));
        running.incrementAndGet();
        StageRunner runner = new StageRunner((stage, cause) -> dumper.failed(
                cause instanceof TributaryException known
                        ? known
                        : new TributaryException(ErrorCode.INTERNAL, stage.name() + ": " + cause, cause)));
        runner.onOwnThread(new Maker(sink)).onOwnThread(new WakeupOnly(sender)).start();
        return () -> {
            runner.close();
            running.decrementAndGet();
        };
    }

    private final class Maker implements Stage {
        private final Outlet<Chunk> sink;
        private long number;

        Maker(Outlet<Chunk> sink) {
            this.sink = sink;
        }

        @Override
        public String name() {
            return "make";
        }

        @Override
        public int doWork() {
            if (number == last || !sink.hasRoom()) {
                return 0;
            }
            Chunk chunk = maker.apply(++number);
            if (chunk == null) {
                throw new TributaryException(ErrorCode.SHARD_UNREACHABLE, "shard s1 at 127.0.0.1:1 does not answer");
            }
            made.incrementAndGet();
            sink.put(chunk);
            return 1;
        }

        @Override
        public void close() {}
    }
}
