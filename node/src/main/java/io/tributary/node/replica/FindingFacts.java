package io.tributary.node.replica;

import io.tributary.seed.change.KeyChange;
import io.tributary.seed.change.LastChange;
import io.tributary.seed.verify.Finding;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Findings as names and values for JSON, without the values of rows other than keys. */
public final class FindingFacts {
    private FindingFacts() {}

    /** Table, key, kind, columns. */
    public static Map<String, Object> of(Finding finding) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("table", finding.table().toString());
        facts.put("key", finding.key());
        facts.put("kind", finding.kind().name().toLowerCase(Locale.ROOT));
        facts.put(
                "columns",
                finding.columns().stream().map(Finding.ChangedColumn::column).toList());
        return facts;
    }

    /** Table, key, the kind {@code last_change}, and what changed it last. */
    public static Map<String, Object> of(LastChange change) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("table", change.finding().table().toString());
        facts.put("key", change.finding().key());
        facts.put("kind", "last_change");
        facts.putAll(changes(change));
        return facts;
    }

    /** {@code change} and {@code statement}, each null if it was not found. */
    static Map<String, Object> changes(LastChange change) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("change", change.row().map(FindingFacts::of).orElse(null));
        facts.put("statement", change.statement().map(FindingFacts::of).orElse(null));
        return facts;
    }

    private static Map<String, Object> of(KeyChange change) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("gtid", change.gtid().toString());
        facts.put("kind", change.kind());
        facts.put("time", Instant.ofEpochSecond(change.seconds()).toString());
        facts.put("file", change.file());
        facts.put("position", change.position());
        return facts;
    }

    /** The last change in one line. */
    public static String line(LastChange change) {
        Finding finding = change.finding();
        return finding.table() + (finding.key().isEmpty() ? "" : " " + finding.key()) + ": "
                + change.row().map(row -> "last changed by " + row).orElse("no change found")
                + change.statement().map(statement -> ", then " + statement).orElse("");
    }
}
