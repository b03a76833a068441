package io.tributary.node.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table of text for a terminal: the first column is aligned to the left, the others to the right. */
public final class TextTable {
    private final List<String[]> lines = new ArrayList<>();

    public TextTable(String... titles) {
        lines.add(titles);
    }

    /** Adds a line with as many cells as there are titles. */
    public void add(String... cells) {
        lines.add(cells);
    }

    public boolean isEmpty() {
        return lines.size() == 1;
    }

    @Override
    public String toString() {
        int[] widths = new int[lines.get(0).length];
        for (String[] line : lines) {
            Arrays.setAll(widths, i -> Math.max(widths[i], line[i].length()));
        }
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - line[i].length());
                row.append(i == 0 ? line[i] + pad : "  " + pad + line[i]);
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
