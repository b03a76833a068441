package io.tributary.serve.select;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.serve.schema.LogicalNames;
import io.tributary.serve.schema.SqlText;
import io.tributary.serve.sql.SqlRefusal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A connection to one shard for one SELECT. On one event loop. */
final class SelectConnection implements AutoCloseable {
    private static final int MOST_READ = 64 << 10;
    private static final int MAX_TABLES = 20_000;

    /** The threads behind the GTIDs in gtid_owned, as in {@code uuid:7#12}. */
    private static final Pattern OWNER = Pattern.compile("#\\d+");

    private final String name;
    private final SelectConfig config;
    private MysqlConnection connection;
    private boolean isClosed;

    SelectConnection(String name, SelectConfig config) {
        this.name = name;
        this.config = config;
    }

    String name() {
        return name;
    }

    MysqlConnection connection() {
        return connection;
    }

    /** Connects, and prepares the session. The meaning of quotes must be known, and nothing may be written. */
    CompletableFuture<SelectConnection> open(MysqlClient client, Endpoint endpoint, String timeZone) {
        return client.connect(endpoint, MOST_READ)
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
                    return connected.query("SET SESSION sql_mode = '', time_zone = " + SqlText.literal(timeZone)
                            + ", net_write_timeout = " + (config.stall().toSeconds() + 60));
                })
                .thenCompose(set -> connection.query("SET SESSION TRANSACTION READ ONLY"))
                .thenCompose(set -> requireSelectOnAll());
    }

    /** Without the right SELECT on *.*, information_schema would not show all members. */
    private CompletableFuture<SelectConnection> requireSelectOnAll() {
        return connection
                .query(
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
        return connection
                .query("SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE'"
                        + (names.isIdentity() ? one : "") + " ORDER BY 1, 2 LIMIT " + (MAX_TABLES + 1))
                .thenApply(tables -> members(tables, logical, shards));
    }

    private List<TableName> members(QueryResult tables, TableName logical, SelectShards shards) {
        if (tables.rows().size() > MAX_TABLES) {
            throw SqlRefusal.unsupported(
                    "SELECT on tables: expected at most " + MAX_TABLES + " tables on shard " + name + ", found more");
        }
        return tables.rows().stream()
                .map(row -> new TableName(row.text(0), row.text(1)))
                .filter(table -> !shards.names().hides(table.schema())
                        && !shards.leftOut().test(table.table()))
                .filter(table -> shards.names().mapping().apply(table).equals(logical))
                .toList();
    }

    /** For each of some columns of a table that is a text, how its weights are asked; see {@link KeyWeights#of}. */
    CompletableFuture<Map<String, String>> weights(TableName physical, List<String> columns) {
        String list = columns.stream().map(SqlText::literal).collect(Collectors.joining(", "));
        return connection
                .query(
                        "SELECT LOWER(COLUMN_NAME), COLLATION_NAME, CHARACTER_MAXIMUM_LENGTH FROM information_schema.COLUMNS"
                                + " WHERE TABLE_SCHEMA = " + SqlText.literal(physical.schema()) + " AND TABLE_NAME = "
                                + SqlText.literal(physical.table()) + " AND COLUMN_NAME IN (" + list
                                + ") AND DATA_TYPE IN ('char', 'varchar') AND COLLATION_NAME IS NOT NULL")
                .thenApply(result -> {
                    Map<String, String> forms = new TreeMap<>();
                    result.rows().forEach(row -> forms.put(row.text(0), KeyWeights.form(row.text(1), row.text(2))));
                    return forms;
                });
    }

    /** The GTIDs of transactions that every later statement sees. */
    CompletableFuture<GtidSet> executed() {
        return connection
                .query("SELECT @@global.gtid_executed")
                .thenApply(result -> GtidSet.parse(result.rows().get(0).text(0)));
    }

    /**
     * The GTIDs of all transactions that an earlier statement may have seen. A transaction is visible before its GTID is in gtid_executed; until
     * then it is in gtid_owned, which is therefore asked first.
     */
    CompletableFuture<GtidSet> seen() {
        return connection
                .query("SELECT @@global.gtid_owned")
                .thenCombine(
                        executed(),
                        (owned, executed) -> executed.union(GtidSet.parse(
                                OWNER.matcher(owned.rows().get(0).text(0)).replaceAll(""))));
    }

    @Override
    public void close() {
        isClosed = true;
        if (connection != null) {
            connection.close();
        }
    }
}
