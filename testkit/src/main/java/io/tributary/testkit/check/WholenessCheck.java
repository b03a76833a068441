package io.tributary.testkit.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checker of I3: there is no XA statement in the output, each local transaction of a shard is one transaction there with the same changes, and all
 * branches of a distributed transaction are in one transaction.
 */
public final class WholenessCheck implements Check {
    private final List<Marker> markers;
    private final Map<Long, Long> expected = new HashMap<>();
    private final Map<Long, String> words = new HashMap<>();
    private final Violations violations = new Violations("I3 whole");

    public WholenessCheck(List<ShardHistory> shards, List<Marker> markers) {
        this.markers = List.copyOf(markers);
        Map<String, Long> distributed = new HashMap<>();
        Map<String, String> places = new HashMap<>();
        for (ShardHistory shard : shards) {
            for (ShardHistory.Step step : shard.steps()) {
                BinlogTransaction transaction = step.transaction;
                if (!step.isCommitted() || transaction.changes().isEmpty()) {
                    continue;
                }
                String identity = Marker.identity(markers, transaction);
                String place = shard.name() + " " + transaction.place();
                if (!step.isBranch()) {
                    expect(transaction.changesHash(), place);
                } else if (!identity.startsWith("rows ")) {
                    distributed.merge(identity, transaction.changesHash(), Long::sum);
                    places.merge(identity, place, (a, b) -> a + " + " + b);
                }
            }
        }
        distributed.forEach((identity, hash) -> expect(hash, identity + " of " + places.get(identity)));
    }

    private void expect(long hash, String what) {
        expected.merge(hash, 1L, Long::sum);
        words.putIfAbsent(hash, what);
    }

    @Override
    public void accept(BinlogTransaction transaction) {
        violations.checked();
        if (transaction.kind() != TransactionKind.LOCAL && transaction.kind() != TransactionKind.DDL) {
            violations.add(transaction.kind() + " " + transaction.xid() + " at " + transaction.place());
        }
        expected.computeIfPresent(transaction.changesHash(), (hash, count) -> count == 1 ? null : count - 1);
        checkMarks(transaction);
    }

    private void checkMarks(BinlogTransaction transaction) {
        String name = null;
        long branches = 0;
        long found = 0;
        for (RowChange change : transaction.changes()) {
            Optional<Marker.Mark> mark = Marker.of(markers, change);
            if (mark.isEmpty()) {
                continue;
            }
            if (name != null && !name.equals(mark.get().name())) {
                violations.add(name + " and " + mark.get().name() + " are one transaction at " + transaction.place());
                return;
            }
            name = mark.get().name();
            branches = mark.get().branches();
            found++;
        }
        if (found != branches) {
            violations.add(name + " has " + found + " of its " + branches + " branches at " + transaction.place());
        }
    }

    @Override
    public Report report() {
        Violations missing = new Violations("I3 whole");
        expected.forEach((hash, count) -> missing.add("no output transaction has just these changes: " + words.get(hash)
                + (count > 1 ? " and " + (count - 1) : "")));
        Report before = violations.report();
        Report after = missing.report();
        List<String> all = new ArrayList<>(before.first());
        all.addAll(after.first());
        return new Report(before.name(), before.checked(), before.violations() + after.violations(), all);
    }
}
