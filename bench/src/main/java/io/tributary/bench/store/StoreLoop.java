package io.tributary.bench.store;

import io.tributary.bench.stage.Settings;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import io.tributary.common.value.Payload;
import io.tributary.mysql.event.EventHeader;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.store.StoreConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Writes transactions of 4 events of 163 bytes to a store, and then reads all of them. */
public final class StoreLoop {
    private static final int EVENTS = 4;
    private static final int EVENT = 163;
    private static final int HEAD = 25;
    private static final int OUT = 1 << 20;
    private static final long PAUSE_NANOS = 50_000;
    private static final double MIB = 1 << 20;

    private final StoreConfig config;
    private final int transactions;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD);
    private final ByteBuffer rest = ByteBuffer.allocateDirect(EVENT - HEAD);
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * The result of a run.
     *
     * @param in MiB/s written
     * @param out MiB/s read
     * @param readShare share of the bytes that were read from disk
     */
    public record Outcome(double in, double out, double readShare) {}

    /**
     * @param folder folder of the spill disk
     * @param mode memory or disk
     * @param mib MiB of a run
     * @param memory memory of the store, such as {@code 256MiB}
     */
    public StoreLoop(Path folder, String mode, int mib, String memory) {
        this.config = Settings.of(
                StoreConfig.class,
                Map.of("store.directory", folder.toString(), "store.mode", mode, "store.memory", memory));
        this.transactions = (int) (mib * MIB / (EVENTS * EVENT));
        EventHeader.setSize(head, 0, EVENT);
    }

    public Outcome run() {
        try (PayloadStore store = new PayloadStore(config, new Metrics());
                StageRunner runner = new StageRunner((stage, cause) -> failure.set(cause))) {
            store.mover().ifPresent(runner::onOwnThread);
            runner.start();
            List<Payload> held = new ArrayList<>(transactions);
            long begin = Clock.SYSTEM.nanoTime();
            try (PayloadAppender appender = store.appender("bench")) {
                for (int i = 0; i < transactions; i++) {
                    held.add(append(appender));
                }
            }
            long middle = Clock.SYSTEM.nanoTime();
            long bytes = 0;
            for (Payload payload : held) {
                bytes += take(payload);
            }
            long end = Clock.SYSTEM.nanoTime();
            return new Outcome(
                    bytes / MIB / ((middle - begin) / 1e9),
                    bytes / MIB / ((end - middle) / 1e9),
                    (double) store.readBytes() / bytes);
        }
    }

    private Payload append(PayloadAppender appender) {
        while (!appender.hasRoom()) {
            if (failure.get() != null) {
                throw new IllegalStateException(failure.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        for (int event = 0; event < EVENTS; event++) {
            appender.beginEvent(head, 0, HEAD);
            appender.append(rest, 0, EVENT - HEAD);
        }
        return appender.finish();
    }

    /** Copies a payload as the encoding of transactions does, and releases it. */
    private long take(Payload payload) {
        ByteBuffer view = payload.contiguousView();
        if (view == null) {
            throw new IllegalStateException("expected a small payload in one part");
        }
        out.put(0, view, view.position(), view.remaining());
        payload.release();
        return payload.length();
    }
}
