package io.tributary.node.check;

import io.tributary.common.value.TableName;
import io.tributary.extractor.ShardFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The check of AUTO_INCREMENT: finds logical tables whose members generate the same numbers. */
final class AutoIncrementCheck {
    private static final Pattern COLUMN = Pattern.compile("\n  `((?:[^`]|``)+)` [^\n]* AUTO_INCREMENT\\b");

    private static final Pattern GENERATED =
            Pattern.compile("\n  `my_row_id` bigint[^\n]* AUTO_INCREMENT /\\*!80023 INVISIBLE \\*/");

    private final Map<String, ShardFacts> facts;
    private final List<TableName> generated = new ArrayList<>();
    private final List<TableName> ofOneShard = new ArrayList<>();
    private final Map<String, List<TableName>> ofShards = new TreeMap<>();

    AutoIncrementCheck(Map<String, ShardFacts> facts) {
        this.facts = facts;
    }

    void add(TableName logical, ComparedTable table) {
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
        List<String> overlapping = overlapping(List.copyOf(byShard.keySet()));
        if (!overlapping.isEmpty()) {
            ofShards.computeIfAbsent(String.join(", ", overlapping), shards -> new ArrayList<>())
                    .add(logical);
        }
    }

    /** Whether the numbers alone are a key of the table: a key of several columns may distinguish the members. */
    private static boolean isNumbered(String body) {
        Matcher column = COLUMN.matcher(body);
        if (!column.find()) {
            return false;
        }
        String key = "KEY (?:`(?:[^`]|``)+` )?\\(`" + Pattern.quote(column.group(1)) + "`(?: DESC)?\\)";
        return Pattern.compile("\n  (?:PRIMARY|UNIQUE) " + key).matcher(body).find();
    }

    /** All these shards if two of them generate the same numbers, else none. */
    private List<String> overlapping(List<String> shards) {
        for (String a : shards) {
            for (String b : shards) {
                if (!a.equals(b)
                        && facts.containsKey(a)
                        && facts.containsKey(b)
                        && !KeyRange.of(facts.get(a)).isDisjointFrom(KeyRange.of(facts.get(b)))) {
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
                    ListText.of(generated),
                    "generated primary key",
                    "each member generates its my_row_id from 1 on (sql_generate_invisible_primary_key)",
                    "ddl.gipk = drop removes the column, so the table has no key: a replica searches the whole table for each"
                            + " changed row; with keep, readers that use the column as a key mix up rows of two members",
                    "give the tables a primary key that is unique over the rows of all members"));
        }
        if (!ofOneShard.isEmpty()) {
            problems.add(new TableProblem(
                    ListText.of(ofOneShard),
                    "AUTO_INCREMENT",
                    "there are several members on one shard, and each numbers its rows from 1 on, because"
                            + " auto_increment_offset is the same for all tables of a server",
                    "two of their rows with the same number have the same key on the replica: it stops at the second with"
                            + " error 1062 (duplicate key), unless the application sets the numbers",
                    "set the keys in the application, or use a primary key of the number and a column that differs"
                            + " between the members"));
        }
        ofShards.forEach((shards, logical) -> problems.add(new TableProblem(
                ListText.of(logical),
                "AUTO_INCREMENT",
                "the shards " + shards + " generate the same numbers: " + settings(shards),
                "two of their rows with the same number have the same key on the replica: it stops at the second with error"
                        + " 1062 (duplicate key), unless the application sets the numbers",
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
        return ListText.of(all);
    }
}
