package io.tributary.seed.folder;

import io.tributary.common.value.TableName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The names of schemas and tables in names of files. As in mydumper, a name that could be misread there is replaced by {@code mydumper_} and a number,
 * and loaders read the real name from the statement in the file. Any thread.
 */
final class DumpNames {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_$-]+");
    private static final String REPLACED = "mydumper_";

    private final Map<String, String> replaced = new LinkedHashMap<>();

    /** The name of a schema or table. */
    synchronized String of(String name) {
        boolean isPlain = PLAIN.matcher(name).matches() && !name.startsWith(REPLACED) && !name.contains("-schema");
        return isPlain ? name : replaced.computeIfAbsent(name, same -> REPLACED + replaced.size());
    }

    /** Schema and table with a point between them. */
    String of(TableName table) {
        return of(table.schema()) + "." + of(table.table());
    }

    /** Whether a name is another one in names of files. */
    boolean isReplaced(String name) {
        return !of(name).equals(name);
    }
}
