package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.metric.Metrics;
import io.tributary.dumper.serve.NodeTables;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FactTablesTest {
    /** A node with this in its backup. */
    private static NodeTables tables(CompletableFuture<Manifest> backup) {
        NodeView node = new NodeView() {
            @Override
            public NodeStatus status() {
                throw new UnsupportedOperationException("nobody asks");
            }

            @Override
            public CompletableFuture<OrderSnapshot> transactions() {
                throw new UnsupportedOperationException("nobody asks");
            }

            @Override
            public CompletableFuture<Manifest> backup() {
                return backup;
            }
        };
        return new FactTables(node, new Metrics());
    }

    @Test
    void theFilesInTheBackupAreListedAsTheManifestNamesThem() {
        Manifest manifest = new Manifest(
                "cluster",
                List.of(
                        new Manifest.Entry("binlog.000001", 500, "aa", 1, 0, 0, Optional.empty()),
                        new Manifest.Entry("binlog.000002", 900, "bb", 1, 7, 1_000_000, Optional.of("key1"))));
        NodeTables.Table table = tables(CompletableFuture.completedFuture(manifest))
                .table(NodeTables.Topic.BACKUPS)
                .join();
        assertEquals(
                List.of(
                        Arrays.asList("binlog.000001", "500", null, null, null, null, "aa"),
                        Arrays.asList("binlog.000002", "900", "1", "7", "1970-01-01 00:00:01", "key1", "bb")),
                table.rows());
        table.rows().forEach(row -> assertEquals(table.columns().size(), row.size()));
    }

    @Test
    void withoutABackupItSaysSo() {
        CompletableFuture<Manifest> none = CompletableFuture.failedFuture(new IllegalStateException("no backup"));
        assertTrue(tables(none).table(NodeTables.Topic.BACKUPS).isCompletedExceptionally());
    }
}
