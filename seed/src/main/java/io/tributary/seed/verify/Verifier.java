package io.tributary.seed.verify;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.table.LogicalTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares tables of a replica with the shards, while all of them change. Writes nothing, unless it is to repair the replica. */
public final class Verifier {
    private static final Logger LOG = LoggerFactory.getLogger(Verifier.class);
    /** A table that cannot be read is tried again after the replica has applied what the shards have executed. */
    private static final int TRIES = 2;

    private final Peer replica;
    private final Supplier<Checkpoint> stream;
    private final Work work;

    /**
     * What all tables share.
     *
     * @param client opens the sessions
     * @param listener gets the results, on several threads
     */
    public record Work(MysqlClient client, VerifyOptions options, VerifyListener listener, Clock clock) {}

    /** @param stream returns the newest checkpoint of the stream; several threads call it */
    public Verifier(Peer replica, Supplier<Checkpoint> stream, Work work) {
        this.replica = replica;
        this.stream = stream;
        this.work = work;
    }

    /**
     * Compares tables, one after another in each thread.
     *
     * @param threads the number of tables that are compared at the same time
     * @return one result for each table
     * @throws TributaryException TARGET_* of the replica, SHARD_* and SQL_FAILED of a shard, NODE_UNREACHABLE, READER_REFUSED
     */
    public List<TableResult> run(List<LogicalTable> tables, ExecutorService executor, int threads) {
        requireReplica();
        Shared shared = new Shared(tables);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, tables.size()); i++) {
            running.add(executor.submit(() -> verifyRest(shared)));
        }
        try {
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new TributaryException(ErrorCode.INTERNAL, "comparison failed", e.getCause());
        } catch (InterruptedException e) {
            shared.end(new TributaryException(ErrorCode.INTERNAL, "comparison interrupted", e));
            Thread.currentThread().interrupt();
        }
        return shared.results();
    }

    /** What the threads share: the tables to do, and the first failure, which ends all of them. */
    private static final class Shared {
        private final Deque<LogicalTable> rest;
        private final List<TableResult> results = new ArrayList<>();
        private final List<TableServers> open = new ArrayList<>();
        private RuntimeException failure;

        Shared(List<LogicalTable> tables) {
            rest = new ArrayDeque<>(tables);
        }

        synchronized LogicalTable next() {
            return rest.poll();
        }

        synchronized void opened(TableServers servers) {
            open.add(servers);
        }

        synchronized void done(TableResult result) {
            results.add(result);
        }

        synchronized void end(RuntimeException cause) {
            if (failure == null) {
                failure = cause;
                rest.clear();
                open.forEach(TableServers::close);
            }
        }

        synchronized List<TableResult> results() {
            if (failure != null) {
                throw failure;
            }
            return List.copyOf(results);
        }
    }

    private void requireReplica() {
        try (SqlSession session = SqlSession.open(work.client(), replica)) {
            if (session.isMariadb()) {
                throw session.unfit(
                        ErrorCode.TARGET_UNFIT,
                        "expected a MySQL server, whose gtid_executed shows what it has applied, found MariaDB");
            }
            GtidSet written = stream.get().executed();
            GtidSet applied = GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed"));
            if (!written.isEmpty() && written.intersect(applied).isEmpty()) {
                throw session.unfit(
                        ErrorCode.TARGET_UNFIT,
                        "expected a replica of the stream " + written.line() + ", found gtid_executed '"
                                + applied.line() + "'");
            }
        }
    }

    private void verifyRest(Shared shared) {
        try (TableServers servers = new TableServers(work.client(), replica)) {
            shared.opened(servers);
            StreamPosition position = new StreamPosition(servers, stream, work.clock());
            for (LogicalTable table = shared.next(); table != null; table = shared.next()) {
                TableResult result = verify(table, servers, position);
                shared.done(result);
                work.listener().ended(result);
                LOG.debug("table compared: result={}", result);
            }
        } catch (RuntimeException e) {
            shared.end(e);
        }
    }

    private TableResult verify(LogicalTable table, TableServers servers, StreamPosition position) {
        TableReader reader = new TableReader(servers, table);
        for (int tries = 1; ; tries++) {
            try {
                return new TableVerifier(reader, position, work).run();
            } catch (UnreadableTableException e) {
                if (tries == TRIES) {
                    work.listener().found(Finding.of(table.name(), Finding.Kind.UNREADABLE, List.of(e.getMessage())));
                    return new TableResult(table.name(), 0, 0, 1, false);
                }
                position.awaitReplica(reader.shards(), work.options().limit());
            }
        }
    }
}
