package io.tributary.testkit.check;

import io.tributary.common.gtid.GtidSet;
import java.util.Iterator;
import java.util.List;

/** I10: a reader that came with a GTID set, or a position, got exactly what was missing: all of it, once, in order, unchanged. */
public final class SuffixCheck {
    private SuffixCheck() {}

    /** For a reader by GTID set: {@code got} must be all of {@code whole} that is not in {@code had}, up to where it ends. */
    public static Report byGtids(List<BinlogTransaction> whole, GtidSet had, List<BinlogTransaction> got) {
        return compare(
                whole.stream()
                        .filter(transaction -> !had.contains(transaction.gtid()))
                        .toList(),
                got);
    }

    /** For a reader by position: {@code got} must be all of {@code whole} that begins there or later. */
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
                violations.add("the reader got " + next.place() + " where " + wanted.place() + " was next");
                return violations.report();
            }
            if (wanted.hash() != next.hash()) {
                violations.add("the reader got other bytes for " + wanted.place());
            }
        }
        while (found.hasNext()) {
            violations.add("the reader got " + found.next().place() + " beyond the end");
        }
        return violations.report();
    }
}
