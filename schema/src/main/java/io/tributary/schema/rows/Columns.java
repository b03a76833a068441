package io.tributary.schema.rows;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The correspondence of the columns of two table maps. Names are case-insensitive.
 *
 * @param source the source's columns
 * @param target the target's columns
 * @param renames a source column's name to its name in the target, with chains resolved; other columns keep their names
 * @param constants by name of a target column the value of rows whose source lacks it; a missing one is unknown
 */
public record Columns(
        DescribedColumns source,
        DescribedColumns target,
        Map<String, String> renames,
        Map<String, AddedValue> constants) {
    public Columns {
        renames = byLowerCase(renames);
        constants = byLowerCase(constants);
    }

    /** For table maps that contain all properties themselves. */
    public static Columns of(Map<String, String> renames, Map<String, AddedValue> constants) {
        return new Columns(DescribedColumns.NONE, DescribedColumns.NONE, renames, constants);
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

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static <T> Map<String, T> byLowerCase(Map<String, T> map) {
        Map<String, T> copy = new TreeMap<>();
        map.forEach((name, value) -> copy.put(lower(name), value));
        return java.util.Collections.unmodifiableMap(copy);
    }
}
