package io.tributary.node.command.output;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Facts as text for people: a map as lines of names and values, a list of maps as a table. */
public final class FactsText {
    private FactsText() {}

    /** Lines of a map, or of the items of a list; a scalar is one line. */
    public static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return lines(map);
        }
        return value instanceof Collection<?> items
                ? items.stream().map(item -> cell(item) + "\n").collect(Collectors.joining())
                : cell(value) + "\n";
    }

    private static String lines(Map<?, ?> map) {
        int width = map.keySet().stream()
                .mapToInt(key -> key.toString().length())
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder();
        map.forEach((name, value) -> text.append(name)
                .append(" ".repeat(width + 2 - name.toString().length()))
                .append(cell(value))
                .append('\n'));
        return text.toString();
    }

    /**
     * A table: columns of numbers are aligned to the right, others to the left.
     *
     * @param rows all with the same keys
     * @param titles of the columns, in the order of the keys
     */
    public static String table(List<Map<String, Object>> rows, String... titles) {
        int[] widths = new int[titles.length];
        boolean[] areNumbers = new boolean[titles.length];
        Arrays.setAll(widths, i -> titles[i].length());
        Arrays.fill(areNumbers, !rows.isEmpty());
        for (Map<String, Object> row : rows) {
            int i = 0;
            for (Object value : row.values()) {
                widths[i] = Math.max(widths[i], cell(value).length());
                areNumbers[i] &= value == null || value instanceof Number;
                i++;
            }
        }
        StringBuilder text = new StringBuilder();
        append(text, List.of(titles), widths, areNumbers);
        rows.forEach(row -> append(text, row.values(), widths, areNumbers));
        return text.toString();
    }

    private static void append(StringBuilder text, Collection<?> cells, int[] widths, boolean[] areNumbers) {
        StringBuilder line = new StringBuilder();
        int i = 0;
        for (Object value : cells) {
            String cell = cell(value);
            String pad = " ".repeat(widths[i] - cell.length());
            line.append(i == 0 ? "" : "  ").append(areNumbers[i] ? pad + cell : cell + pad);
            i++;
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static String cell(Object value) {
        if (value == null) {
            return "-";
        }
        return value instanceof Collection<?> items
                ? items.stream().map(FactsText::cell).collect(Collectors.joining(", "))
                : value.toString();
    }
}
