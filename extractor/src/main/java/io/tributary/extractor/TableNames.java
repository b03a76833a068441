package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.definition.DefinitionFetch;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.schema.list.ShownTable;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Which tables and schemas a shard has, and under which logical names they stand in the output. Immutable; any thread. */
public final class TableNames {
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

    /**
     * The name in the output; empty for what is left out: system schemas, those that are filtered, hidden tables.
     *
     * @throws TributaryException CONFIG_INVALID when a rule makes of a table what is none
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
     * Asks a shard over a connection of its own, which the listing owns; completes on an event loop.
     *
     * @param mayLock whether DDL statements of the shard may wait for a few seconds, so that the definitions are those of one moment; where
     *     its account has no right to that, they do not wait
     * @return fails with a {@link TributaryException}: SHARD_UNFIT where the account does not see all tables, SHARD_UNREACHABLE,
     *     SHARD_LOGIN_REFUSED, SQL_FAILED
     */
    public CompletableFuture<TableListing> of(String shard, ShardConfig config, MysqlClient client, boolean mayLock) {
        return seen(shard, config, client)
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
     * The definition of one table, over a connection of its own; completes on an event loop.
     *
     * @return empty where the shard has no such table; fails as {@link #of} does
     */
    public CompletableFuture<Optional<ShownTable>> definition(
            String shard, ShardConfig config, MysqlClient client, TableName physical) {
        return seen(shard, config, client)
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

    /** Whether a shard can be asked; completes on an event loop and fails as {@link #of} does. */
    public CompletableFuture<Void> canAsk(String shard, ShardConfig config, MysqlClient client) {
        return seen(shard, config, client).thenAccept(MysqlConnection::close);
    }

    /** A connection of an account that sees all tables. */
    private CompletableFuture<MysqlConnection> seen(String shard, ShardConfig config, MysqlClient client) {
        return client.connect(config.endpoint())
                .handle((connection, failure) -> {
                    if (failure != null) {
                        throw ShardErrors.ofLogin(shard, failure);
                    }
                    return connection;
                })
                .thenCompose(connection -> new SelectGrant(connection, filter)
                        .missing()
                        .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                        .handle((missing, failure) -> {
                            if (failure == null && missing.isEmpty()) {
                                return connection;
                            }
                            connection.close();
                            throw failure == null
                                    ? unseen(shard, missing.get())
                                    : failed(shard, ShardErrors.unwrap(failure));
                        }));
    }

    private static TributaryException unseen(String shard, String missing) {
        return new TributaryException(
                ErrorCode.SHARD_UNFIT,
                "shard " + shard + ": expected an account that sees every table, found that it lacks SELECT ON *.*; an"
                        + " administrator runs there: " + missing);
    }

    /** Why a shard that was reached did not give its tables. */
    static TributaryException failed(String shard, Throwable cause) {
        if (cause instanceof MysqlServerError error) {
            return new TributaryException(
                    ErrorCode.SQL_FAILED, "shard " + shard + ": expected its tables, " + error.getMessage(), error);
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
