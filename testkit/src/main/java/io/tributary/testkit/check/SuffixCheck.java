package io.tributary.testkit.check;

import io.tributary.common.gtid.GtidSet;
import java.util.Iterator;
import java.util.List;

/** Checker of I10: a reader that connected with a GTID set or a position received exactly the missing transactions: all once, in order, unchanged. */
public final class SuffixCheck {
    private SuffixCheck() {}

    /** For a reader by GTID set: {@code got} must be all of {@code whole} that is not in {@code had}, up to the end of {@code got}. */
    public static Report byGtids(List<BinlogTransaction> whole, GtidSet had, List<BinlogTransaction> got) {
        return compare(
                whole.stream()
                        .filter(transaction -> !had.contains(transaction.gtid()))
                        .toList(),
                got);
    }

    /** For a reader by position: {@code got} must be all of {@code whole} that begins at this position or later. */
    public static Report byPosition(
            List<BinlogTransaction> whole, String file, long offset, List<BinlogTransaction> got) {
        return compare(
                whole.stream()
                        .filter(transaction -> transaction.file().compareTo(file) > 0
                                || (transaction.file().equals(file) && transaction.start() >= offset))
                        .toList(),
                got);
    }

    private static Report compare(List<BinlogTransaction> expected, List<BinlogTransaction> got) {
        Violations violations = new Violations("I10 suffix");
        Iterator<BinlogTransaction> found = got.iterator();
        for (BinlogTransaction wanted : expected) {
            violations.checked();
            if (!found.hasNext()) {
                violations.add("the reader lacks " + wanted.place() + " and what follows");
                return violations.report();
            }
            BinlogTransaction next = found.next();
            if (!wanted.gtid().equals(next.gtid())) {
                violations.add("the reader received " + next.place() + ", expected " + wanted.place());
                return violations.report();
            }
            if (wanted.hash() != next.hash()) {
                violations.add("the reader received other bytes for " + wanted.place());
            }
        }
        while (found.hasNext()) {
            violations.add("the reader received " + found.next().place() + " after the end");
        }
        return violations.report();
    }
}
