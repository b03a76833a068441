package io.tributary.system.ddl;

import com.mysql.cj.xdevapi.DbDoc;
import com.mysql.cj.xdevapi.JsonArray;
import com.mysql.cj.xdevapi.JsonParser;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The output of {@code tributary ddl list -o json}.
 *
 * @param total number of statements and questions
 */
record DdlList(int total, List<DdlStatement> statements) {
    /** Parses the output of the command, in which warnings of the JVM may be first; empty if it contains no such page. */
    static Optional<DdlList> parse(String printed) {
        return printed.lines().filter(line -> line.startsWith("{")).findFirst().map(DdlList::read);
    }

    private static DdlList read(String json) {
        DbDoc page = JsonParser.parseDoc(json);
        List<DdlStatement> statements = ((JsonArray) page.get("statements"))
                .stream().map(each -> DdlStatement.of((DbDoc) each)).toList();
        return new DdlList(Integer.parseInt(page.get("total").toString()), statements);
    }

    /** The first one in a state whose table or text contains all these parts, in any case. */
    Optional<DdlStatement> find(String state, String... parts) {
        return statements.stream()
                .filter(each -> each.state().equals(state))
                .filter(each -> {
                    String words = (each.table() + " " + each.text()).toLowerCase(Locale.ROOT);
                    return Arrays.stream(parts).allMatch(part -> words.contains(part.toLowerCase(Locale.ROOT)));
                })
                .findFirst();
    }
}
