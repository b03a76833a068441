package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.mysql.protocol.client.RowConsumer;
import io.tributary.serve.schema.LogicalNames;
import io.tributary.serve.schema.SqlText;
import io.tributary.serve.sql.SqlRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A connection to one shard for one SELECT. On one event loop. */
final class SelectConnection {
    private static final int MAX_TABLES = 20_000;
    private static final int COLUMNS_BATCH = 500;

    /** The shard's own limit ends a SELECT that this node can end no more. */
    private static final long LATER_MILLIS = 5_000;

    private static final int IDLE_SECONDS = 60;

    /** The threads behind the GTIDs in gtid_owned, as in {@code uuid:7#12}. */
    private static final Pattern OWNER = Pattern.compile("#\\d+");

    private final String name;
    private final Endpoint endpoint;
    private final SelectConfig config;
    private final EventLoop loop;
    private final MysqlClient client;
    private MysqlConnection connection;
    private SessionKill.Victim self; // null until it is known
    private int unanswered;
    private boolean isClosed;

    /** @param name of the shard */
    SelectConnection(String name, Endpoint endpoint, SelectShards shards, EventLoop loop) {
        this.name = name;
        this.endpoint = endpoint;
        this.config = shards.config();
        this.loop = loop;
        this.client = new MysqlClient(loop, shards.lookups());
    }

    /** The name of the shard. */
    String name() {
        return name;
    }

    MysqlConnection connection() {
        return connection;
    }

