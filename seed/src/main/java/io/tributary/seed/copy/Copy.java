package io.tributary.seed.copy;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.RateLimiter;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.seed.folder.DumpFolder;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.ShardTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Copies the rows of tables with a row key into a target that has the tables. Each chunk is read at its own moment: the copy is right after the
 * replay of the events since before the first chunk. A copy that was ended in any way continues after the last committed statement of each part.
 */
public final class Copy {
    /** From this length on a file with rows ends. */
    private static final long FILE_BYTES = 64 << 20;

    private final MysqlClient client;
    private final Supplier<CopyTarget> targets;
    private final CopyConfig config;
    private final Clock clock;
    private final ExecutorService threads;

    /**
     * Creates a copy.
     *
     * @param target opens the sessions that write
     * @param threads with at least {@link CopyConfig#workers} threads; not owned
     */
    public Copy(MysqlClient client, TargetWriters target, CopyConfig config, Clock clock, ExecutorService threads) {
        this(client, config, clock, threads, servers(target, config, clock));
    }

    private Copy(
            MysqlClient client, CopyConfig config, Clock clock, ExecutorService threads, Supplier<CopyTarget> targets) {
        this.client = client;
        this.config = config;
        this.clock = clock;
        this.threads = threads;
        this.targets = targets;
    }

    private static Supplier<CopyTarget> servers(TargetWriters target, CopyConfig config, Clock clock) {
        TargetSession.Limits limits = new TargetSession.Limits(rate(config, clock));
        return () -> new ServerTarget(TargetSession.open(target, config, limits));
    }

    /**
     * The same into files. After a failure, tables of which not all members were finished must be forgotten.
     *
     * @param longest is raised to the bytes of the longest statement in the files
     */
    public static Copy toFiles(
            MysqlClient client, DumpFolder folder, CopyConfig config, ExecutorService threads, AtomicLong longest) {
        FolderTarget.FileLimits limits =
                new FolderTarget.FileLimits(config.statementBytes(), FILE_BYTES, rate(config, Clock.SYSTEM), longest);
        return new Copy(client, config, Clock.SYSTEM, threads, () -> new FolderTarget(folder, limits));
    }

    private static RateLimiter rate(CopyConfig config, Clock clock) {
        RateLimiter rate = new RateLimiter(clock);
        rate.rate(config.bytesPerSecond());
        return rate;
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
        prepare(target -> {});
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
            for (ShardTable member : table.members()) {
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

    /** What a worker writes into, within the limits of this copy. */
    CopyTarget openTarget() {
        return targets.get();
    }

    /** Forgets what was copied of a table, so that it is copied from its first row again; its rows stay on the target. */
    public void forget(TableName table) {
        prepare(target -> target.forget(table));
    }

    private void prepare(Consumer<CopyTarget> then) {
        try (CopyTarget target = openTarget()) {
            target.prepare();
            then.accept(target);
        }
    }
}
