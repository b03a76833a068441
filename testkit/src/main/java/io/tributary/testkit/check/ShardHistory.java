package io.tributary.testkit.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The history of one shard by its own binlog, without the transactions that the output must leave out. */
public final class ShardHistory {
    private static final Set<String> LEFT_OUT =
            Set.of("tributary", "mysql", "sys", "information_schema", "performance_schema");
    private static final Pattern ACCOUNTS = Pattern.compile(
            "^\\s*(/\\*.*?\\*/\\s*)?(((create|drop|alter|rename)\\s+(user|role))|grant|revoke|set\\s+(password|default\\s+role)|flush)\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private final String name;
    private final List<Step> steps = new ArrayList<>();
    private final Map<String, Step> prepared = new HashMap<>();

    /** A transaction that was committed on the shard, rolled back, or is in doubt there. */
    static final class Step {
        /** The index of its changes in the shard's order. */
        final int at;

        final BinlogTransaction transaction;
        /** The index of its commit in the shard's order; -1 if it was rolled back or is in doubt. */
        int endedAt = -1;

        Step(int at, BinlogTransaction transaction) {
            this.at = at;
            this.transaction = transaction;
        }

        boolean isCommitted() {
            return endedAt >= 0;
        }

        boolean isBranch() {
            return transaction.kind() == TransactionKind.XA_PREPARED;
        }
    }

    private ShardHistory(String name) {
        this.name = name;
    }

    /** Reads a shard's binlog to its end. */
    public static ShardHistory read(String name, BinlogReader binlog) throws IOException {
        ShardHistory history = new ShardHistory(name);
        int[] at = {0};
        binlog.forEach(transaction -> history.add(at[0]++, transaction));
        return history;
    }

    private void add(int at, BinlogTransaction whole) {
        BinlogTransaction transaction = withoutLeftOut(whole);
        switch (transaction.kind()) {
            case XA_PREPARED -> prepared.put(transaction.xid(), add(at, transaction, -1));
            case XA_COMMITTED -> end(transaction.xid(), at);
            case XA_ROLLED_BACK -> end(transaction.xid(), -1);
            case LOCAL, XA_ONE_PHASE -> add(at, transaction, at);
            case DDL -> {
                if (transaction.queries().stream().noneMatch(ShardHistory::isLeftOut)) {
                    add(at, transaction, at);
                }
            }
        }
    }

    private Step add(int at, BinlogTransaction transaction, int endedAt) {
        Step step = new Step(at, transaction);
        step.endedAt = endedAt;
        steps.add(step);
        return step;
    }

    private void end(String xid, int at) {
        Step step = prepared.remove(xid);
        if (step != null) { // null: it was prepared before the oldest existing file
            step.endedAt = at;
        }
    }

    private static BinlogTransaction withoutLeftOut(BinlogTransaction t) {
        if (t.changes().stream().noneMatch(change -> LEFT_OUT.contains(change.schema()))) {
            return t;
        }
        List<RowChange> kept = t.changes().stream()
                .filter(change -> !LEFT_OUT.contains(change.schema()))
                .toList();
        return new BinlogTransaction(
                t.gtid(),
                t.file(),
                t.start(),
                t.end(),
                t.lastCommitted(),
                t.sequenceNumber(),
                t.kind(),
                t.xid(),
                t.queries(),
                kept,
                t.hash());
    }

    private static boolean isLeftOut(String sql) {
        return ACCOUNTS.matcher(sql).matches() || sql.toLowerCase(Locale.ROOT).contains("tributary");
    }

    String name() {
        return name;
    }

    /** All transactions in the order of their first appearance: local ones by their commit, branches by their prepare. */
    List<Step> steps() {
        return steps;
    }

    /** The number of committed transactions and branches. */
    public long committed() {
        return steps.stream().filter(Step::isCommitted).count();
    }

    /** The XIDs of the undecided branches. */
    public Set<String> inDoubt() {
        return Set.copyOf(prepared.keySet());
    }
}
