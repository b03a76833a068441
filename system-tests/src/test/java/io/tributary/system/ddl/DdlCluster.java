package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;

/**
 * A cluster for tests: shards whose tables {@code orders_0}, {@code orders_1}, ... are members of {@code orders}, a node and a replica. Every wait
 * fails immediately when the node has ended or the replica has stopped.
 */
final class DdlCluster implements AutoCloseable {
    static final Duration LIMIT = Duration.ofMinutes(1);

    /** Skips a test if a MariaDB server is not available. */
    static void requireMariadb() {
        try {
            MysqlRelease.MARIADB_10_11.distribution();
        } catch (RuntimeException e) { // no Debian, or no network
            Assumptions.abort("skipped: a MariaDB server is not available: " + e.getMessage());
        }
    }

    /** A schema that the node filters out. */
    static final String FILTERED = "private";

    private static final String MEMBERS = "([^.]+)\\.([^.]+)_\\d+";
    private static final Pattern MEMBER = Pattern.compile(MEMBERS);
    private static final String MEMBER_NUMBER = "_\\d+$";
    private static final Pattern COMMENT = Pattern.compile("/\\*(?!!).*?\\*/", Pattern.DOTALL);

    private final LocalCluster cluster;
    private final MysqlReplica replica;
    private NodeProcess writer;
    private NodeProcess task;
    private int begin;

    /** A cluster whose node runs and whose replica is attached. */
    DdlCluster(LocalCluster cluster, MysqlReplica replica) {
        this.cluster = cluster;
        this.replica = replica;
        this.writer = cluster.node();
        this.task = cluster.node();
    }

    /** Starts shards s1 and up, one node and a replica of it. */
    static DdlCluster start(Path folder, int shards, UnaryOperator<NodeConfig> change) throws SQLException {
        LocalCluster cluster =
                LocalCluster.withShards(folder, options(shards), config -> change.apply(members(config)));
        try {
            cluster.node().start();
            return new DdlCluster(cluster, cluster.attachByGtid(cluster.newReplica("replica", 4)));
        } catch (RuntimeException | SQLException e) {
            cluster.close();
            throw e;
        }
    }

    static List<MysqlOptions> options(int shards) {
        return IntStream.rangeClosed(1, shards)
                .mapToObj(number -> MysqlOptions.named("s" + number))
                .toList();
    }

    /** Configures the node to map physical tables, to filter out {@link #FILTERED} and to connect without TLS. */
    static NodeConfig members(NodeConfig config) {
        return config.withoutTls()
                .set("table.map.members.from", MEMBERS)
                .set("table.map.members.to", "$1.$2")
                .set("filter.schemas", "mysql,sys,performance_schema,information_schema," + FILTERED);
    }

    /** Sets the process that writes the binlog and the one that orders, if they are not the first node of the cluster. */
    DdlCluster with(NodeProcess writes, NodeProcess orders) {
        writer = writes;
        task = orders;
        return this;
    }

    LocalCluster cluster() {
        return cluster;
    }

    /** The process that orders transactions, or the only one. */
    NodeProcess node() {
        return task;
    }

    MysqlReplica replica() {
        return replica;
    }

    DdlCommands commands() {
        return new DdlCommands(task);
    }

    /** @param number from 1 */
    MysqlServer shard(int number) {
        return cluster.shards().get(number - 1);
    }

    /** Runs statements in one session of a shard. */
    void on(int shard, String... statements) throws SQLException {
        shard(shard).execute(statements);
    }

    /** Runs the same statements on each shard in turn. */
    void onEach(String... statements) throws SQLException {
        for (MysqlServer shard : cluster.shards()) {
            shard.execute(statements);
        }
    }

    void killAndRestart() {
        task.kill9();
        task.start();
    }

    /** Excludes the statements that the output contains now from later checks. */
    void mark() throws IOException {
        begin = output().size();
    }

    /** The statements of the output since {@link #mark}: upper case, without comments and backticks, with single spaces. */
    List<String> statements() throws IOException {
        List<BinlogTransaction> all = output();
        return all.subList(begin, all.size()).stream()
                .flatMap(transaction -> transaction.queries().stream())
                .map(DdlCluster::plain)
                .toList();
    }

    /** As above, only statements that contain all these parts, which are in upper case. */
    List<String> statements(String... parts) throws IOException {
        return statements().stream()
                .filter(text -> Arrays.stream(parts).allMatch(text::contains))
                .toList();
    }

    static String plain(String statement) {
        return COMMENT.matcher(statement)
                .replaceAll(" ")
                .replace("`", "")
                .replaceAll("\\s+", " ")
                .strip()
                .toUpperCase(Locale.ROOT);
    }

