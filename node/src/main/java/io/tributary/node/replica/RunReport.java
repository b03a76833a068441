package io.tributary.node.replica;

import io.tributary.common.value.TableName;
import io.tributary.node.status.VerifyStatus;
import io.tributary.seed.change.LastChange;
import io.tributary.seed.change.SearchResult;
import io.tributary.seed.verify.Finding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What one comparison of the schedule has found so far. Any thread. */
final class RunReport implements VerifyReport {
    private static final int MOST_KEPT = 100;

    private final Instant begin;
    /** Called after each chunk; throws to end the comparison. */
    private final Runnable mayContinue;

    private final List<Finding> kept = new ArrayList<>();
    private final Map<Finding, LastChange> changes = new LinkedHashMap<>();
    private final Map<String, Long> byTable = new TreeMap<>();
    private int tables;
    private long rows;
    private long findings;
    private long busy;
    private String searched = "";

    RunReport(Instant begin, Runnable mayContinue) {
        this.begin = begin;
        this.mayContinue = mayContinue;
    }

    @Override
    public synchronized void begins(int count) {
        tables = count;
    }

    @Override
    public void chunk(TableName table, long count) {
        synchronized (this) {
            rows += count;
        }
        mayContinue.run();
    }

    @Override
    public synchronized void found(Finding finding) {
        if (!finding.isDifference()) {
            busy++;
            return;
        }
        findings++;
        byTable.merge(finding.table().toString(), 1L, Long::sum);
        if (kept.size() < MOST_KEPT) {
            kept.add(finding);
        }
    }

    @Override
    public synchronized void searched(SearchResult result) {
        searched = result.range();
        result.changes().forEach(change -> changes.put(change.finding(), change));
    }

    synchronized long rows() {
        return rows;
    }

    synchronized long findings() {
        return findings;
    }

    /** The tables with their numbers of findings, for the log: no keys. */
    synchronized String tablesThatDiffer() {
        return byTable.entrySet().stream()
                .limit(MOST_KEPT)
                .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                .collect(Collectors.joining(", "));
    }

    /**
     * The state now.
     *
     * @param error why it has failed; "" if it has not
     */
    synchronized VerifyStatus.Run run(Optional<Instant> end, String error) {
        return new VerifyStatus.Run(
                begin,
                end,
                tables,
                rows,
                findings,
                busy,
                error,
                searched,
                kept.stream().map(this::facts).toList());
    }

    private Map<String, Object> facts(Finding finding) {
        Map<String, Object> facts = FindingFacts.of(finding);
        facts.put("where", finding.where());
        Optional.ofNullable(changes.get(finding)).map(FindingFacts::changes).ifPresent(facts::putAll);
        return facts;
    }
}
