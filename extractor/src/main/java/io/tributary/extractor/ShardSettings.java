package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings that may be anything, but should be the same on every shard: warnings, no more. */
final class ShardSettings {
    private final Map<String, ShardFacts> facts;
    private final List<ShardProblem> problems;

    /**
     * @param facts of the shards, by name
     * @param problems takes what is found
     */
    ShardSettings(Map<String, ShardFacts> facts, List<ShardProblem> problems) {
        this.facts = facts;
        this.problems = problems;
    }

    void check() {
        compare(
                "lower_case_table_names",
                "names of tables that differ in their letter case only are one table on some shards and two on others, and"
                        + " table.map rules may match on some shards only",
                "write all names in small letters; the setting is made when a server is initialized");
        compare(
                "collation_server",
                "a CREATE DATABASE that names no collation, and the tables in it, get another one on each: the members of"
                        + " a table differ then",
                "SET PERSIST collation_server and character_set_server; schemas and tables that are there keep theirs");
        compare(
                "default_collation_for_utf8mb4",
                "CHARACTER SET utf8mb4 without a COLLATE means another collation on each: the members of a table differ"
                        + " then",
                "SET PERSIST default_collation_for_utf8mb4");
        checkMetadata();
    }

    /** A shard that has the setting and not FULL is warned of by itself. */
    private void checkMetadata() {
        List<String> without = new ArrayList<>();
        List<String> with = new ArrayList<>();
        facts.forEach((name, shard) -> (shard.variable("binlog_row_metadata").isEmpty() ? without : with).add(name));
        if (!without.isEmpty() && !with.isEmpty()) {
            problems.add(new ShardProblem(
                    ErrorCode.SHARD_UNFIT,
                    true,
                    without.get(0),
                    "binlog_row_metadata",
                    "that the rows of all shards name their columns",
                    "none on " + String.join(", ", without) + ", which are of a version without it, beside "
                            + String.join(", ", with)
                            + ": rows of one table whose columns have changed cannot be told by name, and readers see"
                            + " column names of some shards only",
                    "upgrade them"));
        }
    }

    private void compare(String variable, String hurt, String remedy) {
        Map<String, List<String>> shardsByValue = new LinkedHashMap<>();
        facts.forEach((name, shard) -> {
            String value = shard.variable(variable);
            if (!value.isEmpty()) {
                shardsByValue.computeIfAbsent(value, same -> new ArrayList<>()).add(name);
            }
        });
        if (shardsByValue.size() < 2) {
            return;
        }
        List<String> values = new ArrayList<>();
        shardsByValue.forEach((value, shards) -> values.add(value + " on " + String.join(", ", shards)));
        String last = facts.keySet().stream()
                .filter(name -> !facts.get(name).variable(variable).isEmpty())
                .reduce((a, b) -> b)
                .orElse("");
        problems.add(new ShardProblem(
                ErrorCode.SHARD_UNFIT,
                true,
                last,
                variable,
                "the same on every shard",
                String.join(" and ", values) + ": " + hurt,
                remedy));
    }
}
