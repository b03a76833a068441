package io.tributary.faults.check;

import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.Check;
import io.tributary.testkit.check.Report;
import io.tributary.testkit.check.RowChange;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import io.tributary.testkit.workload.BankWorkload;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the bank's transactions that are lost, duplicated or torn in the output. The shards' tables contain the ids of all transactions. */
final class TransferCheck implements Check {
    private static final int ID = 0;
    private static final int BRANCHES = 2;
    private static final int MOST_WORDS = 5;

    private final Set<Long> committed = new HashSet<>();
    private final Map<Long, Integer> seen = new HashMap<>();
    private final Set<Long> torn = new HashSet<>();

    TransferCheck(List<MysqlServer> shards) throws SQLException {
        for (MysqlServer shard : shards) {
            try (Sql sql = shard.sql()) {
                for (Map<String, String> row : sql.rows("SELECT id FROM bank.transfers")) {
                    committed.add(Long.valueOf(row.get("id")));
                }
            }
        }
    }

    @Override
    public void accept(BinlogTransaction transaction) {
        Map<Long, Long> missing = new HashMap<>();
        for (RowChange change : transaction.changes()) {
            if (change.isOf(BankWorkload.SCHEMA, "transfers")) {
                missing.merge(change.row().number(ID), change.row().number(BRANCHES) - 1, (left, unused) -> left - 1);
            }
        }
        missing.forEach((id, left) -> {
            seen.merge(id, 1, Integer::sum);
            if (left != 0) {
                torn.add(id);
            }
        });
    }

    /** The number of transactions on the shards. */
    long transactions() {
        return committed.size();
    }

    List<Long> lost() {
        return committed.stream().filter(id -> !seen.containsKey(id)).sorted().toList();
    }

    List<Long> duplicated() {
        return seen.entrySet().stream()
                .filter(entry -> entry.getValue() > 1 && !torn.contains(entry.getKey()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    List<Long> torn() {
        return torn.stream().sorted().toList();
    }

    @Override
    public Report report() {
        List<String> words = new ArrayList<>();
        add(words, "lost", lost());
        add(words, "duplicated", duplicated());
        add(words, "torn", torn());
        return new Report(
                "bank transactions",
                committed.size(),
                (long) lost().size() + duplicated().size() + torn().size(),
                words);
    }

    private static void add(List<String> words, String what, List<Long> ids) {
        if (!ids.isEmpty()) {
            words.add(what + ": transfers " + ids.subList(0, Math.min(MOST_WORDS, ids.size()))
                    + (ids.size() > MOST_WORDS ? " and " + (ids.size() - MOST_WORDS) + " more" : ""));
        }
    }
}
