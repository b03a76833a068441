package io.tributary.node.ddl;

import io.tributary.collector.schema.ShardTables;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.extractor.TableListing;
import io.tributary.extractor.TableNames;
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

/** The tables of one shard on their way to the collector: names, definitions page by page, handed over. One thread. */
final class TableList {
    private static final Logger LOG = LoggerFactory.getLogger(TableList.class);
    private static final long FIRST_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(30).toNanos();
    /** Names that are mapped in one step. */
    private static final int PIECE = 2048;

    private final TableLists.Asked shard;
    private final TableNames names;
    private final CompletableFuture<Void> given = new CompletableFuture<>();
    private final Set<ErrorCode> told = EnumSet.noneOf(ErrorCode.class);
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean hasPaused;
    private long since;
    private CompletableFuture<TableListing> asking;
    private TableListing listing;
    private List<ShardTables.Name> mapped;
    private List<TableName> wanted;
    private int next;
    private DefinitionFetch definitions;
    private CompletableFuture<GtidSet> ending;
    private CompletableFuture<Void> giving;

    TableList(TableLists.Asked shard, TableNames names) {
        this.shard = shard;
        this.names = names;
    }

    String shard() {
        return shard.name();
    }

    /** Completes once the collector has the tables. */
    CompletableFuture<Void> given() {
        return given;
    }

    boolean isGiven() {
        return given.isDone();
    }

    /** Reads no more of the shard, and lets its DDL statements run. */
    void close() {
        if (listing != null) {
            listing.close();
        } else if (asking != null) {
            var unused = asking.thenAccept(TableListing::close); // nobody waits for it
        }
    }

    void cancel() {
        close();
        given.cancel(false);
    }

    /**
     * One step, without waiting for anything.
     *
     * @param now nanoseconds of the node's clock
     * @return how much was done
     */
    int step(MysqlClient client, TableLists.Collecting collector, long now) {
        if (giving != null) {
            return hand();
        }
        if (listing != null) {
            return read(collector, now);
        }
        if (asking != null) {
            return receive(now);
        }
        if (hasPaused && now - since < pauseNanos) {
            return 0;
        }
        // a shard that did not answer while its DDL statements waited is not asked to let them wait again
        asking = names.of(shard.name(), shard.config(), client, !hasPaused);
        return 1;
    }

    private int receive(long now) {
        if (!asking.isDone()) {
            return 0;
        }
        try {
            listing = asking.join();
            mapped = new ArrayList<>();
            wanted = new ArrayList<>();
            next = 0;
        } catch (CompletionException e) {
            failed(e.getCause(), now);
        }
        asking = null;
        return 1;
    }

    /** Names, then definitions, then what the shard has executed by then. */
    private int read(TableLists.Collecting collector, long now) {
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
            if (ending == null) {
                ending = listing.end();
            }
            return ending.isDone() ? give(collector) : 0;
        } catch (CompletionException e) {
            failed(listing.failed(e), now);
            listing.close();
            listing = null;
            definitions = null;
            ending = null;
            return 1;
        }
    }

    private int give(TableLists.Collecting collector) {
        GtidSet executed = ending.join();
        Set<String> schemas = new HashSet<>();
        mapped.forEach(name -> schemas.add(name.physical().schema()));
        List<SchemaDefault> defaults = listing.defaults().stream()
                .filter(schema -> schemas.contains(schema.schema()))
                .toList();
        giving = collector.tables(
                shard.index(),
                new ShardTables(listing.server(), listing.before(), executed, mapped, definitions.texts(), defaults));
        listing = null;
        definitions = null;
        return 1;
    }

    private void failed(Throwable cause, long now) {
        ErrorCode code = cause instanceof TributaryException known ? known.code() : ErrorCode.INTERNAL;
        if (told.add(code)) {
            LOG.warn("{}; until its tables are known, DDL statements wait", cause.getMessage());
        } else {
            LOG.debug("{}", cause.getMessage());
        }
        pauseNanos = hasPaused ? Math.min(LONGEST_PAUSE_NANOS, pauseNanos * 2) : FIRST_PAUSE_NANOS;
        hasPaused = true;
        since = now;
    }

    private int map() {
        int end = Math.min(listing.size(), next + PIECE);
        for (; next < end; next++) {
            add(listing.physical(next));
        }
        return 1;
    }

    /** Of hidden tables the definition alone is wanted. */
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
        } catch (TributaryException e) { // its rows and statements are refused when they come
            LOG.warn("shard {}: no member: {}", shard.name(), e.getMessage());
        }
    }

    private int hand() {
        if (!giving.isDone()) {
            return 0;
        }
        if (giving.isCompletedExceptionally()) { // the collector has ended, and the pipeline with it
            cancel();
            return 1;
        }
        if (!told.isEmpty()) {
            LOG.info("shard {}: its tables are known now: {}", shard.name(), mapped.size());
        }
        given.complete(null);
        return 1;
    }
}