    void assertOnce(String... parts) throws IOException {
        assertEquals(
                1,
                statements(parts).size(),
                () -> "statements with " + List.of(parts) + " in " + statementsOrNone() + "\n" + task.lastLines());
    }

    void assertNone(String... parts) throws IOException {
        assertEquals(List.of(), statements(parts), "statements with " + List.of(parts));
    }

    private List<String> statementsOrNone() {
        try {
            return statements();
        } catch (IOException e) {
            return List.of(e.toString());
        }
    }

    /** The binlog of the node from its beginning. */
    List<BinlogTransaction> output() throws IOException {
        return BinlogReader.ofFolder(Path.of(writer.config().get("binlog.directory")))
                .all();
    }

    /** Checks that each table map of the node's binlog matches the definition that is valid there (I17). */
    long assertShapesInForce() throws IOException {
        return OutputShapes.assertInForce(Path.of(writer.config().get("binlog.directory")));
    }

    /** Waits until the node has written all of every shard and the replica has applied it. */
    void awaitReplicated() throws SQLException {
        awaitReplicated(cluster.shards());
    }

    /** As above for some of the shards. */
    void awaitReplicated(List<MysqlServer> shards) throws SQLException {
        for (MysqlServer shard : shards) {
            awaitWritten(shard);
        }
        replica.awaitGtids(writer.fact("gtid.executed").orElse(""), LIMIT);
    }

    /** Waits until the node has written all that this shard has executed. */
    void awaitWritten(MysqlServer shard) throws SQLException {
        GtidSet executed = GtidSet.parse(shard.gtidExecuted());
        String fact = "frontier." + shard.name();
        until(
                () -> "the node to write all of " + shard.name() + ": expected " + executed + ", found "
                        + writer.fact(fact).orElse("no answer"),
                () -> writer.fact(fact)
                        .map(text -> GtidSet.parse(text).containsAll(executed))
                        .orElse(false));
    }

    /** Waits until a query's first column on the replica is that value; an error counts as another value. */
    void awaitReplica(String value, String query) {
        String[] last = {""};
        until(() -> "the replica to answer " + value + " to " + query + ", found " + last[0], () -> {
            try {
                last[0] = replica.server().text(query);
            } catch (SQLException e) { // for example a table that does not exist yet
                last[0] = e.getMessage();
            }
            return value.equals(last[0]);
        });
    }

    /** Waits until the list shows a waiting statement whose text contains these parts; fails when such a statement is written instead. */
    DdlStatement awaitWaiting(String... parts) {
        return awaitListed(list -> list.find("waiting", parts).stream().toList(), () -> {
            List<String> out =
                    statements(Arrays.stream(parts).map(DdlCluster::plain).toArray(String[]::new));
            if (!out.isEmpty()) {
                throw new AssertionError(out + " was written before every member had it");
            }
        });
    }

    /** Waits until the list shows that a statement whose text contains these parts waits for exactly these members. */
    void awaitLacking(List<String> members, String... parts) {
        until(
                () -> "the list to lack " + members + ": "
                        + commands().run("ddl", "list").output(),
                () -> awaitWaiting(parts).lacks().stream().sorted().toList().equals(members));
    }

    /** Waits until the list shows a question about this shard with this error code. */
    DdlStatement awaitHeld(String shard, String code) {
        return awaitListed(
                list -> list.statements().stream()
                        .filter(each -> each.state().equals("held"))
                        .filter(each ->
                                each.shard().equals(shard) && each.code().equals(code))
                        .toList(),
                () -> {});
    }

    /** The entries of the list; empty while it is not available. */
    List<DdlStatement> listed() {
        return DdlList.parse(commands().run("ddl", "list", "-o", "json").output())
                .map(DdlList::statements)
                .orElse(List.of());
    }

    /** Finds statements in the list. */
    @FunctionalInterface
    interface Search {
        List<DdlStatement> in(DdlList list);
    }

    /** A check that fails when something is wrong. */
    @FunctionalInterface
    interface Guard {
        void check() throws Exception;
    }

    private DdlStatement awaitListed(Search search, Guard guard) {
        String[] printed = {""};
        DdlStatement[] found = {null};
        until(() -> "the statement in tributary ddl list: " + printed[0], () -> {
            guard.check();
            printed[0] = commands().run("ddl", "list", "-o", "json").output();
            found[0] = DdlList.parse(printed[0]).map(search::in).orElse(List.of()).stream()
                    .findFirst()
                    .orElse(null);
            return found[0] != null;
        });
        return found[0];
    }

    /** Waits until the list is empty. */
    void awaitNothingListed() {
        String[] printed = {""};
        awaitNothingPending();
        until(() -> "tributary ddl list to be empty: " + printed[0], () -> {
            printed[0] = commands().run("ddl", "list", "-o", "json").output();
            return DdlList.parse(printed[0]).filter(list -> list.total() == 0).isPresent();
        });
    }

