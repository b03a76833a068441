package io.tributary.extractor.check;

import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.ShardFacts;
import io.tributary.extractor.definition.DdlLock;
import io.tributary.extractor.definition.DefinitionFetch;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.schema.list.SchemaDefault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The listing of a shard's schemas and tables: first the names, then the requested definitions, then the transactions that the shard has
 * executed by then. It owns its connection. For one thread.
 */
public final class TableListing implements AutoCloseable {
    /** MariaDB has a separate type for base tables WITH SYSTEM VERSIONING. */
    private static final String TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
            + " WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')";

    private static final String SCHEMAS = "SELECT SCHEMA_NAME, DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME"
            + " FROM information_schema.SCHEMATA";
    private static final long MOST_SECONDS = 60;

    private final String shard;
    private final MysqlConnection connection;
    private final DdlLock lock;
    private final ShardFacts facts;
    private final Names names;
    private String last = "";

    private record Names(QueryResult schemas, QueryResult tables) {}

    private TableListing(String shard, MysqlConnection connection, DdlLock lock, ShardFacts facts, Names names) {
        this.shard = shard;
        this.connection = connection;
        this.lock = lock;
        this.facts = facts;
        this.names = names;
    }

    /** Begins a listing. Completes on the connection's event loop; if it fails, the caller still owns the connection. */
    static CompletableFuture<TableListing> begin(String shard, MysqlConnection connection, boolean mayLock) {
        DdlLock lock = new DdlLock(connection);
        return DefinitionFetch.prepare(connection)
                .thenCompose(prepared -> mayLock ? lock.acquire() : CompletableFuture.completedFuture(false))
                .thenCompose(locked -> ShardFacts.ask(connection))
                .thenCompose(facts -> connection
                        .query(SCHEMAS)
                        .thenCombine(connection.query(TABLES), Names::new)
                        .thenApply(names -> new TableListing(shard, connection, lock, facts, names)));
    }

    /** The number of schemas and tables, including those that are left out. */
    public int size() {
        return names.schemas.rows().size() + names.tables.rows().size();
    }

    /** A schema or table by its index, from 0; a schema has an empty table. */
    public TableName physical(int index) {
        int schemaCount = names.schemas.rows().size();
        if (index < schemaCount) {
            return new TableName(names.schemas.rows().get(index).text(0), "");
        }
        QueryResult.Row row = names.tables.rows().get(index - schemaCount);
        String schema = row.text(0);
        last = schema.equals(last) ? last : schema; // the same object for adjacent rows
        return new TableName(last, row.text(1));
    }

    /** The character sets of its schemas. */
    public List<SchemaDefault> defaults() {
        return names.schemas.rows().stream()
                .map(row -> new SchemaDefault(row.text(0), row.text(1), row.text(2)))
                .toList();
    }

    /** The transactions that the shard had executed before anything was read. */
    public GtidSet before() {
        return facts.executed();
    }

    /** The version of the server that is read. */
    public ServerVersion server() {
        return ServerVersion.of(facts.version());
    }

    /** Begins to read definitions; one such fetch at a time. */
    public DefinitionFetch definitions(List<TableName> wanted) {
        return new DefinitionFetch(shard, connection, wanted);
    }

    /**
     * Ends the listing. A DDL statement that has changed a definition or a name meanwhile is in the returned set and not in {@link #before()}.
     * Completes on an event loop; then the connection is closed.
     *
     * @return the transactions that the shard has executed now
     */
    public CompletableFuture<GtidSet> end() {
        return ShardFacts.ask(connection)
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .handle((facts, failure) -> {
                    connection.close();
                    if (failure != null) {
                        throw failed(failure);
                    }
                    return facts.executed();
                });
    }

    /** The error of a failed fetch of definitions. */
    public TributaryException failed(Throwable failure) {
        return TableNames.failed(shard, ShardErrors.unwrap(failure));
    }

    /** Ends the listing early; DDL statements of the shard do not wait any more. */
    @Override
    public void close() {
        lock.release();
        connection.close();
    }
}
