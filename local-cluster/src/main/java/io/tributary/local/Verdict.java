package io.tributary.local;

import io.tributary.testkit.check.Report;
import io.tributary.testkit.check.TableChecksum;
import io.tributary.testkit.workload.BankFigures;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The result of a run: whether every transaction that was committed on the shards was written to the binlog, and whether the replica has
 * the same rows as the shards.
 *
 * @param in transactions committed on the shards, a distributed transaction is counted once
 * @param out transactions that the node wrote in the same time
 * @param xa distributed transactions among {@code in}
 * @param union checksum of each table over all shards
 * @param replica checksum of each table on the replica
 */
record Verdict(long in, long out, long xa, Map<String, TableChecksum> union, Map<String, TableChecksum> replica) {
    Verdict {
        union = Map.copyOf(union);
        replica = Map.copyOf(replica);
    }

    /** The verdict of a bank workload without faults, where the outcome of every transaction is known. */
    static Verdict of(
            BankFigures figures, long out, Map<String, TableChecksum> union, Map<String, TableChecksum> replica) {
        return new Verdict(figures.committed(), out, figures.xa(), union, replica);
    }

    boolean passed() {
        return in > 0 && in == out && tables().isClean();
    }

    private Report tables() {
        return TableChecksum.compare(union, replica);
    }

    /** One line: PASS or FAIL, and the counts. */
    String line() {
        StringJoiner line = new StringJoiner("; ", passed() ? "PASS: " : "FAIL: ", "");
        line.add("transactions in " + in).add("out " + out).add("XA " + xa);
        union.keySet().stream().sorted().forEach(table -> line.add(table + " " + words(table)));
        replica.keySet().stream()
                .filter(table -> !union.containsKey(table))
                .sorted()
                .forEach(table -> line.add(table + " is only on the replica"));
        return line.toString();
    }

    private String words(String table) {
        TableChecksum wanted = union.get(table);
        TableChecksum found = replica.get(table);
        if (wanted.equals(found)) {
            return wanted.words();
        }
        return "DIFFERS (shards: " + wanted.words() + "; replica: " + (found == null ? "no such table" : found.words())
                + ")";
    }
}
