package io.tributary.serve.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends questions about schemas to a shard, with the shard's names, and translates the answers to logical names. Any thread. */
public final class SchemaProxy implements SchemaSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaProxy.class);
    private static final long NAMES_VALID_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_TABLES = 20_000;

    /** Variables whose values readers get from the shard. */
    private static final List<String> VARIABLES = List.of(
            "binlog_row_metadata",
            "character_set_client",
            "character_set_connection",
            "character_set_database",
            "character_set_results",
            "character_set_server",
            "collation_connection",
            "collation_database",
            "collation_server",
            "lower_case_table_names",
            "sql_mode");

    private final ShardSessions sessions;
    private final LogicalNames logicalNames;
    private final Executor workers; // a list of 20,000 names or its answer would hold an event loop for long
    private final Clock clock;
    private volatile Map<String, String> variables = Map.of();
    private Names names; // guarded by this

    /** Names, and the time of the request for them. */
    private record Names(CompletableFuture<TableNameMapping> found, long nanos) {}

    /**
     * @param shard address and account; read for each connection
     * @param logicalNames how readers see the shard's names
     * @param threads not owned
     */
    public SchemaProxy(
            SchemaProxyConfig config,
            Supplier<Endpoint> shard,
            LogicalNames logicalNames,
            ServeThreads threads,
            Clock clock) {
        this.sessions = new ShardSessions(config, shard, threads);
        this.logicalNames = logicalNames;
        this.workers = threads.workers();
        this.clock = clock;
    }

    /** Asks the shard for its variables; the result is available later. */
    public void begin() {
        String list = VARIABLES.stream().map(SqlText::literal).collect(Collectors.joining(", "));
        var unused = sessions.ask("SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + list + ")")
                .whenComplete((result, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "shard does not answer questions about schemas: error=\"{}\"",
                                refusal(failure).getMessage());
                        return;
                    }
                    Map<String, String> reported = new HashMap<>();
                    for (QueryResult.Row row : result.rows()) {
                        reported.put(row.text(0).toLowerCase(Locale.ROOT), row.text(1));
                    }
                    variables = Map.copyOf(reported);
                });
    }

    @Override
    public Map<String, String> variables() {
        return variables;
    }

    @Override
    public CompletableFuture<ResultSet> ask(SchemaQuestion question) {
        return answer(question).handle((result, failure) -> {
            if (failure != null) {
                throw refusal(failure);
            }
            return result;
        });
    }

    /** Answers a question. A table or schema that is missing in the kept names may be new: the names are read again before it is refused. */
    private CompletableFuture<ResultSet> answer(SchemaQuestion question) {
        if (logicalNames.isIdentity()) {
            return answer(question, sameNames(question instanceof SchemaQuestion.Overlaid));
        }
        Optional<Names> kept = keptNames();
        if (kept.isEmpty()) {
            return answer(question, newerNames(kept).found());
        }
        return answer(question, kept.get().found())
                .exceptionallyCompose(
                        failure -> refusal(failure).packet().is(MysqlError.ER_BAD_DB_ERROR, MysqlError.ER_NO_SUCH_TABLE)
                                ? answer(question, newerNames(kept).found())
                                : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<ResultSet> answer(SchemaQuestion question, CompletableFuture<TableNameMapping> names) {
        return names.thenComposeAsync(
                now -> sessions.ask(question.sql(now)).thenApplyAsync(result -> shown(question, result, now), workers),
                workers);
    }

    private static ResultSet shown(SchemaQuestion question, QueryResult result, TableNameMapping names) {
        if (result.columns().isEmpty()) {
            throw SqlRefusal.unsupported("expected a result set from the shard, found none");
        }
        List<ResultSet.Column> columns = new ArrayList<>();
        for (int i = 0; i < result.columns().size(); i++) {
            columns.add(
                    new ResultSet.Column(result.columns().get(i), result.types().get(i)));
        }
        ResultSet shown = ResultSet.of(columns);
        for (QueryResult.Row row : result.rows()) {
            String[] values = new String[columns.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = question.shown(i, row.text(i), names);
            }
            shown.row(values);
        }
        return shown;
    }

    /** The refusal for a failure: an error of the shard is passed on; any other failure is described. */
    private static SqlRefusal refusal(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof SqlRefusal refusal) {
            return refusal;
        }
        if (cause instanceof MysqlServerError error) {
            return new SqlRefusal(error.packet());
        }
        String why = cause instanceof TributaryException known ? known.getMessage() : String.valueOf(cause);
        boolean isTooLarge = cause instanceof TributaryException known && known.code() == ErrorCode.PROTOCOL_VIOLATED;
        MysqlError error =
                isTooLarge ? MysqlError.ER_NET_PACKET_TOO_LARGE : MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE;
        return new SqlRefusal(new ErrPacket(
                error.number(),
                MysqlError.ER_CONNECT_TO_FOREIGN_DATA_SOURCE.sqlState(),
                "Unable to ask the shard for schemas (serve.schema): " + why));
    }

    /**
     * Unmapped names.
     *
     * @param withColumns whether the columns of information_schema must be known
     */
    private CompletableFuture<TableNameMapping> sameNames(boolean withColumns) {
        TableNameMapping same = TableNameMapping.same(logicalNames);
        return withColumns
                ? askColumns().thenApply(result -> same.withColumns(columnsOf(result)))
                : CompletableFuture.completedFuture(same);
    }

    private synchronized Optional<Names> keptNames() {
        return Optional.ofNullable(names)
                .filter(kept -> clock.nanoTime() - kept.nanos() < NAMES_VALID_NANOS)
                .filter(kept -> !kept.found().isCompletedExceptionally());
    }

    /** Names that were requested after the given ones. */
    private synchronized Names newerNames(Optional<Names> old) {
        Optional<Names> kept = keptNames();
        if (kept.isEmpty() || kept.equals(old)) {
            names = new Names(readNames(), clock.nanoTime());
        }
        return names;
    }

    private CompletableFuture<TableNameMapping> readNames() {
        CompletableFuture<QueryResult> tables =
                sessions.ask("SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES ORDER BY 1, 2 LIMIT "
                        + (MAX_TABLES + 1));
        CompletableFuture<QueryResult> schemas =
                sessions.ask("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY 1");
        return tables.thenCombineAsync(schemas, this::withTables, workers)
                .thenCombineAsync(askColumns(), (some, result) -> some.apply(columnsOf(result)), workers);
    }

    private CompletableFuture<QueryResult> askColumns() {
        return sessions.ask("SELECT UPPER(TABLE_NAME), UPPER(COLUMN_NAME) FROM"
                + " information_schema.COLUMNS WHERE LOWER(TABLE_SCHEMA) = 'information_schema' AND UPPER(TABLE_NAME)"
                + " IN (" + TableNameMapping.views() + ") ORDER BY ORDINAL_POSITION");
    }

    private Function<Map<String, List<String>>, TableNameMapping> withTables(QueryResult tables, QueryResult schemas) {
        if (tables.rows().size() > MAX_TABLES) {
            throw SqlRefusal.unsupported("the shard has more than " + MAX_TABLES
                    + " tables: their names are not mapped for questions about schemas");
        }
        List<TableName> physical = tables.rows().stream()
                .map(row -> new TableName(row.text(0), row.text(1)))
                .toList();
        List<String> all = schemas.rows().stream().map(row -> row.text(0)).toList();
        return columns -> TableNameMapping.mapped(logicalNames, physical, all, columns);
    }

    private static Map<String, List<String>> columnsOf(QueryResult result) {
        Map<String, List<String>> columns = new HashMap<>();
        for (QueryResult.Row row : result.rows()) {
            columns.computeIfAbsent(row.text(0), view -> new ArrayList<>()).add(row.text(1));
        }
        return columns;
    }

    @Override
    public void close() {
        sessions.close();
    }
}
