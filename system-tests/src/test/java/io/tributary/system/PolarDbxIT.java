package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.local.NodeConfig;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.server.MysqlUser;
import io.tributary.testkit.server.Ports;
import io.tributary.testkit.source.LoopbackShard;
import io.tributary.testkit.source.PolarDbxCoordinator;
import io.tributary.testkit.source.PolarDbxCoordinator.Expected;
import io.tributary.testkit.source.PolarDbxGeneration;
import io.tributary.testkit.source.PolarDbxLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test with three PolarDB-X data nodes of different generations and a coordinator; the node is killed in between. */
class PolarDbxIT {
    private static final long SEED = Long.getLong("seed", 5);
    private static final int STEPS = 400;

    @TempDir
    private Path folder;

    private final List<PolarDbxLog> logs = new ArrayList<>();
    private final List<LoopbackShard> shards = new ArrayList<>();
    private NodeProcess node;

    private void start(String order) {
        NodeConfig config = new NodeConfig()
                .set("server.id", "4711")
                .set("binlog.directory", folder.resolve("binlog").toString())
                .set("binlog.file.size", "64KiB")
                .set("store.directory", folder.resolve("store").toString())
                .set("serve.listen", "127.0.0.1:" + Ports.free())
                .set("serve.user", "reader")
                .set("serve.password", "reader-secret")
                .set("admin.listen", "127.0.0.1:" + Ports.free());
        if (!order.equals("xa")) {
            config.set("order.mode", order);
        }
        MysqlUser user = MysqlUser.tributary();
        for (PolarDbxGeneration generation : PolarDbxGeneration.values()) {
            int number = logs.size() + 1;
            PolarDbxLog log = new PolarDbxLog(new UUID(0x4000L, 0x8000_0000_0000_0000L + number), number, generation);
            LoopbackShard shard = LoopbackShard.serve(log);
            logs.add(log);
            shards.add(shard);
            config.set("shard.s" + number + ".host", "127.0.0.1")
                    .set("shard.s" + number + ".port", Integer.toString(shard.port()))
                    .set("shard.s" + number + ".user", user.name())
                    .set("shard.s" + number + ".password", user.password());
        }
        node = new NodeProcess(
                NodeProcess.projectHome(), folder.resolve("tributary.properties"), config, folder.resolve("node.log"));
    }

    @AfterEach
    void end() {
        if (node != null) {
            node.close();
        }
        shards.forEach(LoopbackShard::close);
    }

    @ParameterizedTest
    @ValueSource(strings = {"xa", "tso"})
    void everyTransactionIsWrittenOnceWholeAndInTheOrderOfTheCoordinator(String order) throws IOException {
        start(order);
        PolarDbxCoordinator coordinator = new PolarDbxCoordinator(SEED, logs);
        coordinator.run(STEPS);
        node.start();
        coordinator.run(STEPS);
        awaitSomeWritten();
        node.kill9();
        coordinator.run(STEPS);
        coordinator.finish();
        node.start();
        awaitAllWritten();
        boolean isByTimestamp = order.equals("tso");
        check(
                coordinator.expected(),
                BinlogReader.ofFolder(folder.resolve("binlog")).all(),
                isByTimestamp);
    }

    private void awaitSomeWritten() {
        Await.until(
                () -> "some transactions; the node's last lines: " + node.lastLines(),
                Invariants.LIMIT,
                () -> node.metric("tributary_write_transactions_total") > 20);
    }

    /** Waits for all that the logs contain now; rounds continue meanwhile. */
    private void awaitAllWritten() {
        for (int i = 0; i < logs.size(); i++) {
            GtidSet executed =
                    GtidSet.parse(logs.get(i).uuid() + ":1-" + logs.get(i).newestNumber());
            String fact = "frontier.s" + (i + 1);
            Await.until(
                    () -> "all of " + fact + ": " + executed + "; the node's last lines: " + node.lastLines(),
                    Invariants.LIMIT,
                    () -> node.fact(fact)
                            .map(text -> GtidSet.parse(text).containsAll(executed))
                            .orElse(false));
        }
    }

    private static void check(List<Expected> expected, List<BinlogTransaction> found, boolean isByTimestamp) {
        Map<Long, Expected> byTransaction = new HashMap<>();
        expected.forEach(one -> byTransaction.put(one.transaction(), one));
        long newest = 0;
        Map<Integer, Long> newestLocal = new HashMap<>();
        for (BinlogTransaction transaction : found) {
            Expected wanted =
                    byTransaction.remove(transaction.changes().get(0).row().number(0));
            String context = "seed " + SEED + ", " + transaction.place() + ": " + wanted;
            assertTrue(wanted != null, context + ": repeated, or never committed");
            assertEquals(
                    wanted.shards(),
                    transaction.changes().stream()
                            .map(change -> (int) change.row().number(1))
                            .sorted()
                            .toList(),
                    context);
            if (wanted.tso() != PolarDbxLog.NONE) {
                assertTrue(!isByTimestamp || wanted.tso() > newest, context + " after " + newest);
                newest = wanted.tso();
            } else {
                long number = transaction.changes().get(0).row().number(2);
                Long before = newestLocal.put(wanted.shards().get(0), number);
                assertTrue(before == null || before < number, context);
            }
        }
        assertTrue(byTransaction.isEmpty(), "seed " + SEED + ", lost: " + byTransaction.values());
    }
}
