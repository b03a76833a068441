package io.tributary.seed.copy;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.seed.session.TargetWriters;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Copies the rows of tables with a row key into a target that has the tables. Each chunk is read at its own moment: the copy is right after the
 * replay of the events since before the first chunk. A copy that was ended in any way continues after the last committed statement of each part.
 */
public final class Copy {
    private final MysqlClient client;
    private final TargetWriters target;
    private final CopyConfig config;
    private final Clock clock;
    private final TargetSession.Limits limits;
    private final ExecutorService threads;

    /**
     * Creates a copy.
     *
     * @param target opens the sessions that write
     * @param threads with at least {@link CopyConfig#workers} threads; not owned
     */
    public Copy(MysqlClient client, TargetWriters target, CopyConfig config, Clock clock, ExecutorService threads) {
        this.client = client;
        this.target = target;
        this.config = config;
        this.clock = clock;
        this.threads = threads;
        RateLimiter rate = new RateLimiter(clock);
        rate.rate(config.bytesPerSecond());
        this.limits = new TargetSession.Limits(rate);
    }

    /**
     * Copies what is not copied yet; blocks until everything is committed. An interrupt ends it. After any failure the same call resumes.
     *
     * @param tables each with a row key: see {@link SnapshotCopy} for others
     * @throws TributaryException the first failure of a worker: SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED, SQL_FAILED if a shard refuses a
     *     statement (the table was changed or dropped there), TARGET_UNREACHABLE, TARGET_LOGIN_REFUSED, TARGET_FAILED, TARGET_UNFIT if a
     *     row is too long for the target, SEED_FAILED if the target would change a value
     * @throws CancellationException after an interrupt
     */
    public void copy(List<LogicalTable> tables, CopyListener listener) {
        prepare(session -> {});
        CopyQueue queue = new CopyQueue(config.perShard(), listener, work(tables, listener));
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < config.workers(); i++) {
            workers.add(threads.submit(() -> work(queue)));
        }
        try {
            for (Future<?> worker : workers) {
                var unused = worker.get();
            }
        } catch (InterruptedException e) {
            stop(queue, workers);
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while it waited for the copy");
        } catch (ExecutionException e) {
            stop(queue, workers);
            throw new TributaryException(
                    ErrorCode.INTERNAL, "a worker of the copy failed: " + e.getCause(), e.getCause());
        }
        queue.requireNoFailure();
    }

    private static void stop(CopyQueue queue, List<Future<?>> workers) {
        queue.stop(new CancellationException("the copy was ended"));
        workers.forEach(worker -> worker.cancel(true));
        try {
            queue.awaitWorkers();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<CopyWork> work(List<LogicalTable> tables, CopyListener listener) {
        List<CopyWork> all = new ArrayList<>();
        for (LogicalTable table : tables) {
            if (table.key().isEmpty()) {
                throw new IllegalArgumentException("expected a table with a row key, found " + table.name());
            }
            CopyPlan plan = CopyPlan.of(table);
            AtomicInteger open = new AtomicInteger(table.members().size());
            for (TableMember member : table.members()) {
                all.add(new CopyWork(plan, open, member, Optional.empty(), 0));
            }
            if (table.members().isEmpty()) {
                listener.finished(table.name());
            }
        }
        return all;
    }

    private void work(CopyQueue queue) {
        boolean isDone = false;
        queue.enter();
        try (CopyWorker worker = new CopyWorker(client, config, openTarget(), queue)) {
            worker.run();
            isDone = true;
        } catch (RuntimeException e) { // decided by the caller of copy()
            queue.stop(e);
        } finally {
            if (!isDone) {
                queue.stop(new TributaryException(ErrorCode.INTERNAL, "a worker of the copy has ended"));
            }
            queue.leave();
        }
    }

    Clock clock() {
        return clock;
    }

    /** A session that writes rows within the limits of this copy. */
    TargetSession openTarget() {
        return TargetSession.open(target, config, limits);
    }

    /** Forgets what was copied of a table, so that it is copied from its first row again; its rows stay on the target. */
    public void forget(TableName table) {
        prepare(session -> ChunkLog.forget(session, table));
    }

    private void prepare(Consumer<TargetSession> then) {
        try (TargetSession session = openTarget()) {
            ChunkLog.create(session.session());
            then.accept(session);
        }
    }
}
