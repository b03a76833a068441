package io.tributary.extractor.definition;

import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.list.TableTexts;
import io.tributary.schema.sql.SqlNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fetch of the definitions of a shard's tables, page by page, over a connection that it does not own. It works step by step and never blocks.
 * From MySQL 8.0.16 on it runs five queries of information_schema per page, and SHOW CREATE TABLE for tables that information_schema does not
 * describe exactly. On other servers, whose information_schema opens each table anyway, it runs SHOW CREATE TABLE for every table. A table
 * that was dropped meanwhile, or is locked, is left out. For one thread.
 */
public final class DefinitionFetch {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionFetch.class);

    /**
     * The session prints names in backticks and times in UTC, and does not wait long for a locked table. So the answers have the same form on
     * every shard.
     */
    private static final String SESSION =
            "SET SESSION sql_mode = '', time_zone = '+00:00', sql_quote_show_create = 1," + " lock_wait_timeout = 2";
    /** From MySQL 8.0.30 on: includes the columns of generated invisible primary keys. */
    private static final String SHOW_GENERATED_KEYS =
            "SET SESSION show_gipk_in_create_table_and_information_schema = ON";

    private static final int PAGE = 500;
    private static final long MOST_SECONDS = 60;
    private static final int FIRST_BULK = 80016;

    private final String shard;
    private final MysqlConnection connection;
    private final DefinitionQueries queries;
    private final boolean isBulk;
    private final List<TableName> wanted;
    private final TableTexts.Builder texts = new TableTexts.Builder();
    private List<TableName> requested = List.of();
    private CompletableFuture<DefinitionQueries.Rows> page;
    private CompletableFuture<Map<TableName, String>> shown;
    private int next;
    private boolean isDone;

    /**
     * Begins the fetch.
     *
     * @param connection used only by this fetch until it is done: its session settings are changed
     * @param wanted physical names; adjacent names of one schema are queried together
     */
    public DefinitionFetch(String shard, MysqlConnection connection, List<TableName> wanted) {
        this.shard = shard;
        this.connection = connection;
        this.wanted = List.copyOf(wanted);
        this.queries = new DefinitionQueries(connection);
        ServerVersion server = ServerVersion.of(connection.serverVersion());
        this.isBulk = !server.mariadb() && server.number() >= FIRST_BULK;
        ask();
    }

    /** Prepares a session; completes on the connection's event loop. */
    public static CompletableFuture<Void> prepare(MysqlConnection connection) {
        return connection
                .query(SESSION)
                .thenCompose(set -> connection.query(SHOW_GENERATED_KEYS).handle((done, failure) -> {
                    if (failure != null) {
                        LOG.debug( // an earlier version
                                "session variable not supported: server={} reason=\"{}\"",
                                connection.endpoint(),
                                failure.getMessage());
                    }
                    return null;
                }));
    }

    /**
     * The definition of one table; completes on the connection's event loop.
     *
     * @param connection prepared by {@link #prepare}
     * @return empty if the server has no such table
     */
    public static CompletableFuture<Optional<ReportedTable>> one(
            String shard, MysqlConnection connection, TableName table) {
        ServerVersion server = ServerVersion.of(connection.serverVersion());
        return connection
                .query("SHOW CREATE TABLE " + SqlNames.name(table))
                .handle((answer, failure) ->
                        text(shard, table, answer, failure).map(text -> new ReportedTable(server, text)));
    }

    private void ask() {
        requested = wanted.subList(next, Math.min(wanted.size(), next + PAGE));
        next += requested.size();
        if (requested.isEmpty()) {
            isDone = true;
        } else if (isBulk) {
            page = queries.ask(requested).orTimeout(MOST_SECONDS, TimeUnit.SECONDS);
        } else {
            shown = show(requested);
        }
    }

    /** The answer that {@link #step()} waits for. */
    public CompletableFuture<?> awaited() {
        return page != null ? page : shown != null ? shown : CompletableFuture.completedFuture(null);
    }

    /** Whether all tables have been requested and received. */
    public boolean isDone() {
        return isDone;
    }

    /** The definitions that have arrived. */
    public TableTexts texts() {
        return texts.build();
    }

    /**
     * Makes one step.
     *
     * @return whether anything was done: false until {@link #awaited()} is done
     * @throws CompletionException with the cause if the server did not answer
     */
    public boolean step() {
        if (isDone || !awaited().isDone()) {
            return false;
        }
        if (page != null) {
            DefinitionPage received = new DefinitionPage(page.join(), new HashSet<>(requested));
            page = null;
            received.addTo(texts);
            if (received.inexact().isEmpty()) {
                ask();
            } else {
                shown = show(received.inexact());
            }
            return true;
        }
        shown.join().forEach(texts::add);
        shown = null;
        ask();
        return true;
    }

    private CompletableFuture<Map<TableName, String>> show(List<TableName> tables) {
        List<CompletableFuture<Optional<ReportedTable>>> answers = new ArrayList<>();
        for (TableName table : tables) {
            answers.add(one(shard, connection, table));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<TableName, String> found = new LinkedHashMap<>();
                    for (int i = 0; i < tables.size(); i++) {
                        TableName table = tables.get(i);
                        answers.get(i).join().ifPresent(shown -> found.put(table, shown.text()));
                    }
                    return found;
                })
                .orTimeout(MOST_SECONDS, TimeUnit.SECONDS);
    }

    /** The text of an answer. An error of the server concerns one table; any other failure concerns the connection. */
    private static Optional<String> text(String shard, TableName table, QueryResult answer, Throwable failure) {
        if (failure == null) {
            return Optional.of(answer.rows().get(0).text(1));
        }
        if (failure instanceof MysqlServerError) {
            LOG.info("definition not read: shard={} table={} reason=\"{}\"", shard, table, failure.getMessage());
            return Optional.empty();
        }
        throw new CompletionException(failure);
    }
}
