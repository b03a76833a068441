package io.tributary.testkit.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checker of I2: no change is in the output more often than the shards committed it; no GTID and no transaction number is there twice. */
public final class DuplicateCheck implements Check {
    private final ChangeLedger ledger;
    private final List<Marker> markers;
    private final Map<String, String> seen = new HashMap<>();
    private final Violations early = new Violations("I2 no duplicate");

    public DuplicateCheck(List<ShardHistory> shards, List<Marker> markers) {
        this.ledger = new ChangeLedger(shards);
        this.markers = List.copyOf(markers);
    }

    @Override
    public void accept(BinlogTransaction transaction) {
        ledger.find(transaction);
        once("GTID " + transaction.gtid(), transaction);
        String identity = Marker.identity(markers, transaction);
        if (!identity.isEmpty() && !identity.startsWith("rows ")) {
            once("transaction " + identity, transaction);
        }
    }

    private void once(String name, BinlogTransaction transaction) {
        early.checked();
        String before = seen.putIfAbsent(name, transaction.place());
        if (before != null) {
            early.add(name + " at " + transaction.place() + " is already at " + before);
        }
    }

    @Override
    public Report report() {
        Violations all = new Violations("I2 no duplicate");
        for (ChangeLedger.Line line : ledger.lines()) {
            all.checked();
            if (line.found > line.expected) {
                all.add(line.words + ": expected " + line.expected + " times, found " + line.found);
            }
        }
        Report first = early.report();
        Report second = all.report();
        List<String> words = new ArrayList<>(first.first());
        words.addAll(second.first());
        return new Report(
                second.name(), first.checked() + second.checked(), first.violations() + second.violations(), words);
    }
}
