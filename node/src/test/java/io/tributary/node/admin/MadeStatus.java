package io.tributary.node.admin;

import io.tributary.collector.order.HeldTransaction;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.cluster.Leader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Xid;
import io.tributary.node.status.CutStatus;
import io.tributary.node.status.DumperStatus;
import io.tributary.node.status.MemberStatus;
import io.tributary.node.status.NodeStatus;
import io.tributary.node.status.PipelineStatus;
import io.tributary.node.status.ReadersStatus;
import io.tributary.node.status.ShardStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** The status of a node with many shards, members of a table, transactions and schema changes, which no real node has; for tests of limits. */
final class MadeStatus {
    /** A text that only operators may see. */
    static final String SECRET = "secret_of_a_row";

    private static final UUID SERVER = UUID.fromString("11111111-2222-3333-4444-555555555555");

    private MadeStatus() {}

    static NodeStatus of(int shards, int members) {
        List<String> names =
                IntStream.rangeClosed(1, shards).mapToObj(i -> "s" + i).toList();
        List<SchemaItem> changes = IntStream.rangeClosed(1, shards)
                .mapToObj(i -> change(i, members / shards))
                .toList();
        CutStatus cut = new CutStatus(
                7,
                1L << 32,
                names.stream()
                        .map(name -> new ShardStatus(
                                name, GtidSet.parse(""), "binlog.000001:4", GtidSet.parse(""), GtidSet.parse("")))
                        .toList());
        return new NodeStatus(
                "1.2.3",
                "standalone",
                "waiting to try again after: SHARD_UNREACHABLE: " + SECRET,
                false,
                names,
                List.of(
                        new MemberStatus("n1"),
                        new DumperStatus.Leading(
                                new Leader("n1", 3),
                                100,
                                ReadersStatus.NOT_YET,
                                Optional.empty(),
                                Optional.of(cut),
                                Optional.empty()),
                        new PipelineStatus(
                                changes,
                                List.of(new PipelineStatus.HeldShard(
                                        "s1", "SHARD_POSITION_PURGED: expected " + SECRET + " | seed it")))));
    }

    private static SchemaItem change(int number, int members) {
        List<String> lacks = IntStream.range(0, members)
                .mapToObj(i -> "s" + number + ":shop." + SECRET + "_" + i)
                .toList();
        return new SchemaItem(
                "id" + number,
                new SchemaItem.Subject(
                        DdlKind.FORWARD,
                        new TableName("shop", SECRET),
                        "ALTER TABLE shop.t ADD COLUMN c INT DEFAULT '" + SECRET.repeat(100) + "'"),
                new SchemaItem.Progress(
                        number % 2 == 0 ? SchemaItem.State.HELD : SchemaItem.State.PENDING,
                        number,
                        number % 2 == 0 ? ErrorCode.SCHEMA_MIXED : null,
                        SECRET,
                        List.of("tributary ddl skip id" + number + " -c FILE")),
                new SchemaItem.Stop("s" + number, SERVER + ":" + number, "binlog.000001", 4),
                new SchemaItem.MemberNames(List.of(), lacks));
    }

    static OrderSnapshot transactions(int number) {
        return new OrderSnapshot(
                number,
                IntStream.range(0, number).mapToObj(MadeStatus::transaction).toList(),
                List.of("waits for " + SECRET));
    }

    private static HeldTransaction transaction(int number) {
        Xid xid = new Xid((SECRET + number).getBytes(StandardCharsets.UTF_8), new byte[0], 1);
        return new HeldTransaction(
                xid,
                number * 1000L,
                true,
                List.of(new HeldBranch(
                        "s1",
                        xid,
                        HeldTransaction.State.PREPARED,
                        Sid.parse(SERVER.toString()),
                        number + 1,
                        "binlog.000001",
                        4,
                        100)),
                new HeldTransaction.Diagnosis(
                        List.of("s2"), List.of("shard s2 " + SECRET), List.of("commit " + SECRET)));
    }

    /** The metrics of that many shards and links. */
    static Metrics metrics(int shards) {
        Metrics metrics = new Metrics();
        for (int i = 1; i <= shards; i++) {
            double lag = i == 250 ? 99 : 0.1;
            metrics.register(Metric.EXTRACT_LAG, () -> lag, "shard", "s" + i);
            metrics.register(Metric.EXTRACT_BYTES, () -> 1000, "shard", "s" + i);
            metrics.register(Metric.EXTRACT_TRANSACTIONS, () -> 10, "shard", "s" + i);
            metrics.register(Metric.EXTRACT_CONNECTS, () -> 1, "shard", "s" + i);
            metrics.register(Metric.LINK_DEPTH, () -> 1, "link", "extract-s" + i);
            metrics.register(Metric.LINK_PASSED, () -> 1, "link", "extract-s" + i);
        }
        return metrics;
    }
}
