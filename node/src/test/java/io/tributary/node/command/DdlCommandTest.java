package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableName;
import io.tributary.node.admin.AdminAccess;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.admin.AdminServer;
import io.tributary.node.admin.ConfigReload;
import io.tributary.node.admin.FixedView;
import io.tributary.node.admin.SchemaChangeAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of {@code tributary ddl} with a running node, and with the binlog of a stopped one. */
class DdlCommandTest {
    private static final String NOWHERE = "127.0.0.1:1";
    private static final SchemaItem TRUNCATE = new SchemaItem(
            "ab12",
            new SchemaItem.Subject(DdlKind.WAIT, new TableName("shop", "orders"), "TRUNCATE TABLE shop.orders"),
            new SchemaItem.Progress(
                    SchemaItem.State.WAITING,
                    12,
                    null,
                    "the statement of s2:shop.orders_1",
                    List.of("tributary ddl emit ab12 --accept-loss")),
            new SchemaItem.Stop("s1", StoppedNode.UUID + ":9", "binlog.000003", 1234),
            new SchemaItem.MemberNames(List.of("s1:shop.orders_0"), List.of("s2:shop.orders_1")));

    private final List<Object> ordered = new ArrayList<>();

    @TempDir
    private Path folder;

    /** A node with one waiting statement, which accepts decisions for that one only. */
    private final class OneWaits implements SchemaChangeAccess {
        @Override
        public CompletableFuture<List<SchemaItem>> list() {
            return CompletableFuture.completedFuture(List.of(TRUNCATE));
        }

        @Override
        public CompletableFuture<String> execute(DdlDecision order) {
            ordered.add(order);
            return order.id().equals(TRUNCATE.id())
                    ? CompletableFuture.completedFuture("written now")
                    : CompletableFuture.failedFuture(
                            new TributaryException(ErrorCode.DECISION_REFUSED, order.id() + " is gone"));
        }

        @Override
        public CompletableFuture<String> skip(String shard, Gtid gtid, Optional<Gtid> until) {
            ordered.add(shard + " " + gtid + " " + until);
            return CompletableFuture.completedFuture("left out");
        }
    }

    private AdminServer serve(SchemaChangeAccess changes) {
        return AdminServer.open(
                new AdminConfig(new HostPort("127.0.0.1", 0), List.of(), 8, Duration.ofSeconds(10), AdminAccess.OPEN),
                new Metrics(),
                FixedView.changing(changes),
                () -> new ConfigReload.Outcome(List.of(), List.of()));
    }

    private StoppedNode at(AdminServer server) throws Exception {
        return new StoppedNode(folder, "127.0.0.1:" + server.address().getPort());
    }

    @Test
    void aRunningNodeListsChangesInProgress() throws Exception {
        try (AdminServer server = serve(new OneWaits())) {
            StoppedNode node = at(server);
            assertEquals(0, node.run("ddl", "list"), node.err());
            assertEquals("""
                    1 waiting

                    DDL ab12  WAITING for 12 s on shard s1
                      state      the shard waits at it until every member's own statement has been received
                      statement  TRUNCATE TABLE shop.orders
                      class      WAIT
                      table      shop.orders
                      at         binlog.000003:1234  GTID %s:9
                      has it     s1:shop.orders_0
                      lacks it   s2:shop.orders_1
                      waits for  the statement of s2:shop.orders_1
                      to do      tributary ddl emit ab12 --accept-loss
                    """.formatted(StoppedNode.UUID), node.out());
            String text = node.out();
            assertEquals(0, node.run("ddl", "show", "ab12"), node.err());
            assertEquals(text, node.out());
            for (String form : List.of("--json", "-o=json")) {
                assertEquals(0, node.run("ddl", "list", form), node.err());
                assertTrue(
                        node.out()
                                .startsWith("{\"total\":1,\"statements\":[{\"id\":\"ab12\",\"state\":\"waiting\","
                                        + "\"class\":\"WAIT\",\"table\":\"shop.orders\",\"text\":\"TRUNCATE TABLE shop.orders\","
                                        + "\"since.seconds\":12,\"shard\":\"s1\","),
                        node.out());
                assertTrue(
                        node.out()
                                .contains("\"code\":null,\"message\":\"the statement of s2:shop.orders_1\","
                                        + "\"has\":[\"s1:shop.orders_0\"],\"lacks\":[\"s2:shop.orders_1\"],"
                                        + "\"commands\":[\"tributary ddl emit ab12 --accept-loss\"]}]}"),
                        node.out());
            }
            assertEquals(1, node.run("ddl", "show", "cd34"));
            assertTrue(
                    node.err().startsWith("expected an id that tributary ddl list shows, found cd34: it is complete"),
                    node.err());
        }
    }

