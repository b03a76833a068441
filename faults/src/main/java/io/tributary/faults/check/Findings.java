package io.tributary.faults.check;

import io.tributary.testkit.check.Report;
import java.util.List;

/**
 * What was found wrong with a site at rest, from its beginning.
 *
 * @param transactions of the bank, on the shards
 * @param lost of them, not in the output
 * @param duplicated of them, more than once in the output
 * @param torn of them, with some of their branches only
 * @param reports of all checkers, one for each invariant
 */
public record Findings(long transactions, long lost, long duplicated, long torn, List<Report> reports) {
    public Findings {
        reports = List.copyOf(reports);
    }

    /** Whether nothing is wrong, and every checker had something to look at. */
    public boolean isClean() {
        return lost == 0
                && duplicated == 0
                && torn == 0
                && reports.stream().allMatch(report -> report.isClean() && report.checked() > 0);
    }

    /** The reports that found something, or had nothing to look at. */
    public List<Report> wrong() {
        return reports.stream()
                .filter(report -> !report.isClean() || report.checked() == 0)
                .toList();
    }
}
