package io.tributary.faults.check;

import io.tributary.testkit.check.Report;
import java.util.List;

/**
 * The results of checking a test cluster without load, since its start.
 *
 * @param transactions number of bank transactions on the shards
 * @param lost number of them that are not in the output
 * @param duplicated number of them that are in the output more than once
 * @param torn number of them with only some of their branches in the output
 * @param reports one report of each checker, one for each invariant
 */
public record Findings(long transactions, long lost, long duplicated, long torn, List<Report> reports) {
    public Findings {
        reports = List.copyOf(reports);
    }

    /** Whether nothing is wrong and every checker had something to check. */
    public boolean isClean() {
        return lost == 0
                && duplicated == 0
                && torn == 0
                && reports.stream().allMatch(report -> report.isClean() && report.checked() > 0);
    }

    /** The reports with violations, or with nothing that was checked. */
    public List<Report> wrong() {
        return reports.stream()
                .filter(report -> !report.isClean() || report.checked() == 0)
                .toList();
    }
}
