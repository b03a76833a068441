package io.tributary.testkit.check;

import java.util.List;

/**
 * What a checker found.
 *
 * @param name the invariant, such as "I1 no loss"
 * @param checked how many things were looked at
 * @param violations how many were wrong
 * @param first the first few of them, in words
 */
public record Report(String name, long checked, long violations, List<String> first) {
    public Report {
        first = List.copyOf(first);
    }

    public boolean isClean() {
        return violations == 0;
    }

    /** Throws an AssertionError with the report's text if anything is wrong, or if nothing was there to check. */
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
