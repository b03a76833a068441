package io.tributary.testkit.check;

import java.util.List;

/**
 * The result of a checker.
 *
 * @param name the invariant, such as "I1 no loss"
 * @param checked number of checked items
 * @param violations number of violations
 * @param first texts of the first violations
 */
public record Report(String name, long checked, long violations, List<String> first) {
    public Report {
        first = List.copyOf(first);
    }

    public boolean isClean() {
        return violations == 0;
    }

    /** Throws an AssertionError with the report's text if there is a violation, or if nothing was checked. */
    public Report assertClean() {
        if (!isClean() || checked == 0) {
            throw new AssertionError(toString());
        }
        return this;
    }

    @Override
    public String toString() {
        return name + ": " + checked + " checked, " + violations + " wrong"
                + (first.isEmpty() ? "" : "\n  " + String.join("\n  ", first));
    }
}
