package io.tributary.node.admin;

import io.tributary.backup.Manifest;
import io.tributary.collector.order.HeldTransaction;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.ShardStatus;
import io.tributary.node.status.StatusFacts;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.statement.NodeTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The facts of the pages /status, /xa and /ddl as tables, for statements in SQL. */
public final class FactTables implements NodeTables {
    private static final double MICROS = 1e6;

    private final NodeView node;
    private final Metrics metrics;

    public FactTables(NodeView node, Metrics metrics) {
        this.node = node;
        this.metrics = metrics;
    }

    @Override
    public CompletableFuture<Table> table(Topic topic) {
        return switch (topic) {
            case STATUS -> CompletableFuture.completedFuture(status());
            case SHARDS -> CompletableFuture.completedFuture(shards());
            case LAG -> CompletableFuture.completedFuture(lag());
            case XA -> node.transactions().thenApply(FactTables::transactions);
            case DDL -> node.schemaChanges().list().thenApply(FactTables::schemaChanges);
            case BACKUPS -> node.backup().thenApply(FactTables::backup);
        };
    }

    private Table status() {
        NodeStatus now = node.status();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("version", now.version()));
        rows.add(List.of("role", now.role()));
        rows.add(List.of("state", now.state()));
        rows.add(List.of("healthy", String.valueOf(now.isHealthy())));
        StatusFacts.of(now.parts()).forEach((name, value) -> rows.add(List.of(name, value)));
        return new Table(List.of("Name", "Value"), rows);
    }

    private Table shards() {
        NodeStatus now = node.status();
        List<List<String>> rows = new ArrayList<>();
        for (String shard : now.shards()) {
            Optional<ShardStatus> known = now.shard(shard);
            rows.add(Arrays.asList(
                    shard,
                    known.map(ShardStatus::position).orElse(null),
                    known.map(each -> each.frontier().line()).orElse(null),
                    known.map(ShardStatus::leftOut)
                            .filter(leftOut -> !leftOut.isEmpty())
                            .map(GtidSet::line)
                            .orElse(null),
                    metricValue(Metric.EXTRACT_TRANSACTIONS, shard),
                    metricValue(Metric.EXTRACT_BYTES, shard),
                    metricValue(Metric.EXTRACT_CONNECTS, shard)));
        }
        return new Table(
                List.of("Shard", "Position", "Frontier", "Left_out", "Transactions", "Bytes", "Connects"), rows);
    }

    private Table lag() {
        List<List<String>> rows = new ArrayList<>();
        for (String shard : node.status().shards()) {
            rows.add(Arrays.asList(
                    shard,
                    metricValue(Metric.EXTRACT_LAG, shard),
                    metricValue(Metric.SHARD_LAG, shard),
                    metricValue(Metric.SHARD_CLOCK_ERROR, shard)));
        }
        return new Table(List.of("Shard", "Read_seconds", "Written_seconds", "Clock_error_seconds"), rows);
    }

    /** A shard's value of a metric; null if there is none, or none yet. */
    private String metricValue(Metric metric, String shard) {
        return metrics.samples().stream()
                .filter(sample -> sample.name().equals(metric.text())
                        && shard.equals(sample.tags().get("shard")))
                .findFirst()
                .map(sample -> number(sample.value()))
                .orElse(null);
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return null;
        }
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.3f", value);
    }

    private static Table transactions(OrderSnapshot snapshot) {
        List<List<String>> rows = new ArrayList<>();
        for (HeldTransaction transaction : snapshot.transactions()) {
            for (HeldBranch branch : transaction.branches()) {
                boolean hasPosition = branch.state() != State.ROLLED_BACK;
                rows.add(Arrays.asList(
                        transaction.xid().toString(),
                        String.format(Locale.ROOT, "%.1f", transaction.ageMicros() / MICROS),
                        transaction.isInDoubt() ? "YES" : "NO",
                        branch.shard(),
                        branch.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        branch.xid().toString(),
                        hasPosition ? branch.sid() + ":" + branch.gno() : null,
                        hasPosition ? branch.file() + ":" + branch.offset() : null,
                        String.join("; ", transaction.diagnosis().waitsFor()),
                        String.join("; ", transaction.diagnosis().remedies())));
            }
        }
        return new Table(
                List.of(
                        "Xid",
                        "Age_seconds",
                        "In_doubt",
                        "Shard",
                        "State",
                        "Branch",
                        "Gtid",
                        "Prepared_at",
                        "Waits_for",
                        "To_do"),
                rows);
    }

    private static Table schemaChanges(List<SchemaItem> items) {
        List<List<String>> rows = new ArrayList<>();
        for (SchemaItem item : items) {
            rows.add(Arrays.asList(
                    item.id(),
                    DdlPage.state(item),
                    item.kind() == null ? null : item.kind().toString(),
                    item.table() == null ? null : item.table().toString(),
                    item.text(),
                    Long.toString(item.seconds()),
                    nullIfEmpty(item.shard()),
                    nullIfEmpty(item.gtid()),
                    item.file().isEmpty() ? null : item.file() + ":" + item.offset(),
                    item.code() == null ? null : item.code().toString(),
                    String.join(", ", item.has()),
                    String.join(", ", item.lacks()),
                    item.message(),
                    String.join("; ", item.commands())));
        }
        return new Table(
                List.of(
                        "Id",
                        "State",
                        "Class",
                        "Table",
                        "Statement",
                        "Seconds",
                        "Shard",
                        "Gtid",
                        "Position",
                        "Error",
                        "Has",
                        "Lacks",
                        "Waits_for",
                        "To_do"),
                rows);
    }

    private static String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static Table backup(Manifest manifest) {
        List<List<String>> rows = new ArrayList<>();
        for (Manifest.Entry file : manifest.files()) {
            boolean hasTransactions = file.firstGno() <= file.lastGno();
            rows.add(Arrays.asList(
                    file.name(),
                    Long.toString(file.size()),
                    hasTransactions ? Long.toString(file.firstGno()) : null,
                    hasTransactions ? Long.toString(file.lastGno()) : null,
                    file.firstMicros() == 0 ? null : SqlTime.text(file.firstMicros()),
                    file.key().orElse(null),
                    file.sha256()));
        }
        return new Table(
                List.of("File", "Size", "First_transaction", "Last_transaction", "First_commit_time", "Key", "Sha256"),
                rows);
    }
}
