package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.mysql.protocol.client.DumpPosition;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The variables and GTID sets of a shard's server.
 *
 * @param variables global variables by their names in lower case; without those that its version does not have
 * @param executed all transactions that it has executed
 * @param purged the executed transactions that are no longer in its binlogs
 */
public record ShardFacts(Map<String, String> variables, GtidSet executed, GtidSet purged) {
    private static final String VARIABLES = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'server_id',"
            + " 'version', 'log_bin', 'binlog_format', 'binlog_row_image', 'gtid_mode', 'enforce_gtid_consistency',"
            + " 'binlog_row_metadata', 'binlog_checksum', 'binlog_expire_logs_seconds', 'expire_logs_days', 'read_only',"
            + " 'super_read_only', 'innodb_read_only', 'server_uid', 'mysql56_temporal_format', 'lower_case_table_names',"
            + " 'auto_increment_increment', 'auto_increment_offset', 'collation_server', 'default_collation_for_utf8mb4')";
    private static final String GTIDS = "SELECT @@GLOBAL.gtid_executed, @@GLOBAL.gtid_purged";
    private static final String MARIADB_EXECUTED = "SELECT @@GLOBAL.gtid_binlog_state";
    private static final String MARIADB_FILES = "SHOW BINARY LOGS";

    /** Immutable. */
    public ShardFacts {
        variables = Map.copyOf(variables);
    }

    /** Queries the server; completes on the connection's event loop. */
    public static CompletableFuture<ShardFacts> ask(MysqlConnection connection) {
        return connection.isMariadb()
                ? connection.query(VARIABLES).thenCompose(variables -> askMariadb(connection, values(variables)))
                : connection.query(VARIABLES).thenCombine(connection.query(GTIDS), ShardFacts::of);
    }

    /** Purged are the transactions before the oldest file; queried after the executed ones, which may grow meanwhile. */
    private static CompletableFuture<ShardFacts> askMariadb(MysqlConnection connection, Map<String, String> values) {
        if (!"ON".equals(values.get("log_bin"))) { // the server would refuse SHOW BINARY LOGS
            return CompletableFuture.completedFuture(new ShardFacts(values, GtidSet.EMPTY, GtidSet.EMPTY));
        }
        return connection
                .query(MARIADB_EXECUTED)
                .thenCompose(state -> connection
                        .query(MARIADB_FILES)
                        .thenCompose(files -> connection.query("SELECT BINLOG_GTID_POS('"
                                + files.rows().get(0).text(0) + "', " + DumpPosition.FIRST + ")"))
                        .thenApply(before -> new ShardFacts(values, mariadbSet(state), mariadbSet(before))));
    }

    private static GtidSet mariadbSet(QueryResult list) {
        String text = list.rows().get(0).text(0);
        return MariadbGtids.upTo(text == null ? "" : text);
    }

    private static ShardFacts of(QueryResult variables, QueryResult gtids) {
        QueryResult.Row sets = gtids.rows().get(0);
        return new ShardFacts(values(variables), GtidSet.parse(sets.text(0)), GtidSet.parse(sets.text(1)));
    }

    private static Map<String, String> values(QueryResult variables) {
        Map<String, String> values = new HashMap<>();
        for (QueryResult.Row row : variables.rows()) {
            values.put(row.text(0).toLowerCase(Locale.ROOT), row.text(1));
        }
        return values;
    }

    /** A variable's value, "" if the server does not have it. */
    public String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    /** The server's UUID; for MariaDB, which has none, one made from server_uid and server_id. */
    public String uuid() {
        String identity = variable("server_uid") + "/" + variable("server_id");
        return isMariadb()
                ? UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8))
                        .toString()
                : variable("server_uuid");
    }

    /** Whether the server is MariaDB. */
    public boolean isMariadb() {
        return version().contains("MariaDB");
    }

    /** Transactions after a set that the shard does not have any more. */
    public GtidSet missing(GtidSet resume) {
        return isMariadb() ? MariadbGtids.missing(purged, resume) : purged.minus(resume);
    }

    /** Whether names of schemas and tables are compared without regard to letter case (lower_case_table_names 1 or 2). */
    public boolean foldsNames() {
        String value = variable("lower_case_table_names");
        return value.equals("1") || value.equals("2");
    }

    /** The server's version, such as {@code 8.0.31}. */
    public String version() {
        return variable("version");
    }

    /** The cut at which a new stream of this shard begins. */
    public ShardCut firstCut(String name, ShardConfig config) {
        GtidSet resume = switch (config.start()) {
            case ShardConfig.EARLIEST -> purged;
            case ShardConfig.LATEST -> executed;
            default -> MariadbGtids.parse(config.start());
        };
        return ShardCut.unread(name, uuid(), resume, resume);
    }

    /**
     * Refuses a server that is not the one from which the stream was read so far, or that no longer has the transactions that follow.
     *
     * @param knownUuid the server's UUID until now, "" if it is not known; another server is accepted if it has everything that was read
     * @param resume all transactions that need not be read again
     * @throws TributaryException SHARD_SAME_SERVER, SHARD_HISTORY_LOST, SHARD_POSITION_PURGED
     */
    public void requireContinues(String shard, String knownUuid, GtidSet resume) {
        GtidSet lost = resume.minus(executed);
        if (!lost.isEmpty() && knownUuid.equals(uuid())) {
            throw ReadPosition.lost(
                    shard,
                    "expected all transactions that were read from server " + uuid() + ", found that it has executed "
                            + (executed.isEmpty() ? "nothing" : executed.line()) + ", without " + lost.line());
        }
        if (!lost.isEmpty()) {
            throw new TributaryException(ErrorCode.SHARD_SAME_SERVER, foreign(shard, knownUuid, lost));
        }
        boolean isOther = !knownUuid.isEmpty() && !knownUuid.equals(uuid());
        if (isOther && resume.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SHARD_SAME_SERVER,
                    "shard " + shard + ": expected server " + knownUuid + ", found server " + uuid());
        }
        GtidSet missing = missing(resume);
        if (!missing.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SHARD_POSITION_PURGED,
                    "shard " + shard + ": expected the binlogs of all transactions after " + shown(resume)
                            + ", found that those of " + missing.line() + " were purged");
        }
    }

    private String foreign(String shard, String knownUuid, GtidSet lost) {
        return "shard " + shard + ": expected server " + (knownUuid.isEmpty() ? uuid() : knownUuid)
                + " with all transactions that were read from it, found server " + uuid() + " without " + lost.line();
    }

    public static String shown(GtidSet set) {
        return set.isEmpty() ? "the beginning" : set.line();
    }
}
