package io.tributary.serve.select;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.SessionMemoryException;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The execution of one SELECT. On the event loop of its session. */
final class SelectRun implements RowTransfer.Listener {
    private static final int WATCH_MILLIS = 100;
    private static final long YIELD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Session session;
    private final SelectShards shards;
    private final Watched watched;
    private final EventLoop loop;
    private final MemberSearch search;
    private final SelectMemory memory;
    private final RowTransfer transfer;
    private final List<ScheduledFuture<?>> timers = new ArrayList<>();
    private boolean isFound;
    private boolean isReading;
    private volatile boolean lacksMemory;
    private boolean hasEnded;
    private long movedNanos;
    private long othersNanos; // when a younger SELECT lacked memory, too

    /**
     * What a SELECT is watched with.
     *
     * @param progress of the binlog
     */
    record Watched(StreamProgress progress, Clock clock, Ending ending) {}

    /** Called at the end, the first two methods once. */
    interface Ending {
        /**
         * Called before the last packet is sent.
         *
         * @param seen by shard, the GTIDs that the client may have seen; empty after a failure
         */
        void ended(SelectRun run, Map<String, GtidSet> seen);

        /** Called when no shard executes a part of it any more. */
        void freed(SelectRun run);

        /** Whether a SELECT is the youngest of those that lack memory: it ends for the benefit of the others. Any number of calls. */
        boolean isYoungestWithoutMemory(SelectRun run);
    }

    SelectRun(Session session, TableSelect select, SelectShards shards, Watched watched) {
        this.session = session;
        this.shards = shards;
        this.watched = watched;
        this.loop = session.loop();
        this.search = new MemberSearch(select, shards, loop);
        this.memory = new SelectMemory(session.allMemory());
        this.transfer = new RowTransfer(session, select, search, memory, this);
    }

    Session session() {
        return session;
    }

    /** Whether it waits for memory; any thread. */
    boolean lacksMemory() {
        return lacksMemory;
    }

    /** Begins. */
    void start(SelectSettings settings) {
        if (hasEnded) {
            return;
        }
        moved();
        timers.add(loop.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS));
        timers.add(loop.schedule(this::expire, settings.longest().toMillis(), TimeUnit.MILLISECONDS));
        var unused = watched.progress()
                .newestCut()
                .thenComposeAsync(
                        cut -> hasEnded ? CompletableFuture.<Void>completedFuture(null) : search.begin(cut, settings),
                        loop)
                .whenCompleteAsync(
                        (ready, failure) -> {
                            if (failure == null) {
                                isFound = true;
                                read();
                            } else {
                                fail(failure);
                            }
                        },
                        loop);
    }

    /** Begins to read as soon as there is memory. */
    private void read() {
        if (hasEnded || isReading) {
            return;
        }
        try {
            lacksMemory = !memory.reserve(transfer.streams());
            if (!lacksMemory) {
                isReading = true;
                moved();
                transfer.begin();
            }
        } catch (RuntimeException e) { // reported to the client
            fail(e);
        }
    }

    /** Asks the shards what they have executed by now, then ends the answer. */
    @Override
    public void complete() {
        Map<String, GtidSet> seen = new HashMap<>();
        var unused = search.forEachShard(reader -> reader.seen().thenAccept(set -> seen.put(reader.name(), set)))
                .whenComplete((asked, failure) -> {
                    if (failure != null) {
                        fail(failure);
                    } else if (!hasEnded) {
                        end(seen);
                        transfer.end();
                    }
                });
    }

    @Override
    public void failed(Throwable failure) {
        fail(failure);
    }

    private void moved() {
        movedNanos = watched.clock().nanoTime();
    }

    /** Ends a SELECT that does not begin in time, that gets no memory, or that stands still. */
    private void watch() {
        if (isFound && !isReading) {
            read();
        } else if (isReading) {
            lacksMemory = transfer.lacksMemory();
        }
        if (transfer.hasMoved()) {
            moved();
        }
        long now = watched.clock().nanoTime();
        long age = now - movedNanos;
        boolean isLate = age > shards.config().timeout().toNanos();
        othersNanos = lacksMemory && watched.ending().isYoungestWithoutMemory(this) ? othersNanos : now;
        if (lacksMemory) {
            if (isLate && now - othersNanos > YIELD_NANOS) {
                fail(SessionMemoryException.ofAll(memory.most()));
            }
        } else if (!isReading && isLate) {
            fail(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "SELECT on tables: expected that all shards answer and have executed what is in the binlog within"
                            + " serve.select.timeout, found that they have not"));
        } else if (isReading && age > shards.config().stall().toNanos()) {
            boolean isClient = transfer.awaitsClient();
            fail(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "SELECT on tables: expected progress within serve.select.stall, found none: "
                            + (isClient ? "the client reads nothing" : "a shard sends nothing")));
            if (isClient) {
                session.close();
            }
        }
    }

    private void expire() {
        fail(new SqlRefusal(
                MysqlError.ER_QUERY_TIMEOUT,
                "Query execution was interrupted, maximum statement execution time exceeded (max_execution_time of the"
                        + " session, or serve.select.longest)"));
    }

    /** Ends it with an error; on the event loop. */
    void fail(Throwable failure) {
        if (!hasEnded) {
            end(Map.of());
            transfer.fail(SelectFailure.packet(failure));
        }
    }

    /** The client has disconnected; on the event loop. */
    void drop() {
        if (!hasEnded) {
            end(Map.of());
        }
    }

    private void end(Map<String, GtidSet> seen) {
        hasEnded = true;
        lacksMemory = false;
        timers.forEach(timer -> timer.cancel(false));
        transfer.stop();
        CompletableFuture<Void> freed = search.forEachShard(SelectConnection::end);
        memory.close();
        watched.ending().ended(this, seen);
        var unused = freed.whenComplete((done, failure) -> watched.ending().freed(this));
    }
}
