package io.tributary.extractor.check;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.SchemaFilter;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.extractor.TableMapRule;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.definition.DefinitionFetch;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.schema.list.ReportedTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** The queries for a shard's tables and schemas, and the mapping to their logical names in the output. Immutable; any thread. */
public final class TableNames {
    private static final Set<String> SYSTEM_SCHEMAS =
            Set.of("mysql", "sys", "performance_schema", "information_schema");
    private static final long MOST_SECONDS = 120;

    private final SchemaFilter filter;
    private final TableMapping mapping;
    private final Predicate<String> hidden;

    /**
     * @param config has the schemas that are left out, and the rules for names
     * @param hidden whether a table of this name is left out in any schema (those of online schema change tools)
     */
    public TableNames(ExtractorConfig config, Predicate<String> hidden) {
        this(config.filterSchemas(), config.tableMap(), hidden);
    }

    /** The same with the keys filter.schemas and table.map. */
    public TableNames(List<String> filterSchemas, Map<String, TableMapRule> rules, Predicate<String> hidden) {
        this.filter = new SchemaFilter(filterSchemas);
        this.mapping = new TableMapping(rules);
        this.hidden = hidden;
    }

    /**
     * The name in the output; empty for system schemas, filtered schemas and hidden tables, which are left out.
     *
     * @throws TributaryException CONFIG_INVALID if the result of a rule for a table is not a table's name
     */
    public Optional<TableName> logical(TableName physical) {
        boolean isOut = isInSchemaLeftOut(physical) || !physical.table().isEmpty() && hidden.test(physical.table());
        return isOut ? Optional.empty() : Optional.of(mapping.apply(physical));
    }

    private boolean isInSchemaLeftOut(TableName physical) {
        return SYSTEM_SCHEMAS.contains(physical.schema().toLowerCase(Locale.ROOT))
                || filter.leavesOut(physical.schema());
    }

    /** Whether it is a hidden table in a schema that is not left out. */
    public boolean isHidden(TableName physical) {
        return !physical.table().isEmpty() && hidden.test(physical.table()) && !isInSchemaLeftOut(physical);
    }

    /**
     * Begins a listing of a shard over a new connection, which the listing owns; completes on an event loop.
     *
     * @param mayLock whether DDL statements of the shard may wait for a few seconds, so that the definitions are those of one moment; if the
     *     account lacks the right for that, they do not wait
     * @return fails with a {@link TributaryException}: SHARD_UNFIT if the account does not see all tables, SHARD_UNREACHABLE,
     *     SHARD_LOGIN_REFUSED, SQL_FAILED
     */
    public CompletableFuture<TableListing> of(String shard, ShardConfig config, MysqlClient client, boolean mayLock) {
        return connect(shard, config, client)
                .thenCompose(connection -> TableListing.begin(shard, connection, mayLock)
                        .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                        .handle((listing, failure) -> {
                            if (failure != null) {
                                connection.close();
                                throw failed(shard, ShardErrors.unwrap(failure));
                            }
                            return listing;
                        }));
    }

    /**
     * Reads the definition of one table over a new connection; completes on an event loop.
     *
     * @return empty if the shard has no such table; fails as {@link #of} does
     */
    public CompletableFuture<Optional<ReportedTable>> definition(
            String shard, ShardConfig config, MysqlClient client, TableName physical) {
        return connect(shard, config, client)
                .thenCompose(connection -> DefinitionFetch.prepare(connection)
                        .thenCompose(prepared -> DefinitionFetch.one(shard, connection, physical))
                        .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                        .handle((shown, failure) -> {
                            connection.close();
                            if (failure != null) {
                                throw failed(shard, ShardErrors.unwrap(failure));
                            }
                            return shown;
                        }));
    }

    /** Checks whether a shard can be queried; completes on an event loop and fails as {@link #of} does. */
    public CompletableFuture<Void> canAsk(String shard, ShardConfig config, MysqlClient client) {
        return connect(shard, config, client).thenAccept(MysqlConnection::close);
    }

    /** Opens a connection and checks that its account sees all tables. */
    private CompletableFuture<MysqlConnection> connect(String shard, ShardConfig config, MysqlClient client) {
        return client.connect(config.endpoint())
                .handle((connection, failure) -> {
                    if (failure != null) {
                        throw ShardErrors.ofLogin(shard, failure);
                    }
                    return connection;
                })
                .thenCompose(connection -> requireSelect(shard, connection)
                        .whenComplete((seesAll, failure) -> {
                            if (failure != null) {
                                connection.close();
                            }
                        })
                        .thenApply(seesAll -> connection));
    }

    /**
     * Checks that the account of a connection sees all tables; completes on its event loop.
     *
     * @return fails with SHARD_UNFIT and the statement that an administrator has to run, SHARD_UNREACHABLE, SQL_FAILED
     */
    public CompletableFuture<Void> requireSelect(String shard, MysqlConnection connection) {
        return new SelectGrant(connection, filter)
                .missing()
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .handle((missing, failure) -> {
                    if (failure != null) {
                        throw failed(shard, ShardErrors.unwrap(failure));
                    }
                    missing.ifPresent(statement -> {
                        throw selectMissing(shard, statement);
                    });
                    return null;
                });
    }

    /** The statement that gives the account of a connection SELECT ON *.*; empty if it has that right. Completes on the connection's event loop. */
    public static CompletableFuture<Optional<String>> missingSelect(MysqlConnection connection) {
        return new SelectGrant(connection, new SchemaFilter(List.of())).missing();
    }

    private static TributaryException selectMissing(String shard, String missing) {
        return new TributaryException(
                ErrorCode.SHARD_UNFIT,
                "shard " + shard + ": expected an account that sees every table, found one without SELECT ON *.*; an"
                        + " administrator runs there: " + missing);
    }

    /** The error of a shard that was reached and did not return its tables. */
    static TributaryException failed(String shard, Throwable cause) {
        if (cause instanceof MysqlServerError error) {
            return new TributaryException(
                    ErrorCode.SQL_FAILED,
                    "shard " + shard + ": expected its tables, found " + error.getMessage(),
                    error);
        }
        if (cause instanceof TimeoutException) {
            return new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    "shard " + shard + ": expected its tables within " + MOST_SECONDS + " s, found none",
                    cause);
        }
        return cause instanceof TributaryException known && known.code() == ErrorCode.SHARD_UNFIT
                ? known
                : ShardErrors.ofTransport(shard, cause);
    }
}
