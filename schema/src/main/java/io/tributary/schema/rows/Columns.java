package io.tributary.schema.rows;

import io.tributary.mysql.event.TableShape;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the columns of two table maps belong together. Names are compared without regard to case.
 *
 * @param sourceNames of the source's columns, in order; empty where the source's table map names them
 * @param targetNames of the target's columns, in order; empty where the target's table map names them
 * @param renames a source column's name to its name in the target, chains resolved; a column without one keeps its name
 * @param constants by name of a target column what rows get in it if the source lacks it; a missing one is unknown
 * @param sourceFacts of the source's columns, in order; empty for none
 * @param targetFacts of the target's columns, in order; empty for none
 */
public record Columns(
        List<String> sourceNames,
        List<String> targetNames,
        Map<String, String> renames,
        Map<String, Constant> constants,
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

    /** Of table maps that say all themselves. */
    public static Columns of(Map<String, String> renames, Map<String, Constant> constants) {
        return new Columns(List.of(), List.of(), renames, constants, List.of(), List.of());
    }

    /** As a source's column is called in the target. */
    String renamed(String sourceName) {
        return renames.getOrDefault(lower(sourceName), sourceName);
    }

    boolean isRenamed(String sourceName) {
        return renames.containsKey(lower(sourceName));
    }

    Constant constant(String targetName) {
        return constants.getOrDefault(lower(targetName), new Constant.Unknown("its default is not known"));
    }

    /** The names of a side: those of the table map, else those given; "" for unknown ones. */
    static String name(TableShape shape, List<String> given, int column) {
        String told = shape.name(column);
        return told.isEmpty() && given.size() == shape.columnCount() ? given.get(column) : told;
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
