package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks the messages of {@link RowLoad}: each row once, in order in each partition; applied in this order they give the table. */
final class ReplayCheck {
    private ReplayCheck() {}

    /**
     * Checks all.
     *
     * @param first number of the first transaction of the load
     * @param last number of its last transaction
     */
    static void check(List<Received> all, MysqlServer source, long first, long last) throws Exception {
        Map<Long, TreeMap<Long, Integer>> rows = new HashMap<>();
        Map<Long, Long> lasts = new HashMap<>();
        Set<String> seen = new HashSet<>();
        Map<Integer, Received> before = new HashMap<>();
        for (Received one : all) {
            String id = one.headers().gtid() + " " + one.headers().row() + " "
                    + one.headers().split();
            assertTrue(seen.add(id), () -> "twice: " + one);
            rows.computeIfAbsent(one.gno(), gno -> new TreeMap<>())
                    .merge(one.headers().row(), 1, Integer::sum);
            if (one.headers().isLast()) {
                Long other = lasts.put(one.gno(), one.headers().row());
                assertEquals(null, other, () -> "another last row than " + one);
            }
            Received previous = before.put(one.partition(), one);
            if (previous != null) {
                boolean isAfter = previous.gno() < one.gno()
                        || previous.gno() == one.gno()
                                && previous.headers().row() <= one.headers().row();
                assertTrue(isAfter, () -> previous + " before " + one);
            }
        }
        for (long gno = first; gno <= last; gno++) {
            TreeMap<Long, Integer> found = rows.get(gno);
            long number = gno;
            assertTrue(found != null, () -> "transaction " + number + " is missing");
            assertEquals(found.size() - 1L, found.lastKey(), () -> "rows of transaction " + number + ": " + found);
            assertEquals(found.lastKey(), lasts.get(gno), () -> "last row of transaction " + number);
        }
        assertEquals(last - first + 1, rows.size());
        assertEquals(table(source), replay(all));
    }

    private static Map<Long, String> replay(List<Received> all) {
        Map<Long, String> table = new TreeMap<>();
        for (Received one : all) {
            String[] words = one.value().split(" ", 3);
            if (words[0].equals("DELETE")) {
                assertEquals(words[2], table.remove(key(words[2])), one::toString);
            } else if (words[0].equals("UPDATE")) {
                String[] images = words[2].split(" > ", -1);
                assertEquals(images[0], table.remove(key(images[0])), one::toString);
                table.put(key(images[1]), images[1]);
            } else {
                assertEquals(null, table.put(key(words[2]), words[2]), one::toString);
            }
        }
        return table;
    }

    private static long key(String row) {
        return Long.parseLong(row.substring(0, row.indexOf(',')));
    }

    private static Map<Long, String> table(MysqlServer source) throws Exception {
        Map<Long, String> table = new TreeMap<>();
        try (Sql sql = source.sql()) {
            for (var row : sql.rows("SELECT * FROM shop.t")) {
                table.put(Long.valueOf(row.get("id")), row.get("id") + "," + row.get("v") + "," + row.get("note"));
            }
        }
        return table;
    }
}
