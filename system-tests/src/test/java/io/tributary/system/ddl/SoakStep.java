package io.tributary.system.ddl;

import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * One change of a logical table.
 *
 * @param kind the name of the kind, for messages
 * @param wordings lists of statements with the same effect
 * @param from the logical table before it, as schema.table
 * @param to the logical table after it
 * @param columns the columns of the table after it, in addition to id and v; empty if the table is dropped
 */
record SoakStep(String kind, List<List<String>> wordings, String from, String to, List<SoakColumn> columns) {
    /** The number of a table that has the same name on each shard and in the output. */
    static final int UNNUMBERED = -1;

    private static final Pattern SIDE = Pattern.compile("@\\{(\\w+)}");
    private static final Pattern ID = Pattern.compile("@id");

    /**
     * The statements of a random wording for one member, whose table names end with _number.
     *
     * @param ids supplies unique ids of rows
     */
    List<String> statements(int number, Random random, LongSupplier ids) {
        return wordings.get(random.nextInt(wordings.size())).stream()
                .map(text -> named(text, number))
                .map(text -> ID.matcher(text).replaceAll(any -> Long.toString(ids.getAsLong())))
                .toList();
    }

    /** The table of the member after the change. */
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
