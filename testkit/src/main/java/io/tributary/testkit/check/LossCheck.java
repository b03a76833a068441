package io.tributary.testkit.check;

import java.util.List;

/** Checker of I1: every row change and every DDL that a shard committed is in the output. */
public final class LossCheck implements Check {
    private final ChangeLedger ledger;

    /** @param shards histories that were read after the load had ended; branches in doubt are not expected */
    public LossCheck(List<ShardHistory> shards) {
        ledger = new ChangeLedger(shards);
    }

    @Override
    public void accept(BinlogTransaction transaction) {
        ledger.find(transaction);
    }

    @Override
    public Report report() {
        Violations violations = new Violations("I1 no loss");
        for (ChangeLedger.Line line : ledger.lines()) {
            violations.checked();
            if (line.found < line.expected) {
                violations.add(line.words + ": expected " + line.expected + " times, found " + line.found);
            }
        }
        return violations.report();
    }
}
