package io.tributary.system.ddl;

import java.util.List;
import java.util.Random;

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
    /** A wording for one member, whose tables end in _number. */
    List<String> statements(int number, Random random) {
        return wordings.get(random.nextInt(wordings.size())).stream()
                .map(text -> named(text, number))
                .toList();
    }

    /** The member's table behind it. */
    String table(int number) {
        return to + "_" + number;
    }

    private String named(String text, int number) {
        return text.replace("@@", to + "_" + number)
                .replace("@gho", hidden(number, "gho"))
                .replace("@del", hidden(number, "del"))
                .replace("@chk", from.substring(from.indexOf('.') + 1) + "_" + number + "_chk_1")
                .replace("@", from + "_" + number);
    }

    private String hidden(int number, String suffix) {
        int dot = from.indexOf('.');
        return from.substring(0, dot) + "._" + from.substring(dot + 1) + "_" + number + "_" + suffix;
    }
}
