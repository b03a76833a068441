package io.tributary.testkit.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts each row change and each DDL text on the shards and in the output. A row change must be in the output as often as the shards
 * committed it; a DDL statement as often as the shard executed it that executed it most often.
 */
final class ChangeLedger {
    private final Map<Long, Line> changes = new HashMap<>();
    private final Map<String, Line> statements = new HashMap<>();

    /** The expected and found counts of one row change or DDL text. */
    static final class Line {
        final String words;
        long expected;
        long found;

        Line(String words) {
            this.words = words;
        }
    }

    ChangeLedger(List<ShardHistory> shards) {
        for (ShardHistory shard : shards) {
            Map<String, Long> texts = new HashMap<>();
            for (ShardHistory.Step step : shard.steps()) {
                if (step.isCommitted()) {
                    expect(shard.name(), step.transaction, texts);
                }
            }
            texts.forEach((text, count) -> {
                Line line = statements.computeIfAbsent(text, t -> new Line(t + " on " + shard.name()));
                line.expected = Math.max(line.expected, count);
            });
        }
    }

    private void expect(String shard, BinlogTransaction transaction, Map<String, Long> texts) {
        for (RowChange change : transaction.changes()) {
            changes.computeIfAbsent(
                            change.hash(), h -> new Line(change.words() + " of " + shard + " " + transaction.place()))
                    .expected++;
        }
        if (transaction.kind() == TransactionKind.DDL) {
            transaction.queries().forEach(text -> texts.merge(text, 1L, Long::sum));
        }
    }

    /** Counts the changes of an output transaction; returns the changed lines. */
    List<Line> find(BinlogTransaction transaction) {
        List<Line> lines = new ArrayList<>();
        for (RowChange change : transaction.changes()) {
            lines.add(changes.computeIfAbsent(
                    change.hash(), h -> new Line(change.words() + " in the output at " + transaction.place())));
        }
        if (transaction.kind() == TransactionKind.DDL) {
            for (String text : transaction.queries()) {
                lines.add(statements.computeIfAbsent(
                        text, t -> new Line(t + " in the output at " + transaction.place())));
            }
        }
        lines.forEach(line -> line.found++);
        return lines;
    }

    Iterable<Line> lines() {
        List<Line> all = new ArrayList<>(changes.values());
        all.addAll(statements.values());
        return all;
    }
}
