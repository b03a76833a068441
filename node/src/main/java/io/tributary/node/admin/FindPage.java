package io.tributary.node.admin;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.tributary.common.gtid.Gtid;
import io.tributary.node.text.JsonText;
import io.tributary.serve.find.SearchGoal;
import io.tributary.serve.sql.SqlTime;
import io.tributary.serve.sql.SqlValue;
import io.tributary.serve.statement.NodeTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page /find: the position in the binlog of a time, a GTID or a TSO. */
final class FindPage {
    private FindPage() {}

    /**
     * The goal of the search: one of the parameters time, gtid, tso.
     *
     * @throws RuntimeException with a message for people if there is none of them
     */
    static SearchGoal goal(QueryStringDecoder target) {
        Map<String, List<String>> parameters = target.parameters();
        if (parameters.containsKey("time")) {
            return new SearchGoal.Time(
                    SqlTime.micros(SqlValue.of(parameters.get("time").get(0))));
        }
        if (parameters.containsKey("gtid")) {
            return new SearchGoal.Transaction(Gtid.parse(parameters.get("gtid").get(0)));
        }
        if (parameters.containsKey("tso")) {
            return new SearchGoal.Tso(tso(parameters.get("tso").get(0)));
        }
        throw new IllegalArgumentException("expected one of the parameters time, gtid and tso, found none");
    }

    private static long tso(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a TSO as a number, found '" + text + "'", e);
        }
    }

    private static Map<String, String> row(NodeTables.Table table) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < table.columns().size(); i++) {
            row.put(table.columns().get(i), table.rows().get(0).get(i));
        }
        return row;
    }

    static String json(NodeTables.Table table) {
        return JsonText.of(row(table)) + "\n";
    }

    static String text(NodeTables.Table table) {
        StringBuilder text = new StringBuilder();
        row(table).forEach((name, value) -> {
            if (value != null && !value.isEmpty()) {
                text.append(String.format("%-12s  %s%n", name, value));
            }
        });
        return text.toString();
    }
}
