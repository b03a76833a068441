package io.tributary.node.check;

import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Logical tables whose members number their rows alike. */
final class Keys {
    private static final Pattern COLUMN = Pattern.compile("\n  `((?:[^`]|``)+)` [^\n]* AUTO_INCREMENT\\b");

    private static final Pattern GENERATED =
            Pattern.compile("\n  `my_row_id` bigint[^\n]* AUTO_INCREMENT /\\*!80023 INVISIBLE \\*/");

    private final Map<String, ShardFacts> facts;
    private final List<TableName> generated = new ArrayList<>();
    private final List<TableName> ofOneShard = new ArrayList<>();
    private final Map<String, List<TableName>> ofShards = new TreeMap<>();

    Keys(Map<String, ShardFacts> facts) {
        this.facts = facts;
    }

    void add(TableName logical, LogicalTable table) {
        if (table.variants().stream()
                .anyMatch(variant -> GENERATED.matcher(variant.getKey()).find())) {
            generated.add(logical);
            return;
        }
        if (table.variants().stream().noneMatch(variant -> isNumbered(variant.getKey()))) {
            return;
        }
        Map<String, Integer> byShard = new TreeMap<>(table.byShard());
        if (byShard.values().stream().anyMatch(count -> count > 1)) {
            ofOneShard.add(logical);
            return;
        }
        List<String> alike = alike(List.copyOf(byShard.keySet()));
        if (!alike.isEmpty()) {
            ofShards.computeIfAbsent(String.join(", ", alike), shards -> new ArrayList<>())
                    .add(logical);
        }
    }

    /** Whether the numbers alone are a key of the table: a key of more columns may tell the members apart. */
    private static boolean isNumbered(String body) {
        Matcher column = COLUMN.matcher(body);
        if (!column.find()) {
            return false;
        }
        String key = "KEY (?:`(?:[^`]|``)+` )?\\(`" + Pattern.quote(column.group(1)) + "`(?: DESC)?\\)";
        return Pattern.compile("\n  (?:PRIMARY|UNIQUE) " + key).matcher(body).find();
    }

    /** The shards of which some give the same numbers. */
    private List<String> alike(List<String> shards) {
        for (String a : shards) {
            for (String b : shards) {
                if (!a.equals(b)
                        && facts.containsKey(a)
                        && facts.containsKey(b)
                        && !KeyRange.of(facts.get(a)).isApartFrom(KeyRange.of(facts.get(b)))) {
                    return shards;
                }
            }
        }
        return List.of();
    }

    List<TableProblem> problems() {
        List<TableProblem> problems = new ArrayList<>();
        if (!generated.isEmpty()) {
            problems.add(new TableProblem(
                    Shown.of(generated),
                    "generated primary key",
                    "each member numbers its my_row_id from 1 (sql_generate_invisible_primary_key)",
                    "ddl.gipk = drop cuts the column, so the table has no key: a replica looks for each changed row in the whole"
                            + " table; with keep, readers that go by the column take rows of two members for one",
                    "give the tables a primary key that tells the rows of all members apart"));
        }
        if (!ofOneShard.isEmpty()) {
            problems.add(new TableProblem(
                    Shown.of(ofOneShard),
                    "AUTO_INCREMENT",
                    "several members on one shard number their rows each from 1, as auto_increment_offset is one for all"
                            + " tables of a server",
                    "two of their rows with the same number are one row for the replica: it stops at the second with"
                            + " error 1062 (duplicate key), unless the application gives the numbers",
                    "give the keys in the application, or make the primary key of the number and of what tells the"
                            + " members apart"));
        }
        ofShards.forEach((shards, logical) -> problems.add(new TableProblem(
                Shown.of(logical),
                "AUTO_INCREMENT",
                "the shards " + shards + " give the same numbers: " + settings(shards),
                "two of their rows with the same number are one row for the replica: it stops at the second with error"
                        + " 1062 (duplicate key), unless the application gives the numbers",
                "SET PERSIST auto_increment_increment = " + shards.split(", ", -1).length
                        + " on each of them, and SET PERSIST auto_increment_offset = 1, 2 and so on, one for each")));
        return problems;
    }

    private String settings(String shards) {
        List<String> all = new ArrayList<>();
        for (String shard : shards.split(", ", -1)) {
            ShardFacts known = facts.get(shard);
            if (known != null) {
                all.add(shard + " has " + KeyRange.of(known));
            }
        }
        return Shown.of(all);
    }
}
