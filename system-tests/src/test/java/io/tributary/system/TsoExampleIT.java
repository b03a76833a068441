package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.local.LocalCluster;
import io.tributary.local.NodeProcess;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.RowChange;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the example for users without a coordinator: the TSO service of the node, bin/example-tso with real shards, and order.mode=tso. */
class TsoExampleIT {
    private static final Pattern COMMITTED = Pattern.compile("(\\d+) transfers committed");

    @Test
    void everyTransferOfTheExampleIsOneTransactionWithoutMarkerRows(@TempDir Path folder) throws Exception {
        int port = Ports.free();
        try (LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2"), MysqlOptions.named("s3")),
                config -> config.withoutTls()
                        .set("order.mode", "tso")
                        .set("tso.enabled", "true")
                        .set("tso.listen", "127.0.0.1:" + port)
                        .set("tso.directory", folder.resolve("tso").toString()))) {
            cluster.node().start();
            long committed = runExample(cluster, port, folder.resolve("example.log"));
            cluster.awaitAllWritten(Invariants.LIMIT);
            List<BinlogTransaction> transfers = transfers(cluster.binlogFolder());
            assertTrue(committed > 0, "no transfer was committed");
            assertEquals(committed, transfers.size());
            transfers.forEach(TsoExampleIT::requireWhole);
        }
    }

    private static long runExample(LocalCluster cluster, int port, Path log) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                NodeProcess.projectHome().resolve("bin/example-tso").toString(),
                "--tso",
                "127.0.0.1:" + port,
                "--user",
                MysqlServer.ROOT,
                "--password",
                MysqlServer.ROOT_PASSWORD,
                "--seconds",
                "4"));
        for (MysqlServer shard : cluster.shards()) {
            command.addAll(List.of("--shard", shard.host() + ":" + shard.port()));
        }
        try (ChildProcess example = ChildProcess.start(command, log)) {
            assertTrue(example.awaitExit(Invariants.LIMIT), Files.readString(log));
            String output = Files.readString(log);
            assertEquals(0, example.exitValue(), output);
            Matcher figures = COMMITTED.matcher(output);
            assertTrue(figures.find(), output);
            return Long.parseLong(figures.group(1));
        }
    }

    /** The transactions that change balances; fails if the binlog contains a row of the marker table. */
    private static List<BinlogTransaction> transfers(Path binlog) throws Exception {
        List<BinlogTransaction> transfers = new ArrayList<>();
        for (BinlogTransaction transaction : BinlogReader.ofFolder(binlog).all()) {
            for (RowChange change : transaction.changes()) {
                assertTrue(change.isOf("tso_example", "accounts"), transaction.place() + " " + change);
            }
            if (transaction.changes().stream().anyMatch(change -> !change.isInsert())) {
                transfers.add(transaction);
            }
        }
        return transfers;
    }

    private static void requireWhole(BinlogTransaction transfer) {
        assertEquals(2, transfer.changes().size(), transfer.place());
        long sum = transfer.changes().stream()
                .mapToLong(change -> change.after().number(1) - change.before().number(1))
                .sum();
        assertEquals(0, sum, transfer.place());
    }
}
