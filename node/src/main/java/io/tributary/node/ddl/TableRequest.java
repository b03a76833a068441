package io.tributary.node.ddl;

import io.tributary.collector.schema.ShardTables;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.extractor.check.TableListing;
import io.tributary.extractor.check.TableNames;
import io.tributary.extractor.definition.DefinitionFetch;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.schema.list.SchemaDefault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The request for the tables of one shard: reads the names, then the definitions page by page, and passes them to the collector. One thread. */
final class TableRequest {
    private static final Logger LOG = LoggerFactory.getLogger(TableRequest.class);
    private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(30).toNanos();
    /** The number of names that are mapped in one step. */
    private static final int BATCH = 2048;

    private final TableRequests.Asked shard;
    private final TableNames names;
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final Set<ErrorCode> reported = EnumSet.noneOf(ErrorCode.class);
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean hasPaused;
    private long since;
    private CompletableFuture<TableListing> request;
    private TableListing listing;
    private List<ShardTables.Name> mapped;
    private List<TableName> wanted;
    private int next;
    private DefinitionFetch definitions;
    private CompletableFuture<GtidSet> executedAtEnd;
    private CompletableFuture<Void> accepting;

    TableRequest(TableRequests.Asked shard, TableNames names) {
        this.shard = shard;
        this.names = names;
    }

    String shard() {
        return shard.name();
    }

    /** Completes when the collector has the tables. */
    CompletableFuture<Void> accepted() {
        return accepted;
    }

    boolean isAccepted() {
        return accepted.isDone();
    }

    /** Stops reading the shard, and lets its DDL statements run. */
    void close() {
        if (listing != null) {
            listing.close();
        } else if (request != null) {
            var unused = request.thenAccept(TableListing::close); // nothing waits for it
        }
    }

    void cancel() {
        close();
        accepted.cancel(false);
    }

    /**
     * Does one step; never blocks.
     *
     * @param now nanoseconds of the node's clock
     * @return 0 if nothing was done
     */
    int step(MysqlClient client, TableRequests.Collecting collector, long now) {
        if (accepting != null) {
            return awaitAcceptance();
        }
        if (listing != null) {
            return read(collector, now);
        }
        if (request != null) {
            return receive(now);
        }
        if (hasPaused && now - since < pauseNanos) {
            return 0;
        }
        // after a failure the request is repeated without letting the shard's DDL statements wait
        request = names.of(shard.name(), shard.config(), client, !hasPaused);
        return 1;
    }

    private int receive(long now) {
        if (!request.isDone()) {
            return 0;
        }
        try {
            listing = request.join();
            mapped = new ArrayList<>();
            wanted = new ArrayList<>();
            next = 0;
        } catch (CompletionException e) {
            failed(e.getCause(), now);
        }
        request = null;
        return 1;
    }

    /** Reads the names, then the definitions, then the GTIDs that the shard has executed by then. */
    private int read(TableRequests.Collecting collector, long now) {
        if (next < listing.size()) {
            return map();
        }
        try {
            if (definitions == null) {
                definitions = listing.definitions(wanted);
                wanted = null;
            }
            if (!definitions.isDone()) {
                return definitions.step() ? 1 : 0;
            }
            if (executedAtEnd == null) {
                executedAtEnd = listing.end();
            }
            return executedAtEnd.isDone() ? handOver(collector) : 0;
        } catch (CompletionException e) {
            failed(listing.failed(e), now);
            listing.close();
            listing = null;
            definitions = null;
            executedAtEnd = null;
            return 1;
        }
    }

    private int handOver(TableRequests.Collecting collector) {
        GtidSet executed = executedAtEnd.join();
        Set<String> schemas = new HashSet<>();
        mapped.forEach(name -> schemas.add(name.physical().schema()));
        List<SchemaDefault> defaults = listing.defaults().stream()
                .filter(schema -> schemas.contains(schema.schema()))
                .toList();
        accepting = collector.tables(
                shard.index(),
                new ShardTables(
                        listing.server(),
                        new ShardTables.ReadSpan(listing.before(), executed),
                        mapped,
                        definitions.texts(),
                        defaults));
        listing = null;
        definitions = null;
        return 1;
    }

    private void failed(Throwable cause, long now) {
        ErrorCode code = cause instanceof TributaryException known ? known.code() : ErrorCode.INTERNAL;
        if (reported.add(code)) {
            LOG.warn(
                    "shard tables not read: shard={} error=\"{}\" effect=\"DDL statements wait until the tables are known\"",
                    shard.name(),
                    cause.getMessage());
        } else {
            LOG.debug("shard tables not read: shard={} error=\"{}\"", shard.name(), cause.getMessage());
        }
        pauseNanos = hasPaused ? Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 2) : FIRST_PAUSE_NANOS;
        hasPaused = true;
        since = now;
    }

    private int map() {
        int end = Math.min(listing.size(), next + BATCH);
        for (; next < end; next++) {
            add(listing.physical(next));
        }
        return 1;
    }

    /** Adds a table. Of a hidden table only the definition is read. */
    private void add(TableName physical) {
        if (names.isHidden(physical)) {
            wanted.add(physical);
            return;
        }
        try {
            names.logical(physical).ifPresent(logical -> {
                mapped.add(new ShardTables.Name(logical, physical));
                if (!physical.table().isEmpty()) {
                    wanted.add(physical);
                }
            });
        } catch (TributaryException e) { // its rows and statements are refused when they arrive
            LOG.warn("table is no member: shard={} table={} error=\"{}\"", shard.name(), physical, e.getMessage());
        }
    }

    private int awaitAcceptance() {
        if (!accepting.isDone()) {
            return 0;
        }
        if (accepting.isCompletedExceptionally()) { // the collector and the pipeline have ended
            cancel();
            return 1;
        }
        if (!reported.isEmpty()) {
            LOG.info("shard tables known: shard={} tables={}", shard.name(), mapped.size());
        }
        accepted.complete(null);
        return 1;
    }
}
