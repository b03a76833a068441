package io.tributary.schema.rows;

import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.rows.convert.ColumnFacts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The correspondence of the columns of two table maps. Names are case-insensitive.
 *
 * @param sourceNames of the source's columns, in order; empty if the source's table map contains them
 * @param targetNames of the target's columns, in order; empty if the target's table map contains them
 * @param renames a source column's name to its name in the target, with chains resolved; other columns keep their names
 * @param constants by name of a target column the value of rows whose source lacks it; a missing one is unknown
 * @param sourceFacts of the source's columns, in order; empty = none
 * @param targetFacts of the target's columns, in order; empty = none
 */
public record Columns(
        List<String> sourceNames,
        List<String> targetNames,
        Map<String, String> renames,
        Map<String, AddedValue> constants,
        List<ColumnFacts> sourceFacts,
        List<ColumnFacts> targetFacts) {
    public Columns {
        sourceNames = List.copyOf(sourceNames);
        targetNames = List.copyOf(targetNames);
        renames = byLowerCase(renames);
        constants = byLowerCase(constants);
        sourceFacts = List.copyOf(sourceFacts);
        targetFacts = List.copyOf(targetFacts);
    }

    /** For table maps that contain all properties themselves. */
    public static Columns of(Map<String, String> renames, Map<String, AddedValue> constants) {
        return new Columns(List.of(), List.of(), renames, constants, List.of(), List.of());
    }

    /** The name of a source's column in the target. */
    String renamed(String sourceName) {
        return renames.getOrDefault(lower(sourceName), sourceName);
    }

    boolean isRenamed(String sourceName) {
        return renames.containsKey(lower(sourceName));
    }

    AddedValue constant(String targetName) {
        return constants.getOrDefault(lower(targetName), new AddedValue.Unknown("its default is not known"));
    }

    /** The name of a column: from the table map, otherwise from the given names; "" = unknown. */
    static String name(TableShape shape, List<String> given, int column) {
        String name = shape.name(column);
        return name.isEmpty() && given.size() == shape.columnCount() ? given.get(column) : name;
    }

    static ColumnFacts facts(TableShape shape, List<ColumnFacts> given, int column) {
        return given.size() == shape.columnCount() ? given.get(column) : ColumnFacts.NONE;
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static <T> Map<String, T> byLowerCase(Map<String, T> map) {
        Map<String, T> copy = new TreeMap<>();
        map.forEach((name, value) -> copy.put(lower(name), value));
        return java.util.Collections.unmodifiableMap(copy);
    }
}
