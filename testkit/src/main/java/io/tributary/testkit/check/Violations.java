package io.tributary.testkit.check;

import java.util.ArrayList;
import java.util.List;

/** Counts checked items and violations of a checker, and keeps the texts of the first violations. */
final class Violations {
    private static final int KEPT = 10;

    private final String name;
    private final List<String> first = new ArrayList<>();
    private long checked;
    private long count;

    Violations(String name) {
        this.name = name;
    }

    void checked() {
        checked++;
    }

    void add(String words) {
        count++;
        if (first.size() < KEPT) {
            first.add(words);
        }
    }

    Report report() {
        return new Report(name, checked, count, first);
    }
}
