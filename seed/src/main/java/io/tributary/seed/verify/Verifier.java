package io.tributary.seed.verify;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.session.Peer;
import io.tributary.seed.session.SqlSession;
import io.tributary.seed.table.LogicalTable;
import java.util.ArrayList;
import java.util.Iterator;
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
        Iterator<LogicalTable> rest = List.copyOf(tables).iterator();
        List<TableResult> results = new ArrayList<>();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, tables.size()); i++) {
            running.add(executor.submit(() -> verifyRest(rest, results)));
        }
        try {
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new TributaryException(ErrorCode.INTERNAL, "comparison failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TributaryException(ErrorCode.INTERNAL, "comparison interrupted", e);
        } finally {
            running.forEach(each -> each.cancel(true));
        }
        return List.copyOf(results);
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

    private void verifyRest(Iterator<LogicalTable> rest, List<TableResult> results) {
        try (TableServers servers = new TableServers(work.client(), replica)) {
            StreamPosition position = new StreamPosition(servers, stream, work.clock());
            while (true) {
                LogicalTable table;
                synchronized (rest) {
                    if (!rest.hasNext() || Thread.currentThread().isInterrupted()) {
                        return;
                    }
                    table = rest.next();
                }
                TableResult result = verify(table, servers, position);
                synchronized (results) {
                    results.add(result);
                }
                work.listener().ended(result);
                LOG.debug("table compared: result={}", result);
            }
        }
    }

    private TableResult verify(LogicalTable table, TableServers servers, StreamPosition position) {
        TableReader reader = new TableReader(servers, table);
        for (int tries = 1; ; tries++) {
            try {
                return new TableVerifier(reader, position, work).run();
            } catch (UnreadableTableException e) {
                if (tries == TRIES) {
                    work.listener()
                            .found(new Finding(
                                    table.name(), "", Finding.Kind.UNREADABLE, List.of(), List.of(e.getMessage())));
                    return new TableResult(table.name(), 0, 0, 1, false);
                }
                position.awaitReplica(reader.shards(), work.options().limit());
            }
        }
    }
}
