package io.tributary.serve.select;

import io.netty.channel.EventLoop;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.sql.SqlRefusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a session has seen by SELECTs on tables: its questions for the position of the binlog wait until the binlog contains it. Watermark
 * readers, which compare the rows of a SELECT with the binlog between two positions, depend on it. Any thread.
 */
final class ReadBarrier {
    private static final int POLL_MILLIS = 20;

    private final StreamProgress progress;
    private final Clock clock;
    private Map<String, GtidSet> seen = Map.of(); // guarded by this

    ReadBarrier(StreamProgress progress, Clock clock) {
        this.progress = progress;
        this.clock = clock;
    }

    /** Adds what a SELECT may have seen, by shard. */
    synchronized void add(Map<String, GtidSet> more) {
        Map<String, GtidSet> all = new HashMap<>(seen);
        more.forEach((shard, set) -> all.merge(shard, set, GtidSet::union));
        seen = Map.copyOf(all);
    }

    synchronized boolean isOpen() {
        return seen.isEmpty();
    }

    /** What is still missing; a shard that is no longer in the cut sends nothing more. */
    private synchronized Map<String, GtidSet> missing(Cut cut) {
        Map<String, GtidSet> missing = new TreeMap<>();
        for (Cut.ShardCut shard : cut.shards()) {
            GtidSet rest = seen.getOrDefault(shard.name(), GtidSet.EMPTY).minus(shard.frontier());
            if (!rest.isEmpty()) {
                missing.put(shard.name(), rest);
            }
        }
        seen = Map.copyOf(missing);
        return missing;
    }

    /**
     * Completes when the readable binlog contains everything; fails with {@link SqlRefusal} if it does not within the limit. When it is cancelled,
     * the binlog is not looked at any more.
     */
    CompletableFuture<Void> await(EventLoop loop, Duration limit) {
        CompletableFuture<Void> passed = new CompletableFuture<>();
        poll(passed, loop, clock.nanoTime() + limit.toNanos());
        return passed;
    }

    private void poll(CompletableFuture<Void> passed, EventLoop loop, long deadline) {
        if (passed.isDone()) {
            return;
        }
        var unused = progress.newestCut()
                .whenCompleteAsync(
                        (cut, failure) -> {
                            if (failure != null) {
                                passed.completeExceptionally(failure);
                            } else {
                                check(cut, passed, loop, deadline);
                            }
                        },
                        loop);
    }

    private void check(Optional<Cut> cut, CompletableFuture<Void> passed, EventLoop loop, long deadline) {
        if (passed.isDone()) {
            return;
        }
        Map<String, GtidSet> missing = cut.isPresent() ? missing(cut.get()) : Map.of();
        if (cut.isPresent() && missing.isEmpty()) {
            passed.complete(null);
        } else if (clock.nanoTime() - deadline > 0) {
            passed.completeExceptionally(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "expected within serve.select.timeout that the binlog contains what this session has read by SELECT,"
                            + " found that it lacks transactions of shards " + missing.keySet()));
        } else {
            var unused = loop.schedule(() -> poll(passed, loop, deadline), POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
