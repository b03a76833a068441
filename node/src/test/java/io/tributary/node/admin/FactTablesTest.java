package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.PipelineStatus;
import io.tributary.node.status.StatusFacts;
import io.tributary.serve.statement.NodeTables;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FactTablesTest {
    /** A node with this backup. */
    private static NodeTables tables(CompletableFuture<Manifest> backup) {
        NodeView node = new NodeView() {
            @Override
            public NodeStatus status() {
                throw new UnsupportedOperationException("not used here");
            }

            @Override
            public CompletableFuture<OrderSnapshot> transactions() {
                throw new UnsupportedOperationException("not used here");
            }

            @Override
            public CompletableFuture<Manifest> backup() {
                return backup;
            }
        };
        return new FactTables(node, new Metrics());
    }

    @Test
    void theFilesOfTheManifestAreListed() {
        Manifest manifest = new Manifest(
                "cluster",
                List.of(
                        new Manifest.Entry("binlog.000001", 500, "aa", 1, 0, 0, Optional.empty(), true),
                        new Manifest.Entry("binlog.000002", 900, "bb", 1, 7, 1_000_000, Optional.of("key1"), false)));
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
    void aNodeWithoutABackupReportsThis() {
        CompletableFuture<Manifest> none = CompletableFuture.failedFuture(new IllegalStateException("no backup"));
        assertTrue(tables(none).table(NodeTables.Topic.BACKUPS).isCompletedExceptionally());
    }

    @Test
    void schemaChangesHaveARowEach() {
        SchemaItem held = new SchemaItem(
                "q24",
                SchemaItem.Subject.TRANSACTION,
                new SchemaItem.Progress(
                        SchemaItem.State.HELD,
                        14,
                        ErrorCode.STATEMENT_FORMAT,
                        "expected rows",
                        List.of("tributary ddl skip q24", "tributary shard skip s1 --gtid u:24")),
                new SchemaItem.Stop("s1", "u:24", "binlog.000003", 77),
                SchemaItem.MemberNames.NONE);
        SchemaItem pending = new SchemaItem(
                "ab12",
                new SchemaItem.Subject(DdlKind.EARLY, new TableName("shop", "t"), "ALTER TABLE shop.t DROP INDEX a"),
                new SchemaItem.Progress(SchemaItem.State.PENDING, 3, null, "s2", List.of("tributary ddl done ab12")),
                SchemaItem.Stop.NONE,
                new SchemaItem.MemberNames(List.of("s1:shop.t"), List.of("s2:shop.t", "s3:shop.t")));
        NodeTables.Table table = new FactTables(
                        FixedView.changing(new SchemaChangeAccess() {
                            @Override
                            public CompletableFuture<List<SchemaItem>> list() {
                                return CompletableFuture.completedFuture(List.of(held, pending));
                            }

                            @Override
                            public CompletableFuture<String> execute(DdlDecision order) {
                                throw new UnsupportedOperationException("not used here");
                            }

                            @Override
                            public CompletableFuture<String> skip(String shard, Gtid gtid, Optional<Gtid> until) {
                                throw new UnsupportedOperationException("not used here");
                            }
                        }),
                        new Metrics())
                .table(NodeTables.Topic.DDL)
                .join();
        table.rows().forEach(row -> assertEquals(table.columns().size(), row.size()));
        assertEquals(
                List.of(
                        Arrays.asList(
                                "q24",
                                "held",
                                null,
                                null,
                                "",
                                "14",
                                "s1",
                                "u:24",
                                "binlog.000003:77",
                                "STATEMENT_FORMAT",
                                "",
                                "",
                                "expected rows",
                                "tributary ddl skip q24; tributary shard skip s1 --gtid u:24"),
                        Arrays.asList(
                                "ab12",
                                "pending",
                                "EARLY",
                                "shop.t",
                                "ALTER TABLE shop.t DROP INDEX a",
                                "3",
                                null,
                                null,
                                null,
                                null,
                                "s1:shop.t",
                                "s2:shop.t, s3:shop.t",
                                "s2",
                                "tributary ddl done ab12")),
                table.rows());
        Map<String, String> facts = StatusFacts.of(List.of(new PipelineStatus(List.of(held, pending), List.of())));
        assertEquals(
                Map.of(
                        "ddl.pending",
                        "ab12 ALTER TABLE shop.t DROP INDEX a, not logged by s2:shop.t, s3:shop.t for 3 s",
                        "ddl.held",
                        "s1: STATEMENT_FORMAT at binlog.000003:77 for 14 s, to end it: tributary ddl skip q24 or"
                                + " tributary shard skip s1 --gtid u:24"),
                facts);
    }
}