    /**
     * Connects, and prepares the session: the meaning of quotes and bytes must be known, nothing may be written, and no setting of the server or
     * the account may leave out rows or show those of transactions that are not committed.
     */
    CompletableFuture<SelectConnection> open(SelectSettings settings) {
        return client.connect(endpoint, SelectMemory.MOST_READ)
                .thenCompose(connected -> {
                    connection = connected;
                    if (isClosed) {
                        connected.close();
                    }
                    connected.limitPackets((int) config.row().bytes());
                    if (connected.isMariadb()) {
                        throw SqlRefusal.unsupported("SELECT on tables: expected shards of MySQL, found that " + name
                                + " is MariaDB " + connected.serverVersion());
                    }
                    return query("SET NAMES utf8mb4");
                })
                .thenCompose(
                        set -> query("SELECT ID, HOST FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()"))
                .thenCompose(found -> {
                    if (!found.rows().isEmpty()) {
                        QueryResult.Row row = found.rows().get(0);
                        self = new SessionKill.Victim(Long.parseLong(row.text(0)), row.text(1));
                    }
                    return query("SET SESSION sql_mode = '', autocommit = 1, sql_select_limit = 18446744073709551615,"
                            + " sql_big_selects = 1, time_zone = " + SqlText.literal(settings.timeZone())
                            + ", lock_wait_timeout = "
                            + Math.max(1, config.timeout().toSeconds())
                            + idle(settings.longest())
                            + ", max_execution_time = " + (settings.longest().toMillis() + LATER_MILLIS));
                })
                .thenCompose(set -> query("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
                .thenCompose(set -> requireSelectOnAll());
    }

    /** While one shard sends its rows, another one may wait for the whole time of the SELECT: before its statement, within its rows, and after them. */
    private static String idle(Duration longest) {
        long seconds = longest.toSeconds() + IDLE_SECONDS;
        return ", net_write_timeout = " + seconds + ", wait_timeout = " + seconds;
    }

    private CompletableFuture<QueryResult> query(String sql) {
        return counted(connection.query(sql));
    }

    /** Sends a statement whose rows are passed on while they arrive. */
    CompletableFuture<QueryResult> stream(String sql, RowConsumer rows) {
        return counted(connection.stream(sql, rows));
    }

    private CompletableFuture<QueryResult> counted(CompletableFuture<QueryResult> answer) {
        unanswered++;
        return answer.whenComplete((done, failure) -> unanswered--);
    }

    /** Without the right SELECT on *.*, information_schema would not show all members. */
    private CompletableFuture<SelectConnection> requireSelectOnAll() {
        return query(
                        "SELECT COUNT(*) FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'SELECT' AND GRANTEE ="
                                + " CONCAT('\\'', SUBSTRING_INDEX(CURRENT_USER(), '@', 1), '\\'@\\'',"
                                + " SUBSTRING_INDEX(CURRENT_USER(), '@', -1), '\\'')")
                .thenApply(count -> {
                    if (count.rows().get(0).text(0).equals("0")) {
                        throw SqlRefusal.unsupported("SELECT on tables: expected the right SELECT on *.* on shard "
                                + name + " for " + connection.endpoint()
                                + ", so that all members of a table are seen; found none");
                    }
                    return this;
                });
    }

    /** The physical tables of a logical table. */
    CompletableFuture<List<TableName>> members(TableName logical, SelectShards shards) {
        LogicalNames names = shards.names();
        String one = " AND TABLE_SCHEMA = " + SqlText.literal(logical.schema()) + " AND TABLE_NAME = "
                + SqlText.literal(logical.table());
        List<TableName> found = new ArrayList<>();
        int[] count = {0};
        return stream(
                        "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE'"
                                + (names.isIdentity() ? one : "") + " ORDER BY 1, 2 LIMIT " + (MAX_TABLES + 1),
                        new EachRow(row -> {
                            count[0]++;
                            TableName table = new TableName(TextRow.text(row, 0), TextRow.text(row, 1));
                            if (!names.hides(table.schema())
                                    && !shards.leftOut().test(table.table())
                                    && names.mapping().apply(table).equals(logical)) {
                                found.add(table);
                            }
                        }))
                .thenApply(done -> {
                    if (count[0] > MAX_TABLES) {
                        throw SqlRefusal.unsupported("SELECT on tables: expected at most " + MAX_TABLES
                                + " tables on shard " + name + ", found more");
                    }
                    return found;
                });
    }

    /**
     * The columns of tables, in any order.
     *
     * @param read names of the columns; empty for all
     * @param each gets rows of schema, table, name, COLUMN_TYPE, DATA_TYPE, collation and length in characters
     */
    CompletableFuture<Void> columns(List<TableName> tables, Set<String> read, Consumer<ByteBuf> each) {
        if (tables.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<TableName> some = tables.subList(0, Math.min(COLUMNS_BATCH, tables.size()));
        String schemas = list(some.stream().map(TableName::schema).collect(Collectors.toSet()));
        String names = list(some.stream().map(TableName::table).collect(Collectors.toSet()));
        return stream(
                        "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, COLLATION_NAME,"
                                + " CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS WHERE TABLE_SCHEMA IN ("
                                + schemas + ") AND TABLE_NAME IN (" + names + ")"
                                + (read.isEmpty() ? "" : " AND COLUMN_NAME IN (" + list(read) + ")"),
                        new EachRow(each))
                .thenCompose(done -> columns(tables.subList(some.size(), tables.size()), read, each));
    }

    private static String list(Set<String> names) {
        return names.stream().map(SqlText::literal).collect(Collectors.joining(", "));
    }

    /** The GTIDs of transactions that every later statement sees. */
    CompletableFuture<GtidSet> executed() {
        return query("SELECT @@global.gtid_executed")
                .thenApply(result -> GtidSet.parse(result.rows().get(0).text(0)));
    }

    /**
     * The GTIDs of all transactions that an earlier statement may have seen. A transaction is visible before its GTID is in gtid_executed; until
     * then it is in gtid_owned, which is therefore asked first.
     */
    CompletableFuture<GtidSet> seen() {
        return query("SELECT @@global.gtid_owned")
                .thenCombine(
                        executed(),
                        (owned, executed) -> executed.union(GtidSet.parse(
                                OWNER.matcher(owned.rows().get(0).text(0)).replaceAll(""))));
    }

    /**
     * Closes it. Completes when the shard executes nothing of it any more, or when that could not be achieved within 30 s; it does not fail.
     */
    CompletableFuture<Void> end() {
        isClosed = true;
        if (connection == null) {
            return CompletableFuture.completedFuture(null);
        }
        boolean isRunning = unanswered > 0 && self != null;
        connection.close();
        return isRunning
                ? new SessionKill(client, endpoint, self, loop).begin()
                : CompletableFuture.completedFuture(null);
    }
}