    /** As above, only by the status, which takes less time. */
    void awaitNothingPending() {
        until(
                () -> "nothing to be pending: " + task.fact("ddl.pending"),
                () -> task.fact("ddl.pending").orElse("").isEmpty());
    }

    /** Waits for a condition; fails immediately when the node has ended or the replica has stopped. */
    void until(Supplier<String> what, Await.Condition condition) {
        Await.until(() -> what.get() + "\n" + cluster.lastLines(), LIMIT, () -> {
            if (!task.process().isAlive()) {
                throw new AssertionError(
                        "the node ended with status " + task.process().exitValue() + ": " + errors(task.logText()));
            }
            boolean holds = condition.holds();
            if (!holds) {
                failIfReplicaStopped();
            }
            return holds;
        });
    }

    private static List<String> errors(String log) {
        return log.lines().filter(line -> !line.contains(" INFO ")).toList();
    }

    private void failIfReplicaStopped() throws SQLException {
        Map<String, String> status = replica.status();
        if (!status.getOrDefault("Last_SQL_Error", "").isEmpty()) {
            throw new AssertionError("the replica stopped: " + replica.error());
        }
    }

    /** Checks that the replica has the rows of all shards together, members under their logical names. */
    void assertUnion(String... schemas) throws SQLException {
        Map<String, TableChecksum> union = new TreeMap<>();
        for (MysqlServer shard : cluster.shards()) {
            TableChecksum.of(shard, List.of(schemas))
                    .forEach((table, sum) -> union.merge(logical(table), sum, TableChecksum::plus));
        }
        Map<String, TableChecksum> own = TableChecksum.of(replica.server(), List.of(schemas));
        if (union.isEmpty()) {
            assertEquals(union, own);
        } else {
            TableChecksum.compare(union, own).assertClean();
        }
        assertEquals("Yes", replica.status().get("Replica_SQL_Running"), replica.error());
    }

    private static String logical(String table) {
        var matcher = MEMBER.matcher(table);
        return matcher.matches() ? matcher.group(1) + "." + matcher.group(2) : table;
    }

    /** Checks that the table of the replica has the same indexes, checks and defaults as the tables of the same name on the shards. */
    void assertSameDefinition(String schema, String table) throws SQLException {
        List<String> own = definition(replica.server(), schema, table);
        for (MysqlServer shard : cluster.shards()) {
            assertEquals(definition(shard, schema, table), own, schema + "." + table + " of " + shard.name());
        }
    }

    /** Checks that SHOW CREATE TABLE returns the same on the replica and on the shards. */
    void assertSameText(String table) throws SQLException {
        String own = createText(replica.server(), table);
        for (MysqlServer shard : cluster.shards()) {
            assertEquals(createText(shard, table), own, table + " of " + shard.name());
        }
    }

    private static String createText(MysqlServer server, String table) throws SQLException {
        try (Sql sql = server.sql()) {
            return sql.rows("SHOW CREATE TABLE " + table).get(0).get("Create Table");
        }
    }

    /** Columns, keys and checks, without the names of keys and checks. */
    private static List<String> definition(MysqlServer server, String schema, String table) throws SQLException {
        String where = " WHERE t.table_schema = '" + schema + "' AND t.table_name = '" + table + "'";
        try (Sql sql = server.sql()) {
            sql.execute("SET SESSION information_schema_stats_expiry = 0");
            return sql
                    .rows("SELECT CONCAT_WS(' ', 'column', ordinal_position, column_name, column_type, is_nullable,"
                            + " IFNULL(column_default, 'none'), extra) AS line FROM information_schema.columns t"
                            + where
                            + " UNION ALL SELECT CONCAT_WS(' ', 'key', non_unique, is_visible,"
                            + " GROUP_CONCAT(column_name ORDER BY seq_in_index)) FROM information_schema.statistics t"
                            + where + " GROUP BY index_name, non_unique, is_visible"
                            + " UNION ALL SELECT CONCAT('check ', check_clause)"
                            + " FROM information_schema.check_constraints c JOIN information_schema.table_constraints t"
                            + " USING (constraint_schema, constraint_name)"
                            + where
                            + " ORDER BY line")
                    .stream()
                    .map(row -> row.get("line"))
                    .toList();
        }
    }

