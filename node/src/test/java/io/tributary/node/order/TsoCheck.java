package io.tributary.node.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.order.Entry;
import io.tributary.testkit.order.ReplayedOutput.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The check of the guarantees of docs/ordering.md for `tso` on one output. */
public final class TsoCheck {
    private final TsoSchedule schedule;
    private final List<Transaction> output;
    private final Map<Integer, Integer> position = new HashMap<>();

    private TsoCheck(TsoSchedule schedule, List<Transaction> output) {
        this.schedule = schedule;
        this.output = output;
    }

    public static void check(TsoSchedule schedule, List<Transaction> output) {
        TsoCheck check = new TsoCheck(schedule, output);
        for (Transaction each : output) {
            assertNull(check.position.put(each.number(), check.position.size()), "a transaction twice");
        }
        check.onceAndComplete();
        check.byTso();
        schedule.logs().forEach(check::shardOrder);
        check.rowHistories();
    }

    private void onceAndComplete() {
        Set<Integer> committed = new HashSet<>();
        Map<Integer, Integer> branches = new HashMap<>();
        for (List<Entry> log : schedule.logs()) {
            for (Entry entry : log) {
                if (entry.commits() && schedule.changing().counts(entry)) {
                    committed.add(entry.transaction());
                    branches.merge(entry.transaction(), 1, Integer::sum);
                }
                Integer at = position.get(entry.transaction());
                if (at != null && entry.hasRows()) {
                    boolean counts = schedule.changing().counts(entry.transaction(), entry.shard());
                    List<Integer> expected = counts ? entry.rows() : null;
                    assertEquals(expected, output.get(at).rows().get(entry.shard()), "torn");
                }
            }
        }
        assertTrue(committed.containsAll(position.keySet()), "a transaction that was rolled back");
        assertEquals(committed.size(), position.size(), "all committed transactions are emitted");
        output.forEach(
                each -> assertEquals(branches.get(each.number()), each.rows().size(), "all branches"));
    }

    /** Checks that transactions with a TSO are in the order of TSOs, on all shards. */
    private void byTso() {
        Map<Integer, Long> tsos = new HashMap<>();
        for (List<Entry> log : schedule.logs()) {
            for (Entry entry : log) {
                if (entry.transaction() >= 0) {
                    tsos.merge(entry.transaction(), entry.tso(), Math::max);
                }
            }
        }
        long last = 0;
        for (Transaction each : output) {
            long tso = tsos.get(each.number());
            assertTrue(tso == 0 || tso > last, "TSO " + tso + " after " + last);
            last = Math.max(last, tso);
        }
    }

    /** Checks that local transactions are in the shard's order, and a distributed one between its PREPARE and its COMMIT. */
    private void shardOrder(List<Entry> log) {
        int lastLocal = -1;
        Map<Integer, Integer> lastLocalBefore = new HashMap<>();
        int newestCommitted = -1;
        for (Entry entry : log) {
            Integer at = position.get(entry.transaction());
            if (entry.kind() != 'P' && !schedule.changing().counts(entry)) {
                continue;
            }
            switch (entry.kind()) {
                case 'L' -> {
                    assertTrue(at > lastLocal, "shard order");
                    assertTrue(at > newestCommitted, "a local transaction before a COMMIT that it follows");
                    lastLocal = at;
                }
                case 'P' -> lastLocalBefore.put(entry.transaction(), lastLocal);
                case 'C' -> {
                    assertTrue(at > lastLocalBefore.get(entry.transaction()), "before its PREPARE");
                    newestCommitted = Math.max(newestCommitted, at);
                }
                default -> {}
            }
        }
    }

    private void rowHistories() {
        for (List<Integer> history : schedule.rowHistories()) {
            int last = -1;
            for (int transaction : history) {
                assertFalse(position.get(transaction) <= last, "conflict order");
                last = position.get(transaction);
            }
        }
    }
}
