package io.tributary.collector.order;

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

/** Checks the guarantees of ordering.md on one output: each transaction once and completely, each shard's order, each row's history. */
final class ScheduleCheck {
    private ScheduleCheck() {}

    /** Returns how many transactions committed, all of which were emitted. */
    static int check(Schedule schedule, List<Transaction> output) {
        Map<Integer, Integer> place = new HashMap<>();
        for (Transaction each : output) {
            assertNull(place.put(each.number(), place.size()), "a transaction twice");
        }
        Set<Integer> committed = new HashSet<>();
        for (List<Entry> log : schedule.logs()) {
            int last = -1;
            for (Entry entry : log) {
                Integer at = place.get(entry.transaction());
                if (entry.commits() && schedule.changing().counts(entry)) {
                    committed.add(entry.transaction());
                }
                if (at != null && entry.hasRows()) {
                    boolean counts = schedule.changing().counts(entry.transaction(), entry.shard());
                    List<Integer> expected = counts ? entry.rows() : null;
                    assertEquals(expected, output.get(at).rows().get(entry.shard()), "torn");
                }
                if (at != null && entry.kind() == 'L' && schedule.changing().counts(entry)) {
                    assertTrue(last < at, "shard order");
                    last = at;
                }
            }
        }
        for (List<Integer> history : schedule.rowHistories()) {
            int last = -1;
            boolean missing = false;
            for (int transaction : history) {
                Integer at = place.get(transaction);
                assertFalse(at != null && missing, "a gap in a row's history");
                missing = at == null;
                assertTrue(missing || last < at, "conflict order");
                last = missing ? last : at;
            }
        }
        assertTrue(committed.containsAll(place.keySet()), "a transaction that was rolled back");
        assertEquals(committed.size(), place.size(), "all committed transactions were emitted");
        return committed.size();
    }

    /** No transaction may run in parallel with one on which it depends by its shards' clocks, and all others may. */
    static void checkClock(Schedule schedule, List<Transaction> output, boolean isExact) {
        Map<Integer, Long> numbers = new HashMap<>();
        output.forEach(each -> numbers.put(each.number(), numbers.size() + 1L));
        Map<Integer, Long> expected = new HashMap<>();
        for (List<Entry> log : schedule.logs()) {
            long[] newest = new long[log.size() + 1]; // by source sequence number
            for (Entry entry : log) {
                boolean counts = entry.commits() && schedule.changing().counts(entry);
                long number = counts ? numbers.get(entry.transaction()) : 0;
                newest[entry.place() + 1] = Math.max(newest[entry.place()], number);
                if (entry.hasRows()) {
                    long depends = newest[(int) Replay.lastCommitted(entry)];
                    expected.merge(entry.transaction(), depends, Math::max);
                }
            }
        }
        for (Transaction each : output) {
            long least = expected.get(each.number());
            assertTrue(each.lastCommitted() >= least, "runs in parallel with a transaction on which it depends");
            assertTrue(each.lastCommitted() < numbers.get(each.number()), "depends on itself");
            assertTrue(!isExact || each.lastCommitted() == least, "waits for more than it depends on");
        }
    }
}
