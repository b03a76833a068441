package io.tributary.system.ddl;

import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * One change of a logical table.
 *
 * @param kind for people
 * @param wordings each a list of statements that lead to the same
 * @param from the logical table before it, as schema.table
 * @param to the logical table behind it
 * @param columns that the table has behind it, beside id and v; none where the table is gone
 */
record SoakStep(String kind, List<List<String>> wordings, String from, String to, List<SoakColumn> columns) {
    /** Of a table that has the same name on each shard and in the output. */
    static final int UNNUMBERED = -1;

    private static final Pattern SIDE = Pattern.compile("@\\{(\\w+)}");
    private static final Pattern ID = Pattern.compile("@id");

    /**
     * A wording for one member, whose tables end in _number.
     *
     * @param ids of rows, each another one
     */
    List<String> statements(int number, Random random, LongSupplier ids) {
        return wordings.get(random.nextInt(wordings.size())).stream()
                .map(text -> named(text, number))
                .map(text -> ID.matcher(text).replaceAll(any -> Long.toString(ids.getAsLong())))
                .toList();
    }

    /** The member's table behind it. */
    String table(int number) {
        return numbered(to, number);
    }

    private static String numbered(String table, int number) {
        return number == UNNUMBERED ? table : table + "_" + number;
    }

    private String named(String text, int number) {
        return SIDE.matcher(text)
                .replaceAll(side -> schema() + "." + numbered(side.group(1), number))
                .replace("@@", numbered(to, number))
                .replace("@gho", hidden(number, "gho"))
                .replace("@del", hidden(number, "del"))
                .replace("@chk", name(number) + "_chk_1")
                .replace("@ibfk", name(number) + "_ibfk_1")
                .replaceAll("@(?!id)", numbered(from, number));
    }

    private String schema() {
        return from.substring(0, from.indexOf('.'));
    }

    private String name(int number) {
        return numbered(from.substring(from.indexOf('.') + 1), number);
    }

    private String hidden(int number, String suffix) {
        return schema() + "._" + name(number) + "_" + suffix;
    }
}