    /** Some rows of a schema that differ between replica and shards, for messages; tables must have a column id. */
    List<String> differingRows(String schema) throws SQLException {
        Map<String, String> wanted = new TreeMap<>();
        for (MysqlServer shard : cluster.shards()) {
            rows(shard, schema).forEach((key, row) -> wanted.put(key, shard.name() + " " + row));
        }
        Map<String, String> found = rows(replica.server(), schema);
        List<String> different = new ArrayList<>();
        wanted.forEach((key, row) -> {
            if (!row.endsWith(" " + found.get(key))) {
                different.add(key + ": " + row + ", the replica has " + found.get(key));
            }
        });
        found.keySet().stream()
                .filter(key -> !wanted.containsKey(key))
                .forEach(key -> different.add(key + ": only the replica has " + found.get(key)));
        return different.subList(0, Math.min(different.size(), 8));
    }

    private static Map<String, String> rows(MysqlServer server, String schema) throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        try (Sql sql = server.sql()) {
            for (Map<String, String> columns : sql.rows("SELECT table_name AS name, GROUP_CONCAT('`', column_name, '`'"
                    + " ORDER BY column_name) AS columns FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)"
                    + " WHERE table_type = 'BASE TABLE' AND table_schema = '"
                    + schema
                    + "' GROUP BY table_name")) {
                String table = columns.get("name").replaceFirst(MEMBER_NUMBER, "");
                for (Map<String, String> row :
                        sql.rows("SELECT id, " + columns.get("columns").replace("`id`,", "") + " FROM `" + schema
                                + "`.`" + columns.get("name") + "`")) {
                    rows.put(table + " " + row.get("id"), row.toString());
                }
            }
        }
        return rows;
    }

    /**
     * Checks that SHOW CREATE TABLE returns the same for each table of the schema on the replica and for each of its members, except the order of
     * keys.
     */
    void assertSameTables(String schema) throws SQLException {
        Map<String, String> own = texts(replica.server(), schema);
        for (MysqlServer shard : cluster.shards()) {
            Map<String, String> onShard = texts(shard, schema);
            for (Map.Entry<String, String> each : onShard.entrySet()) {
                String table = each.getKey().replaceFirst(MEMBER_NUMBER, "");
                assertEquals(each.getValue(), own.get(table), shard.name() + ": " + each.getKey());
            }
        }
    }

    /** Checks that views, routines, triggers and events of the schema are the same on the replica and on each shard. */
    void assertSamePrograms(String schema) throws SQLException {
        List<String> own = programs(replica.server(), schema);
        for (MysqlServer shard : cluster.shards()) {
            assertEquals(programs(shard, schema), own, "views and programs of " + shard.name());
        }
    }

    private static List<String> programs(MysqlServer server, String schema) throws SQLException {
        try (Sql sql = server.sql()) {
            return sql
                    .rows("SELECT CONCAT_WS(' ', 'view', table_name, view_definition) AS line"
                            + " FROM information_schema.views WHERE table_schema = '" + schema + "'"
                            + " UNION ALL SELECT CONCAT_WS(' ', routine_type, routine_name, routine_definition)"
                            + " FROM information_schema.routines WHERE routine_schema = '" + schema + "'"
                            + " UNION ALL SELECT CONCAT_WS(' ', 'trigger', trigger_name, event_object_table, action_statement)"
                            + " FROM information_schema.triggers WHERE trigger_schema = '" + schema + "'"
                            + " UNION ALL SELECT CONCAT_WS(' ', 'event', event_name, event_definition)"
                            + " FROM information_schema.events WHERE event_schema = '" + schema + "' ORDER BY line")
                    .stream()
                    .map(row -> row.get("line"))
                    .toList();
        }
    }

    private static Map<String, String> texts(MysqlServer server, String schema) throws SQLException {
        Map<String, String> texts = new TreeMap<>();
        try (Sql sql = server.sql()) {
            for (Map<String, String> row : sql.rows("SELECT table_name AS name FROM information_schema.tables"
                    + " WHERE table_schema = '" + schema + "' AND table_type = 'BASE TABLE'")) {
                String table = row.get("name");
                String text = sql.rows("SHOW CREATE TABLE `" + schema + "`.`" + table + "`")
                        .get(0)
                        .get("Create Table");
                texts.put(table, comparable(text.replace(table, table.replaceFirst(MEMBER_NUMBER, ""))));
            }
        }
        return texts;
    }

    /** The text with keys in the order of their texts. */
    private static String comparable(String text) {
        List<String> lines = text.replaceFirst(" AUTO_INCREMENT=\\d+", "")
                .lines()
                .map(line -> line.replaceFirst(",$", ""))
                .toList();
        List<String> keys = lines.stream()
                .filter(line -> line.contains("KEY ") || line.contains("CONSTRAINT "))
                .sorted()
                .toList();
        List<String> all = new ArrayList<>(lines);
        all.removeAll(keys);
        all.addAll(keys);
        return String.join("\n", all);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
