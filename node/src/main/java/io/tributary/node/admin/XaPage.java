package io.tributary.node.admin;

import io.tributary.collector.order.HeldTransaction;
import io.tributary.collector.order.HeldTransaction.HeldBranch;
import io.tributary.collector.order.HeldTransaction.State;
import io.tributary.collector.order.OrderSnapshot;
import io.tributary.common.gtid.Gtid;
import io.tributary.node.text.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of distributed transactions that are not emitted, as JSON for programs and as text for people. */
final class XaPage {
    private static final double MICROS = 1e6;

    private final OrderSnapshot snapshot;

    XaPage(OrderSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    String json() {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("total", snapshot.total());
        page.put(
                "transactions",
                snapshot.transactions().stream().map(XaPage::map).toList());
        page.put("waits", snapshot.waits());
        return JsonText.of(page) + "\n";
    }

    private static Map<String, Object> map(HeldTransaction transaction) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("xid", transaction.xid().toString());
        map.put("age.seconds", transaction.ageMicros() / MICROS);
        map.put("in.doubt", transaction.isInDoubt());
        map.put("payload.bytes", transaction.payloadBytes());
        List<Map<String, Object>> branches = new ArrayList<>();
        for (HeldBranch branch : transaction.branches()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("shard", branch.shard());
            one.put("state", state(branch));
            one.put("xid", branch.xid().toString());
            if (branch.state() != State.ROLLED_BACK) {
                one.put("gtid", Gtid.text(branch.sid(), branch.gno()));
                one.put("file", branch.file());
                one.put("offset", branch.offset());
                one.put("payload.bytes", branch.payloadBytes());
            }
            branches.add(one);
        }
        map.put("branches", branches);
        map.put("unknown.on", transaction.diagnosis().unknownOn());
        map.put("waits.for", transaction.diagnosis().waitsFor());
        map.put("remedies", transaction.diagnosis().remedies());
        return map;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(snapshot.total()).append(" distributed transactions are not emitted");
        if (snapshot.total() > snapshot.transactions().size()) {
            text.append("; the oldest ").append(snapshot.transactions().size());
        }
        text.append('\n');
        snapshot.waits().forEach(wait -> text.append(wait).append('\n'));
        snapshot.transactions().forEach(transaction -> append(text, transaction));
        return text.toString();
    }

    private static void append(StringBuilder text, HeldTransaction transaction) {
        text.append(String.format(
                Locale.ROOT,
                "%nXA %s  age %.1f s  %d bytes%s%n",
                transaction.xid(),
                transaction.ageMicros() / MICROS,
                transaction.payloadBytes(),
                transaction.isInDoubt() ? "  IN DOUBT" : ""));
        for (HeldBranch branch : transaction.branches()) {
            String prepared = branch.state() == State.ROLLED_BACK
                    ? ""
                    : "  prepared at " + branch.file() + ":" + branch.offset() + "  GTID "
                            + Gtid.text(branch.sid(), branch.gno());
            line(text, branch.shard(), state(branch) + "  " + branch.xid() + prepared);
        }
        transaction.diagnosis().unknownOn().forEach(shard -> line(text, shard, "unknown"));
        transaction.diagnosis().waitsFor().forEach(wait -> line(text, "waits for", wait));
        if (transaction.diagnosis().waitsFor().isEmpty()) {
            line(text, "waits for", "nothing: it is emitted next");
        }
        transaction.diagnosis().remedies().forEach(remedy -> line(text, "to do", remedy));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "  %-9s  %s%n", name, value));
    }

    private static String state(HeldBranch branch) {
        return branch.state().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
