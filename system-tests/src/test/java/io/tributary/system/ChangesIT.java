package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeInput;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.changes.Operation;
import io.tributary.changes.RowChange;
import io.tributary.changes.ServerDefinitions;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.local.LocalCluster;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.StreamReader;
import io.tributary.testkit.server.MysqlOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the rows of a node's binlog are read with their definitions while a schema change reaches one shard after the other. */
class ChangesIT {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    /** Keeps rows as texts, and the GTIDs that were read. */
    private static final class Rows implements ChangeHandler {
        private final List<String> rows = new ArrayList<>();
        private final List<String> statements = new ArrayList<>();
        private final RowChange change = new RowChange();
        private final GtidSet end;
        private GtidSet read = GtidSet.EMPTY;
        private ChangeInput input;
        private ChangeTransaction current;

        Rows(GtidSet end) {
            this.end = end;
        }

        @Override
        public boolean wants(TableName table) {
            return table.schema().equals("d");
        }

        @Override
        public void begin(ChangeTransaction transaction) {
            current = transaction;
        }

        @Override
        public void rows(ChangeTable table, ByteBuffer view, int at, int limit) {
            change.begin(table, view, at, limit);
            while (change.next()) {
                StringJoiner text = new StringJoiner(
                        ", ", change.operation() + " " + table.name().table() + " ", "");
                for (ChangeColumn column : table.columns()) {
                    text.add(column.name() + "=" + (column.isNull(change.newest()) ? "NULL" : text(column)));
                }
                rows.add(text.toString());
                assertEquals("id", table.handle().get(0).name());
                assertTrue(change.operation() != Operation.DELETE);
            }
        }

        private String text(ChangeColumn column) {
            ByteBuf out = Unpooled.buffer();
            column.appendText(out, change.newest());
            return out.toString(StandardCharsets.UTF_8);
        }

        @Override
        public void statement(ChangeStatement statement) {
            if (statement.isDdl()) {
                statements.add(statement.text());
            }
        }

        @Override
        public void end(String file, long position) {
            read = read.union(GtidSet.parse(current.gtid().toString()));
            if (read.containsAll(end)) {
                input.finish();
            }
        }
    }

    private static Rows read(LocalCluster cluster) throws Exception {
        cluster.awaitAllWritten(LIMIT);
        MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        MysqlClient client = new MysqlClient(loop);
        Peer node = Peer.node(
                Endpoint.of(
                        "127.0.0.1", cluster.servePort(), LocalCluster.READER.name(), LocalCluster.READER.password()),
                LIMIT);
        Rows rows = new Rows(GtidSet.parse(cluster.gtidExecuted()));
        try (ServerDefinitions definitions = new ServerDefinitions(client, node)) {
            rows.input = new ChangeInput(rows, definitions);
            new StreamReader(client, node, new StreamReader.Replica(99, new UUID(9, 9)), Clock.SYSTEM)
                    .read(rows.input, GtidSet.EMPTY, () -> {});
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
        return rows;
    }

    private static void on(LocalCluster cluster, int shard, String... statements) throws Exception {
        cluster.shards().get(shard).execute(statements);
    }

    private LocalCluster cluster(String rows) throws Exception {
        LocalCluster cluster = LocalCluster.withShards(
                folder,
                List.of(MysqlOptions.named("s1"), MysqlOptions.named("s2")),
                config -> config.set("ddl.rows", rows));
        cluster.node().start();
        return cluster;
    }

    @ParameterizedTest
    @ValueSource(strings = {"reshape", "pass"})
    void rowsAreReadWhileASchemaChangeReachesOneShardAfterTheOther(String treatment) throws Exception {
        try (LocalCluster cluster = cluster(treatment)) {
            for (int shard = 0; shard < 2; shard++) {
                on(
                        cluster,
                        shard,
                        "CREATE DATABASE d",
                        "CREATE TABLE d.t (id INT PRIMARY KEY, v INT, e ENUM('a','b'))");
            }
            cluster.awaitAllWritten(LIMIT);
            on(cluster, 0, "INSERT INTO d.t VALUES (1, 1, 'b')");
            cluster.awaitAllWritten(LIMIT);
            String alter = "ALTER TABLE d.t ADD COLUMN w BIGINT UNSIGNED DEFAULT 7 AFTER id, MODIFY v BIGINT";
            on(cluster, 0, alter, "INSERT INTO d.t VALUES (2, 18446744073709551615, 2, 'a')");
            cluster.awaitAllWritten(LIMIT);
            on(cluster, 1, "INSERT INTO d.t VALUES (3, 3, 'b')");
            cluster.awaitAllWritten(LIMIT);
            on(cluster, 0, "INSERT INTO d.t VALUES (4, 1, 4, 'a')");
            cluster.awaitAllWritten(LIMIT);
            on(cluster, 1, alter, "INSERT INTO d.t VALUES (5, NULL, 5, NULL)");
            Rows found = read(cluster);
            assertEquals(
                    List.of(
                            "INSERT t id=1, v=1, e=b",
                            "INSERT t id=2, w=18446744073709551615, v=2, e=a",
                            treatment.equals("pass") ? "INSERT t id=3, v=3, e=b" : "INSERT t id=3, w=7, v=3, e=b",
                            "INSERT t id=4, w=1, v=4, e=a",
                            "INSERT t id=5, w=NULL, v=5, e=NULL"),
                    found.rows);
            assertEquals(
                    1,
                    found.statements.stream()
                            .filter(text -> text.startsWith("ALTER"))
                            .count());
        }
    }

    /** A node writes the rows of a prepared transaction when it is committed. */
    @Test
    void xaTransactionsOfShardsAreReadAsTransactions() throws Exception {
        try (LocalCluster cluster = cluster("reshape")) {
            for (int shard = 0; shard < 2; shard++) {
                on(cluster, shard, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)");
            }
            cluster.awaitAllWritten(LIMIT);
            on(
                    cluster,
                    0,
                    "XA START 'x'",
                    "INSERT INTO d.t VALUES (1)",
                    "XA END 'x'",
                    "XA PREPARE 'x'",
                    "XA COMMIT 'x'");
            cluster.awaitAllWritten(LIMIT);
            on(cluster, 1, "INSERT INTO d.t VALUES (2)");
            assertEquals(List.of("INSERT t id=1", "INSERT t id=2"), read(cluster).rows);
        }
    }
}
