package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Which tables and schemas a shard has, and under which logical names they stand in the output. Immutable; any thread. */
public final class TableNames {
    /** MariaDB has a type of its own for base tables WITH SYSTEM VERSIONING. */
    private static final String TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
            + " WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')";

    private static final String SCHEMAS = "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA";
    private static final Set<String> SYSTEM_SCHEMAS =
            Set.of("mysql", "sys", "performance_schema", "information_schema");
    private static final long MOST_SECONDS = 120;

    private final SchemaFilter filter;
    private final TableMapping mapping;
    private final Predicate<String> hidden;

    /**
     * @param config which schemas are left out, and the rules for names
     * @param hidden whether a table of this name is left out in any schema (those of online schema change tools)
     */
    public TableNames(ExtractorConfig config, Predicate<String> hidden) {
        this.filter = new SchemaFilter(config.filterSchemas());
        this.mapping = new TableMapping(config.tableMap());
        this.hidden = hidden;
    }

    /** All names of a shard, as it has them; to be used by one thread. */
    public static final class Listed {
        private final QueryResult schemas;
        private final QueryResult tables;
        private final GtidSet executed;
        private String last = "";

        private Listed(QueryResult schemas, QueryResult tables, GtidSet executed) {
            this.schemas = schemas;
            this.tables = tables;
            this.executed = executed;
        }

        /** The transactions that the shard had executed once the names had been read. */
        public GtidSet executed() {
            return executed;
        }

        /** How many schemas and tables there are, those that are left out among them. */
        public int size() {
            return schemas.rows().size() + tables.rows().size();
        }

        /** One of them, from 0; a schema has an empty table. */
        public TableName physical(int index) {
            int schemaCount = schemas.rows().size();
            if (index < schemaCount) {
                return new TableName(schemas.rows().get(index).text(0), "");
            }
            QueryResult.Row row = tables.rows().get(index - schemaCount);
            String schema = row.text(0);
            last = schema.equals(last) ? last : schema; // one object for the neighbours
            return new TableName(last, row.text(1));
        }
    }

    /**
     * The name in the output; empty for what is left out: system schemas, those that are filtered, hidden tables.
     *
     * @throws TributaryException CONFIG_INVALID when a rule makes of a table what is none
     */
    public Optional<TableName> logical(TableName physical) {
        boolean isOut = SYSTEM_SCHEMAS.contains(physical.schema().toLowerCase(Locale.ROOT))
                || filter.leavesOut(physical.schema())
                || !physical.table().isEmpty() && hidden.test(physical.table());
        return isOut ? Optional.empty() : Optional.of(mapping.apply(physical));
    }

    /**
     * Asks a shard over a connection of its own; completes on an event loop.
     *
     * @return fails with a {@link TributaryException}: SHARD_UNFIT where the account does not see all tables, SHARD_UNREACHABLE,
     *     SHARD_LOGIN_REFUSED, SQL_FAILED
     */
    public CompletableFuture<Listed> of(String shard, ShardConfig config, MysqlClient client) {
        return client.connect(config.endpoint())
                .handle((connection, failure) -> {
                    if (failure != null) {
                        throw ShardErrors.ofLogin(shard, failure);
                    }
                    return connection;
                })
                .thenCompose(connection -> ask(shard, connection));
    }

    private CompletableFuture<Listed> ask(String shard, MysqlConnection connection) {
        SelectGrant grant = new SelectGrant(connection, filter);
        return grant.missing()
                .thenCompose(missing -> missing.isEmpty() ? list(connection) : unseen(shard, missing.get()))
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .handle((listed, failure) -> {
                    connection.close();
                    if (failure != null) {
                        throw failed(shard, ShardErrors.unwrap(failure));
                    }
                    return listed;
                });
    }

    /** The GTIDs last: what is not among them is not in the list either. */
    private static CompletableFuture<Listed> list(MysqlConnection connection) {
        CompletableFuture<QueryResult> schemas = connection.query(SCHEMAS);
        CompletableFuture<QueryResult> tables = connection.query(TABLES);
        return schemas.thenCombine(tables, Names::new)
                .thenCompose(names -> ShardFacts.ask(connection)
                        .thenApply(facts -> new Listed(names.schemas, names.tables, facts.executed())));
    }

    private record Names(QueryResult schemas, QueryResult tables) {}

    private static CompletableFuture<Listed> unseen(String shard, String missing) {
        return CompletableFuture.failedFuture(new TributaryException(
                ErrorCode.SHARD_UNFIT,
                "shard " + shard + ": expected an account that sees every table, found that it lacks SELECT ON *.*; an"
                        + " administrator runs there: " + missing));
    }

    private static TributaryException failed(String shard, Throwable cause) {
        if (cause instanceof MysqlServerError error) {
            return new TributaryException(
                    ErrorCode.SQL_FAILED,
                    "shard " + shard + ": expected the names of its tables, " + error.getMessage(),
                    error);
        }
        if (cause instanceof TimeoutException) {
            return new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    "shard " + shard + ": expected the names of its tables within " + MOST_SECONDS + " s, found none",
                    cause);
        }
        return cause instanceof TributaryException known && known.code() == ErrorCode.SHARD_UNFIT
                ? known
                : ShardErrors.ofTransport(shard, cause);
    }
}
