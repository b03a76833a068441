package io.tributary.node.command.output;

import io.tributary.node.admin.TextTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Facts as text for people: a map as lines of names and values, a list of maps as a table. */
final class FactsText {
    private FactsText() {}

    static String of(Object value) {
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

    /** @param titles of the columns, which are the keys of the maps; a title may be the key in capitals */
    static String table(List<Map<String, Object>> rows, String... titles) {
        TextTable table = new TextTable(titles);
        for (Map<String, Object> row : rows) {
            List<String> cells = new ArrayList<>();
            row.values().forEach(value -> cells.add(cell(value)));
            table.add(cells.toArray(String[]::new));
        }
        return table.toString();
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
