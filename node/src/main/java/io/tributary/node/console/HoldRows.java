package io.tributary.node.console;

import io.tributary.collector.order.HeldTransaction;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.gtid.Gtid;
import io.tributary.node.status.PipelineStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is held and why: shards, schema changes and distributed transactions, each with the commands that end it. */
final class HoldRows {
    private static final int MOST = 20;
    private static final int MOST_TRANSACTIONS = 10;
    private static final int MOST_MEMBERS = 8;
    private static final double MICROS = 1e6;

    private final Audience audience;

    HoldRows(Audience audience) {
        this.audience = audience;
    }

    /** The shards that wait for an operator. */
    Map<String, Object> held(PipelineStatus pipeline) {
        List<Map<String, Object>> rows = new ArrayList<>();
        pipeline.heldShards().stream().limit(MOST).forEach(shard -> rows.add(heldShard(shard)));
        List<SchemaItem> questions = pipeline.schemaChanges().stream()
                .filter(item -> item.state() == SchemaItem.State.HELD)
                .toList();
        questions.stream().limit(MOST).forEach(item -> rows.add(change(item)));
        return Bounded.list(pipeline.heldShards().size() + questions.size(), rows, MOST, row -> row);
    }

    private Map<String, Object> heldShard(PipelineStatus.HeldShard held) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("shard", Bounded.text(held.shard()));
        int end = held.reason().indexOf(':');
        row.put("code", end > 0 ? held.reason().substring(0, end) : "");
        if (isOperator()) {
            row.put("message", Bounded.text(held.reason()));
            row.put("commands", List.of());
        }
        return row;
    }

    /** The statements that some members have executed and others have not. */
    Map<String, Object> changes(PipelineStatus pipeline) {
        return Bounded.list(
                pipeline.schemaChanges().stream()
                        .filter(item -> item.state() != SchemaItem.State.HELD)
                        .toList(),
                MOST,
                item -> (Object) change(item));
    }

    private Map<String, Object> change(SchemaItem item) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("shard", Bounded.text(item.shard()));
        row.put("state", item.state().name().toLowerCase(Locale.ROOT));
        row.put("seconds", item.seconds());
        row.put("code", item.code() == null ? "" : item.code().toString());
        row.put("hasCount", item.has().size());
        row.put("lacksCount", item.lacks().size());
        if (isOperator()) {
            row.put("id", item.id());
            row.put("class", item.kind() == null ? "TRANSACTION" : item.kind().toString());
            row.put(
                    "table",
                    item.table() == null ? "" : Bounded.text(item.table().toString()));
            row.put("text", Bounded.text(item.text()));
            row.put("gtid", item.gtid());
            row.put("position", item.file().isEmpty() ? "" : item.file() + ":" + item.offset());
            row.put("message", Bounded.text(item.message()));
            row.put("has", firstMembers(item.has()));
            row.put("lacks", firstMembers(item.lacks()));
            row.put("commands", item.commands().stream().limit(MOST_MEMBERS).toList());
        }
        return row;
    }

    private static List<String> firstMembers(List<String> members) {
        return members.stream().limit(MOST_MEMBERS).map(Bounded::text).toList();
    }

    /** The distributed transactions that are not emitted. */
    Map<String, Object> transactions(OrderSnapshot snapshot) {
        List<HeldTransaction> transactions = snapshot.transactions();
        Map<String, Object> list = Bounded.list(
                snapshot.total(), transactions, MOST_TRANSACTIONS, transaction -> (Object) transaction(transaction));
        list.put(
                "inDoubt",
                transactions.stream().filter(HeldTransaction::isInDoubt).count());
        list.put("waitCount", snapshot.waits().size());
        if (isOperator()) {
            list.put(
                    "waits",
                    snapshot.waits().stream()
                            .limit(MOST_MEMBERS)
                            .map(Bounded::text)
                            .toList());
        }
        return list;
    }

    private Map<String, Object> transaction(HeldTransaction transaction) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("seconds", transaction.ageMicros() / MICROS);
        row.put("inDoubt", transaction.isInDoubt());
        row.put("branchCount", transaction.branches().size());
        if (isOperator()) {
            row.put("xid", Bounded.text(transaction.xid().toString()));
            row.put("bytes", transaction.payloadBytes());
            row.put(
                    "branches",
                    transaction.branches().stream()
                            .limit(MOST_MEMBERS)
                            .map(HoldRows::branch)
                            .toList());
            row.put("unknownOn", firstMembers(transaction.diagnosis().unknownOn()));
            row.put("waitsFor", firstMembers(transaction.diagnosis().waitsFor()));
            row.put("commands", firstMembers(transaction.diagnosis().remedies()));
        }
        return row;
    }

    private static Map<String, Object> branch(HeldBranch branch) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("shard", Bounded.text(branch.shard()));
        row.put("state", branch.state().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        row.put("gtid", branch.state() == State.ROLLED_BACK ? "" : Gtid.text(branch.sid(), branch.gno()));
        return row;
    }

    private boolean isOperator() {
        return audience == Audience.OPERATOR;
    }
}
