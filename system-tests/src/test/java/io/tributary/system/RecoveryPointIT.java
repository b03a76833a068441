package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.local.LocalCluster;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of {@code tributary positions} and {@code tributary origin}: shards that are replayed up to a point of the global order have together the rows of a
 * replica that stopped at this point.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RecoveryPointIT {
    private static final List<String> SCHEMAS = List.of(BankWorkload.SCHEMA);

    private Path folder;
    private LocalCluster cluster;
    private CommandRun commands;
    private String uuid;
    private long last;
    private long point;
    private JsonNode positions;

    @BeforeAll
    void runTheBank(@TempDir Path temporary) throws Exception {
        folder = temporary;
        cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), third("s3")),
                config -> config.set("binlog.file.size", "200KiB"));
        commands = new CommandRun(cluster.node(), folder);
        cluster.node().start();
        BankWorkload bank =
                new BankWorkload(cluster.shards(), BankOptions.seeded(18).xaShare(0.6));
        bank.prepare();
        bank.run(Duration.ofSeconds(5));
        assertTrue(bank.figures().xa() > 30, "too few XA transactions: " + bank.figures());
        cluster.awaitAllWritten(Invariants.LIMIT);
        GtidSet executed = GtidSet.parse(cluster.gtidExecuted());
        uuid = executed.sids().get(0).toString();
        last = executed.last(executed.sids().get(0));
    }

    /** MariaDB, if it is available. */
    private static MysqlOptions third(String name) {
        try {
            MysqlRelease.MARIADB_10_11.distribution();
        } catch (RuntimeException e) { // no Debian, or no network
            return MysqlOptions.named(name);
        }
        return MysqlOptions.named(name)
                .of(MysqlRelease.MARIADB_10_11)
                .with("--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci");
    }

    @AfterAll
    void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private JsonNode json(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        CommandRun.Printed printed = commands.run(all.toArray(String[]::new));
        assertEquals(0, printed.status(), printed.err());
        return new ObjectMapper().readTree(printed.out());
    }

    /** A point in the middle at which a branch is written and its XA COMMIT is not passed, if there is one. */
    private JsonNode choosePoint() throws Exception {
        JsonNode found = null;
        for (point = last / 2; point < last / 2 + 12; point++) {
            found = json("positions", "--at", uuid + ":" + point);
            for (JsonNode shard : found.get("shards")) {
                if (!shard.get("commit").isEmpty()) {
                    return found;
                }
            }
        }
        point--;
        return found;
    }

    @Test
    @Order(1)
    void shardsThatAreReplayedToAPointHaveTheRowsOfAReplicaThatStoppedThere() throws Exception {
        positions = choosePoint();
        MysqlReplica replica = cluster.newReplica("until", 1);
        replica.receiveByGtid(
                "127.0.0.1", cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password());
        String until = uuid + ":1-" + point;
        replica.server().execute("START REPLICA SQL_THREAD UNTIL SQL_AFTER_GTIDS = '" + until + "'");
        Await.until(
                "the replica to stop at " + until,
                Duration.ofSeconds(60),
                () -> "No".equals(replica.status().get("Replica_SQL_Running")));
        assertEquals(until, executedOf(replica.server(), uuid), replica.error());
        Map<String, TableChecksum> expected = TableChecksum.of(replica.server(), SCHEMAS);

        MysqlServers restored = cluster.closing(
                MysqlServers.start(List.of(MysqlOptions.named("r1"), MysqlOptions.named("r2"), third("r3"))));
        Map<String, TableChecksum> found = new TreeMap<>();
        for (int i = 0; i < cluster.shards().size(); i++) {
            replay(
                    cluster.shards().get(i),
                    restored.get(i),
                    positions.get("shards").get(i));
            TableChecksum.of(restored.get(i), SCHEMAS)
                    .forEach((name, sum) -> found.merge(name, sum, TableChecksum::plus));
        }
        assertEquals(expected, found, "at " + until + ": " + positions);
        assertTrue(expected.get("bank.accounts").rows().signum() > 0, expected.toString());
    }

    private static String executedOf(MysqlServer server, String source) throws SQLException {
        return GtidSet.parse(server.gtidExecuted().replace("\n", ""))
                .line()
                .lines()
                .flatMap(line -> List.of(line.split(",")).stream())
                .filter(one -> one.startsWith(source))
                .findFirst()
                .orElse("");
    }

    private void replay(MysqlServer shard, MysqlServer into, JsonNode place) throws Exception {
        boolean isMariadb = place.get("replay").asText().startsWith("mariadb-binlog ");
        if (!isMariadb) {
            assertEquals(shard.uuid(), place.get("server_uuid").asText());
        }
        Path text = folder.resolve("replay-" + shard.name() + ".sql");
        List<String> command = new ArrayList<>(
                isMariadb
                        ? MysqlRelease.MARIADB_10_11.distribution().program("mariadb-binlog")
                        : List.of(MysqlTools.cached().mysqlbinlog().toString()));
        command.add("--no-defaults");
        command.add((isMariadb ? "--stop-position=" : "--include-gtids=")
                + place.get("gtid_set").asText());
        command.add("--result-file=" + text);
        shard.binlogFiles().forEach(file -> command.add(file.toString()));
        MysqlTools.Outcome read = MysqlTools.run(command);
        assertEquals(0, read.status(), read.output());
        MysqlTools.Outcome loaded = MysqlTools.cached().load(into, text);
        assertEquals(0, loaded.status(), loaded.output());
        try (Sql sql = into.sql()) {
            for (JsonNode statement : place.get("commit")) {
                sql.execute(statement.asText());
            }
            for (Map<String, String> branch : sql.rows(place.get("recover").asText())) {
                sql.execute("XA ROLLBACK " + (isMariadb ? branch.get("data") : xid(branch)));
            }
        }
    }

    private static String xid(Map<String, String> branch) {
        String data = branch.get("data").substring(2);
        int middle = 2 * Integer.parseInt(branch.get("gtrid_length"));
        return "X'" + data.substring(0, middle) + "',X'" + data.substring(middle) + "'," + branch.get("formatID");
    }

    @Test
    @Order(2)
    void theOriginOfATransactionIsFoundInBothDirections() throws Exception {
        int branches = 0;
        for (long gno = point; branches == 0 && gno < point + 8; gno++) {
            JsonNode origin = json("origin", uuid + ":" + gno);
            assertTrue(!origin.get("parts").isEmpty(), origin.toString());
            JsonNode part = origin.get("parts").get(0);
            boolean isBranch = part.has("prepare");
            branches += isBranch ? 1 : 0;
            for (String name : isBranch ? List.of("prepare", "commit") : List.of("transaction")) {
                JsonNode back = json("origin", part.get(name).get("gtid").asText());
                assertEquals(uuid + ":" + gno, back.get("gtid").asText(), origin + " " + back);
                assertEquals(part.get("shard"), back.get("shard"));
                assertEquals(origin.get("parts"), back.get("parts"));
            }
        }
        assertTrue(branches > 0, "branches: " + branches);
    }

    @Test
    @Order(3)
    void aPointThatIsNotWrittenYetIsRefused() throws Exception {
        CommandRun.Printed late = commands.run("positions", "--at", uuid + ":" + (last + 1000));
        assertEquals(1, late.status());
        assertTrue(late.err().contains("not written yet") && late.err().contains(uuid + ":" + last), late.err());
        CommandRun.Printed future = commands.run("positions", "--at", "2038-01-01 00:00:00");
        assertTrue(future.status() == 1 && future.err().contains("written yet"), future.err());
        CommandRun.Printed wrong = commands.run("positions", "--at", "yesterday");
        assertEquals(2, wrong.status(), wrong.err());
    }

    @Test
    @Order(4)
    void theCutForATimeIsShownWithItsDistance() throws Exception {
        String time = new ObjectMapper()
                .readTree(commands.run("log", "--json", "-n", "1", "--gtid", uuid + ":" + point)
                        .out()
                        .lines()
                        .findFirst()
                        .orElseThrow())
                .get("time")
                .asText();
        JsonNode chosen = json("positions", "--at", time);
        assertEquals(time, chosen.get("asked_time").asText());
        assertTrue(chosen.get("cut_time").asText().compareTo(time) < 0, chosen.toString());
        assertTrue(chosen.get("seconds_before").asDouble() > 0, chosen.toString());
        long cut = gno(chosen.get("gtid"));
        long exact = gno(chosen.get("exact_gtid"));
        assertEquals(cut + chosen.get("left_out").asLong(), exact, chosen.toString());
        assertTrue(exact < point, chosen.toString());
        CommandRun.Printed text = commands.run("positions", "--at", time);
        assertTrue(text.out().contains(" s before " + time), text.out());
        assertEquals(exact > cut, text.out().contains("left_out") && text.out().contains("--at " + uuid + ":" + exact));
    }

    private static long gno(JsonNode gtid) {
        return Gtid.parse(gtid.asText()).gno();
    }

    @Test
    @Order(5)
    void theShardsOfADumperAreThoseOfTheTaskThatIsNamed() throws Exception {
        String all = Files.readString(cluster.node().configFile());
        String own = all.lines()
                .filter(line -> line.startsWith("binlog.directory"))
                .findFirst()
                .orElseThrow();
        Path dumper = Files.writeString(folder.resolve("dumper.properties"), own + "\n");
        String at = uuid + ":" + point;
        CommandRun.Printed found = commands.runWith(
                dumper,
                "positions",
                "--json",
                "--at",
                at,
                "--task",
                cluster.node().configFile().toString());
        assertEquals(0, found.status(), found.err());
        assertEquals(positions, new ObjectMapper().readTree(found.out()));
        CommandRun.Printed without = commands.runWith(dumper, "positions", "--at", at);
        boolean isAtCut = without.status() == 0; // then no shard is asked
        assertTrue(isAtCut || without.err().contains("name the configuration of the Task with --task"), without.err());
    }

    @Test
    @Order(6)
    void theAnswersOfAStoppedNodeAreTheSame() throws Exception {
        cluster.node().terminate();
        assertEquals(positions, json("positions", "--at", uuid + ":" + point));
        CommandRun.Printed text = commands.run("positions", "--at", uuid + ":" + point);
        assertTrue(text.out().contains("--include-gtids='"), text.out());
        assertEquals(
                positions.get("shards").get(2).get("replay").asText().startsWith("mariadb-binlog"),
                text.out().contains("--stop-position='0-") && text.out().contains("XA RECOVER FORMAT='SQL'"),
                text.out());
        cluster.node().start();
    }

    @Test
    @Order(7)
    void aPointThatIsPurgedIsRefused() throws Exception {
        try (Sql sql = Sql.open(cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            List<Map<String, String>> files = sql.rows("SHOW BINARY LOGS");
            assertTrue(files.size() > 2, files.toString());
            sql.execute("PURGE BINARY LOGS TO '" + files.get(files.size() - 2).get("Log_name") + "'");
        }
        CommandRun.Printed purged = commands.run("positions", "--at", uuid + ":1");
        assertEquals(1, purged.status(), purged.out());
        assertTrue(purged.err().contains("found it purged"), purged.err());
        CommandRun.Printed early = commands.run("positions", "--at", "2020-01-01 00:00:00");
        assertTrue(early.status() == 1 && early.err().contains("purged"), early.err());
        CommandRun.Printed files = commands.run("log", "-n", "3");
        CommandRun.Printed served = served("-n", "3");
        assertEquals(files.out(), served.out(), served.err());
        assertTrue(files.out().startsWith(uuid), files.err());
        assertTrue(files.err().contains("note: transactions up to " + uuid + ":"), files.err());
        assertTrue(served.err().contains("note: transactions " + uuid + ":1-"), served.err());
        CommandRun.Printed late = served("--since", "2037-01-01");
        assertTrue(late.status() == 0 && late.out().isEmpty() && late.err().isEmpty(), late.out() + late.err());
    }

    /** The log that is read through the MySQL port. */
    private CommandRun.Printed served(String... options) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), LocalCluster.READER.password());
        List<String> command = new ArrayList<>(List.of("log", "--source", "127.0.0.1:" + cluster.servePort()));
        command.addAll(List.of("--source-user", LocalCluster.READER.name()));
        command.addAll(List.of("--source-password-file", secret.toString()));
        command.addAll(List.of(options));
        return commands.run(command.toArray(String[]::new));
    }
}