    @Test
    void aRunningNodeAcceptsDecisions() throws Exception {
        try (AdminServer server = serve(new OneWaits())) {
            StoppedNode node = at(server);
            assertEquals(0, node.run("ddl", "emit", "ab12", "--accept-loss"), node.err());
            assertEquals("running node: written now\n", node.out());
            assertEquals(0, node.run("ddl", "ignore", "ab12", "--member", "s1:shop.orders_0"), node.err());
            assertEquals(0, node.run("ddl", "done", "ab12"), node.err());
            assertEquals(1, node.run("ddl", "skip", "cd 34"), node.err());
            assertEquals("running node: cd 34 is gone\n", node.out());
            String text = "ALTER TABLE shop.orders ADD COLUMN `a` TEXT DEFAULT ('1 & 2')";
            assertEquals(0, node.run("ddl", "text", "ab12", "--text", text), node.err());
            assertEquals(
                    new DdlDecision(DdlDecision.Verb.TEXT, "ab12", "", false, text), ordered.get(ordered.size() - 1));
            String longText = "ALTER TABLE shop.orders COMMENT '" + "x".repeat(20_000) + "'";
            assertEquals(0, node.run("ddl", "text", "ab12", "--text", longText), node.err());
            assertEquals(2, node.run("ddl", "text", "ab12"), "the text is missing");
            ordered.subList(ordered.size() - 2, ordered.size()).clear();
            assertEquals(2, node.run("ddl", "ignore", "ab12"), "the member is missing");
            assertEquals(
                    0,
                    node.run(
                            "shard",
                            "skip",
                            "s1",
                            "--gtid",
                            StoppedNode.UUID + ":9",
                            "--until",
                            StoppedNode.UUID + ":11"),
                    node.err());
            assertEquals("running node: left out\n", node.out());
            assertEquals(
                    List.of(
                            new DdlDecision(DdlDecision.Verb.EMIT, "ab12", "", true),
                            new DdlDecision(DdlDecision.Verb.IGNORE, "ab12", "s1:shop.orders_0", false),
                            new DdlDecision(DdlDecision.Verb.DONE, "ab12", "", false),
                            new DdlDecision(DdlDecision.Verb.SKIP, "cd 34", "", false),
                            "s1 " + StoppedNode.UUID + ":9 Optional[" + StoppedNode.UUID + ":11]"),
                    ordered);
            assertTrue(Files.notExists(folder.resolve("binlog")), "the binlog of a running node is not changed");
        }
    }

    @Test
    void aNodeThatDoesNotOrderTransactionsNamesTheNodeToAsk() throws Exception {
        try (AdminServer server =
                serve(SchemaChangeAccess.none("a Dumper does not order transactions: ask the Task"))) {
            StoppedNode node = at(server);
            assertEquals(1, node.run("ddl", "list"), node.err());
            assertEquals("a Dumper does not order transactions: ask the Task\n", node.err());
            assertEquals(1, node.run("ddl", "emit", "ab12"), node.err());
            assertEquals("running node: a Dumper does not order transactions: ask the Task\n", node.out());
        }
    }

    @Test
    void theLastCutOfAStoppedNodeIsShown() throws Exception {
        StoppedNode node = new StoppedNode(folder, NOWHERE);
        node.writeHeldShard();
        assertEquals(0, node.run("ddl", "list"), node.err());
        assertTrue(node.err().startsWith("stopped node, from cut 1 of the binlog in "), node.err());
        assertTrue(node.out().startsWith("1 held, 1 pending\n"), node.out());
        assertTrue(node.out().contains("lacks it   s1:shop.orders_1"), node.out());
        assertTrue(node.out().contains("error      STATEMENT_FORMAT"), node.out());
        assertEquals(0, node.run("ddl", "show", StoppedNode.QUESTION, "-o", "json"), node.err());
        assertTrue(
                node.out().startsWith("{\"total\":1,\"statements\":[{\"id\":\"q24\",\"state\":\"held\""), node.out());
        assertEquals(1, node.run("ddl", "show", "cd34"));
        assertTrue(
                node.err().startsWith("DECISION_REFUSED: expected an id that tributary ddl list shows, found cd34"),
                node.err());
    }

    @Test
    void aDecisionForAStoppedNodeIsAppendedToItsBinlog() throws Exception {
        StoppedNode node = new StoppedNode(folder, NOWHERE);
        node.writeHeldShard();
        assertEquals(0, node.run("ddl", "done", StoppedNode.PENDING), node.err());
        assertTrue(node.out().startsWith("stopped node, appended to the binlog in "), node.out());
        assertEquals(
                List.of(new DdlDecision(DdlDecision.Verb.DONE, StoppedNode.PENDING, "", false)),
                node.lastCut().schema().decisions());
        assertEquals(0, node.run("ddl", "done", StoppedNode.PENDING), node.err());
        assertTrue(node.out().startsWith("stopped node, found in the binlog in "), node.out());
        assertTrue(node.out().contains("already decided: done " + StoppedNode.PENDING), node.out());
        assertEquals(1, node.run("ddl", "skip", StoppedNode.PENDING));
        assertTrue(node.err().contains("which is already written"), node.err());
        assertEquals(0, node.run("ddl", "skip", StoppedNode.QUESTION), node.err());
        assertTrue(node.lastCut().shards().get(0).leftOut().contains(StoppedNode.HELD.sid(), StoppedNode.HELD.gno()));
        assertEquals(1, node.run("ddl", "text", StoppedNode.QUESTION, "--text", "ALTER TABLE t ADD COLUMN a INT"));
        assertTrue(node.err().contains("expected a running node"), node.err());
        assertEquals(1, node.run("ddl", "emit", "cd34"));
        assertTrue(
                node.err().startsWith("DECISION_REFUSED: expected an id that tributary ddl list shows, found cd34"),
                node.err());
    }

    @Test
    void aBinlogInUseOrAMissingOneIsReported() throws Exception {
        StoppedNode node = new StoppedNode(folder, NOWHERE);
        node.write(SchemaState.NONE);
        try (BinlogDirectory locked = node.lock()) {
            assertEquals(1, node.run("ddl", "list"), locked.path().toString());
            assertTrue(node.err().startsWith("NODE_UNREACHABLE: "), node.err());
            assertTrue(node.err().contains("its binlog is in use"), node.err());
        }
        Path task = Files.writeString(folder.resolve("task.properties"), "node.role = task\nadmin.listen = " + NOWHERE);
        assertEquals(1, node.runWith(task, "ddl", "emit", "ab12"));
        assertTrue(node.err().contains("keeps no binlog"), node.err());
    }
}
